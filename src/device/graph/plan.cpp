// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graph/plan.h"

namespace heddle {
namespace {

/// The condition is changed by kernels, behind the compiler's back.
unsigned valueOf(const Condition &condition) {
  return __atomic_load_n(&condition.value, __ATOMIC_ACQUIRE);
}

void runConditional(const PlanSteps::Step &step) noexcept {
  const ConditionalOperation &operation = *step.conditional;
  const Condition &condition = *operation.condition;
  switch (operation.kind) {
  case cudaGraphCondTypeIf:
    if (valueOf(condition))
      step.bodies[0].run();
    else if (step.bodies.size() > 1)
      step.bodies[1].run();
    break;
  case cudaGraphCondTypeWhile:
    while (valueOf(condition) && !Stream::stopped() && operation.device.error() == cudaSuccess)
      step.bodies[0].run();
    break;
  case cudaGraphCondTypeSwitch:
    if (unsigned value = valueOf(condition); value < step.bodies.size())
      step.bodies[value].run();
    break;
  }
}

} // namespace

void PlanSteps::run() const noexcept {
  for (const Step &step : steps) {
    if (step.operation->device.error() != cudaSuccess)
      return;
    if (step.conditional)
      runConditional(step);
    else
      runObserved(*step.operation, nullptr, 0);
  }
}

} // namespace heddle
