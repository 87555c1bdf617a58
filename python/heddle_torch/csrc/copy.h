// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// copy_: between devices and to the host, which PyTorch does with copies of CUDA where it can, and
// with kernels where elements change their type or order.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace heddle::aten {

/// A boxed kernel of aten::copy_ for CUDA tensors.
void copy(const c10::OperatorHandle &Op, c10::DispatchKeySet Keys, torch::jit::Stack *Stack);

} // namespace heddle::aten
