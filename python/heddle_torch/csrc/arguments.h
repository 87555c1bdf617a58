// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments and results of a boxed call, on their way to the CPU's kernel and back.
#pragma once

#include "alias.h"

#include <ATen/core/List.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace heddle::aten {

/// Calls `Each` for the tensor that the value is, or for each of the list that it is; also for
/// undefined ones.
template <typename Fn> void forEachTensor(const c10::IValue &V, const Fn &Each) {
  if (V.isTensor()) {
    Each(V.toTensor());
  } else if (V.isTensorList()) {
    const c10::List<at::Tensor> List = V.toTensorList();
    for (const at::Tensor &T : List)
      Each(T);
  } else if (V.isOptionalTensorList()) {
    for (const std::optional<at::Tensor> T : V.toOptionalTensorList())
      if (T)
        Each(*T);
  }
}

/// Puts what `To` gives in the place of each of these tensors, which it may take. The lists
/// themselves are new: the caller's stay as they are.
template <typename Fn> void mapTensors(c10::IValue &V, const Fn &To) {
  if (V.isTensor()) {
    V = To(std::move(V).toTensor());
  } else if (V.isTensorList()) {
    const c10::List<at::Tensor> From = V.toTensorList();
    c10::List<at::Tensor> Made;
    Made.reserve(From.size());
    for (const at::Tensor &T : From)
      Made.push_back(To(T));
    V = std::move(Made);
  } else if (V.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> Made;
    for (const std::optional<at::Tensor> T : V.toOptionalTensorList())
      Made.push_back(T ? std::optional<at::Tensor>(To(*T)) : std::nullopt);
    V = std::move(Made);
  }
}

/// Whether the operation may write the argument, by its schema.
bool isWritten(const c10::Argument &Formal);

/// The device that the arguments lie on, or the current one without any. Errors: c10::Error in
/// PyTorch's words, if they lie on several devices, or on the CPU and a device where the operation
/// does not take both.
c10::DeviceIndex deviceOf(const c10::OperatorHandle &Op, const c10::IValue *Arguments);

/// Puts CPU tensors, devices and generators in the place of CUDA's.
void argumentsToHost(Call &C, const c10::FunctionSchema &Schema, c10::IValue *Arguments,
                     c10::DeviceIndex Device);

/// Puts CUDA tensors in the place of the kernel's results.
void resultsToDevice(Call &C, c10::IValue *Results, size_t Count);

/// The dispatch keys for a kernel on the arguments as they are now: those of backends alone, as
/// autograd's and the like have had their turn.
c10::DispatchKeySet backendKeys(const c10::IValue *Arguments, size_t Count);

} // namespace heddle::aten
