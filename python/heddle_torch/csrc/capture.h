// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation on a stream that is being captured: a node of the graph, which computes whenever the
// graph is launched (torch.cuda.graph).
#pragma once

#include "fallback.h"

namespace heddle::aten {

/// Computes a CPU kernel's results: the CPU's kernel for the operation, or another one.
using HostKernel = std::function<void(torch::jit::Stack *)>;

/// Leaves the results' tensors on the stack, as a GPU does before their values are there. To know
/// their shapes, the kernel runs once, on copies of what it writes.
void capture(const c10::OperatorHandle &Op, torch::jit::Stack *Stack, c10::DeviceIndex Device,
             const HostKernel &Kernel);

} // namespace heddle::aten
