// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers work in C++ outside a .cu file: all of them together, the ABI, and constant dim3s.
#include "every.h"

#include "abi.h"
#include "guards.h"

#include <type_traits>

constexpr dim3 kBlock(32, 4);
static_assert(kBlock.x * kBlock.y * kBlock.z == 128, "missing dimensions are 1");
static_assert(static_cast<uint3>(kBlock).y == 4, "a dim3 is a uint3 too");
static_assert(std::is_convertible<int, dim3>::value, "<<<1, 1>>>");
static_assert(std::is_trivially_copyable<dim3>::value, "it is passed to kernels");
static_assert(std::is_same<decltype(float4::x), float>::value && std::is_pod<float4>::value, "");

__host__ __device__ __forceinline__ int annotated(int x) { return x; }
struct __align__(16) Aligned {
  int x = annotated(1);
};
static_assert(alignof(Aligned) == 16, "__align__");
