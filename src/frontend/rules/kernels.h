// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel may look like (CUDA C++ guide, "__global__ Functions"), and which types its
// template arguments may be: those that the host compiler can name outside the functions and
// classes where they are used ("__global__ Functions and Function Templates").
#pragma once

#include "frontend/rules/messages.h"

#include "clang/AST/Decl.h"

namespace heddle::frontend {

/// Largest sum of a kernel's parameters, in bytes, for sm_70 and higher (PTX ISA, "Kernel Function
/// Parameter Attributes").
inline constexpr uint64_t most_parameter_bytes = 32764;

/// For a kernel, a kernel's template or an instance of one. `arch` as __CUDA_ARCH__.
void checkKernel(RuleMessages &messages, const clang::FunctionDecl &kernel, uint32_t arch);

/// The template arguments of an instance alone: those of a library's kernel come from the user.
void checkKernelArguments(RuleMessages &messages, const clang::FunctionDecl &kernel);

/// For parameters and attributes of functions that are no kernels.
void checkNoKernel(RuleMessages &messages, const clang::FunctionDecl &function);

} // namespace heddle::frontend
