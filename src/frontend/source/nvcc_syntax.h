// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nvcc takes and Clang refuses, mended in the source text before Clang sees it. This is the
// one place for such differences; each is a function in nvcc_syntax.cpp or a file of its own:
//
//   k << < grid, block >> > (x)              broken launch brackets (launch_syntax.h)
//   k<<<grid, {32, 4}>>>(x)                  braced lists in launches (launch_syntax.h)
//   asm("..." : "=r"(a) : "r"(x) "l"(y))     no comma between operands
//   asm("mov.u32 %0, %clock;" : "=r"(a))     one percent sign before a special register
//   __shared__ alignas(16) float tile[64];   alignas among the declaration's other words
//   __device__ [[nodiscard]] int f();        attributes after __device__ and its kin
//   static_assert(!(&(((T *)0)->m)), "");    a member's offset, constant for nvcc, told by hand
//   #pragma unroll                           before a function, or at the end of a block
//   #if defined(__NVCC__)                    by which CCCL knows nvcc, in .cpp files, too
//   #define EIGEN_USING_STD(F) using ::F;    Eigen's branch for nvcc, which finds arg there
//
// What only Clang's own complaint tells is in shared_objects.h and redeclarations.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::frontend {

/// `source` as Clang wants it, every line and nearly every column where it was; nothing if Clang
/// takes it as it is.
std::optional<std::string> mendNvccSyntax(std::string_view source);

} // namespace heddle::frontend
