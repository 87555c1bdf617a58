// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fallback.h"

#include "alias.h"
#include "arguments.h"
#include "capture.h"
#include "checked.h"
#include "device.h"
#include "types/widen.h"

#include <ATen/core/LegacyTypeDispatch.h>

namespace heddle::aten {
namespace {

using c10::IValue;
using torch::jit::Stack;

void callHostKernel(const c10::OperatorHandle &Op, Stack *Stack) {
  const size_t Count = Op.schema().arguments().size();
  Op.redispatchBoxed(backendKeys(Stack->data() + Stack->size() - Count, Count), Stack);
}

template <typename Kernel>
void run(const c10::OperatorHandle &Op, Stack *Stack, const Kernel &Compute) {
  const c10::FunctionSchema &Schema = Op.schema();
  IValue *const Arguments = Stack->data() + Stack->size() - Schema.arguments().size();
  const c10::DeviceIndex Device = deviceOf(Op, Arguments);
  const HostScope Open;
  if (!waitForStream(Device))
    return capture(Op, Stack, Device, Compute);
  Call C(Device);
  argumentsToHost(C, Schema, Arguments, Device);
  {
    OnDevice Scope(Device);
    at::AutoDispatchBelowADInplaceOrView Guard;
    Compute(Stack);
  }
  C.finish();
  const size_t Results = Schema.returns().size();
  resultsToDevice(C, Stack->data() + Stack->size() - Results, Results);
  C.tellWrites();
}

} // namespace

void fallback(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *Stack) {
  run(Op, Stack, [Op](torch::jit::Stack *S) {
    callWithWiderTypes(Op, S,
                       [&Op](torch::jit::Stack *Arguments) { callHostKernel(Op, Arguments); });
  });
}

void onHost(const c10::OperatorHandle &Op, Stack *Stack, const HostKernel &Kernel) {
  run(Op, Stack, Kernel);
}

} // namespace heddle::aten
