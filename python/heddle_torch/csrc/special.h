// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations whose CPU kernels lack what CUDA's have, and those that no CPU can run.
#pragma once

#include "fallback.h"

namespace heddle::aten {

/// The kernel for the operation of that name ("aten::softmax.int"), or null: then `fallback`.
Boxed specialKernel(const std::string &Name);

/// A kernel that throws c10::NotImplementedError with the operation's name.
void unsupported(const c10::OperatorHandle &Op, c10::DispatchKeySet Keys, torch::jit::Stack *Stack);

} // namespace heddle::aten
