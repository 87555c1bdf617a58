// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers divided by zero: an error of the CPU's kernels, and on a GPU a number that its
// manufacturer does not specify. These are the ones that an H200 gave.
#pragma once

#include "../capture.h"

namespace heddle::aten {

/// The second call of an operation, after `What` was thrown by the first: with other divisors in
/// the place of zeros, and a GPU's results there. False if `What` is another error, or the
/// operation is none with two operands, `self` and `other`.
bool retryWithoutZeros(const c10::OperatorHandle &Op, torch::jit::Stack *Stack,
                       std::vector<c10::IValue> Arguments, const char *What,
                       const HostKernel &Kernel);

} // namespace heddle::aten
