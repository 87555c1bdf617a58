// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that a GPU's kernel has and the CPU's lacks (half precision in many operations, complex
// halves, narrow integers in some): the kernel runs on wider copies, and its results are narrowed.
#pragma once

#include "../capture.h"
#include "divide.h"

namespace heddle::aten {

/// Calls `Kernel` on the stack's arguments, CPU tensors. If it says that it is not implemented for
/// the type of some of them, calls it once more with these in a wider type; what the operation
/// writes is copied back. Throws what the kernel throws otherwise.
template <typename Fn>
void callWithWiderTypes(const c10::OperatorHandle &Op, torch::jit::Stack *Stack, const Fn &Kernel);

/// Whether some tensors are of such types; only then the arguments must be kept for a second call.
bool mayNeedWiderTypes(const c10::IValue *Arguments, size_t Count);

/// A bit for each type (1 << c10::ScalarType) that there is a wider one for.
uint64_t typesWithWider();

/// The second call, after `What` was thrown by the first. False if a wider type is no remedy.
bool retryWithWiderTypes(const c10::OperatorHandle &Op, torch::jit::Stack *Stack,
                         std::vector<c10::IValue> Arguments, const char *What,
                         const HostKernel &Kernel);

template <typename Fn>
void callWithWiderTypes(const c10::OperatorHandle &Op, torch::jit::Stack *Stack, const Fn &Kernel) {
  const size_t Count = Op.schema().arguments().size(), First = Stack->size() - Count;
  if (!mayNeedWiderTypes(Stack->data() + First, Count))
    return Kernel(Stack);
  std::vector<c10::IValue> Kept(Stack->begin() + First, Stack->end());
  try {
    Kernel(Stack);
  } catch (const std::exception &Error) {
    Stack->resize(First);
    const auto *const Own = dynamic_cast<const c10::Error *>(&Error);
    const char *const What = Own ? Own->what_without_backtrace() : Error.what();
    if (!retryWithoutZeros(Op, Stack, Kept, What, Kernel) &&
        !retryWithWiderTypes(Op, Stack, std::move(Kept), What, Kernel))
      throw;
  }
}

} // namespace heddle::aten
