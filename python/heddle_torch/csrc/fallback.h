// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel of every operation on CUDA tensors: it waits for the stream's work, calls ATen's CPU
// kernel on the same memory, and returns CUDA tensors. The wheel's own kernels are machine code of
// GPUs, which no CPU can run.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <functional>

namespace heddle::aten {

/// A boxed kernel.
using Boxed = void (*)(const c10::OperatorHandle &, c10::DispatchKeySet, torch::jit::Stack *);

/// A boxed kernel (c10::BoxedKernel) for any operation that has a kernel for CPU tensors.
/// Errors: tensors of several devices (c10::Error in PyTorch's words), an operation without a
/// kernel for the CPU (c10::NotImplementedError with its name), and whatever the kernel throws.
void fallback(const c10::OperatorHandle &Op, c10::DispatchKeySet Keys, torch::jit::Stack *Stack);

/// `fallback` with another kernel than the CPU's in its middle: `Kernel` finds the arguments as CPU
/// tensors on the stack, and leaves its results there.
void onHost(const c10::OperatorHandle &Op, torch::jit::Stack *Stack,
            const std::function<void(torch::jit::Stack *)> &Kernel);

/// Registers `fallback` for each operation with a kernel for CUDA tensors, but for those that touch
/// no elements, and the special ones. Returns how many.
int registerFallback();

} // namespace heddle::aten
