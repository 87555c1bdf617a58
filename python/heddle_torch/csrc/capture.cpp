// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "capture.h"

#include "alias.h"
#include "arguments.h"
#include "device.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/resize.h>

#include <algorithm>

namespace heddle::aten {
namespace {

using c10::IValue;
using torch::jit::Stack;

// What the operation wrote into, and its copy that the first run writes instead.
struct Copied {
  at::Tensor Alias, Copy;
};

at::Tensor copyOf(const at::Tensor &T, std::vector<Copied> &Copies) {
  if (!T.defined())
    return T;
  for (const Copied &C : Copies)
    if (C.Alias.is_same(T))
      return C.Copy;
  Copies.push_back({T, T.clone()});
  return Copies.back().Copy;
}

void copyWritten(const c10::FunctionSchema &Schema, IValue *Arguments,
                 std::vector<Copied> &Copies) {
  for (size_t I = 0; I < Schema.arguments().size(); ++I)
    if (isWritten(Schema.arguments()[I]))
      mapTensors(Arguments[I], [&](const at::Tensor &T) { return copyOf(T, Copies); });
}

// Such an operation checks values (_assert_async), which are not there before the graph runs.
bool leavesNothing(const c10::FunctionSchema &Schema) {
  return Schema.returns().empty() &&
         std::none_of(Schema.arguments().begin(), Schema.arguments().end(), isWritten);
}

// The tensor of the graph for one that the first run returned.
at::Tensor resultOf(Call &C, const at::Tensor &Result, std::vector<Copied> &Copies) {
  for (const Copied &Made : Copies)
    if (Made.Copy.is_same(Result)) {
      if (Made.Alias.sizes() != Result.sizes())
        Made.Alias.resize_(Result.sizes());
      return C.toDevice(Made.Alias);
    }
  return C.toDevice(Result);
}

std::vector<at::Tensor> tensorsOf(const IValue *Values, size_t Count) {
  std::vector<at::Tensor> Found;
  for (size_t I = 0; I < Count; ++I)
    forEachTensor(Values[I], [&](const at::Tensor &T) { Found.push_back(T); });
  return Found;
}

// What the graph runs. It calls no function of CUDA: what the kernel allocates is the host's.
void replay(const HostKernel &Kernel, const std::vector<IValue> &Arguments, size_t Results,
            const std::vector<at::Tensor> &Places) {
  at::AutoDispatchBelowADInplaceOrView Guard;
  Stack Own(Arguments.begin(), Arguments.end());
  Kernel(&Own);
  const std::vector<at::Tensor> Made = tensorsOf(Own.data() + Own.size() - Results, Results);
  for (size_t I = 0; I < Made.size(); ++I)
    if (Places[I].defined() && Made[I].defined() && Made[I].data_ptr() != Places[I].data_ptr())
      Places[I].copy_(Made[I]);
}

} // namespace

void capture(const c10::OperatorHandle &Op, Stack *Stack, c10::DeviceIndex Device,
             const HostKernel &Kernel) {
  const c10::FunctionSchema &Schema = Op.schema();
  const size_t Count = Schema.arguments().size(), Results = Schema.returns().size();
  IValue *Arguments = Stack->data() + Stack->size() - Count;
  // The graph's tasks refer to memory of its pool; they own none of it, as on a GPU.
  Call C(Device);
  argumentsToHost(C, Schema, Arguments, Device);
  const std::vector<IValue> Kept(Arguments, Arguments + Count);
  std::vector<Copied> Copies;
  std::vector<at::Tensor> Places;
  if (leavesNothing(Schema)) {
    Stack->erase(Stack->end() - Count, Stack->end());
  } else {
    at::AutoDispatchBelowADInplaceOrView Guard;
    copyWritten(Schema, Arguments, Copies);
    OnDevice Scope(Device);
    Kernel(Stack);
    const size_t First = Stack->size() - Results;
    for (size_t I = First; I < Stack->size(); ++I)
      mapTensors((*Stack)[I], [&](const at::Tensor &T) { return resultOf(C, T, Copies); });
    for (const at::Tensor &T : tensorsOf(Stack->data() + First, Results))
      Places.push_back(C.toHost(T, true));
  }
  C.finish();
  addToGraph(Device, [=] { replay(Kernel, Kept, Results, Places); });
}

} // namespace heddle::aten
