// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graph/plan.h"

#include "device/graph/device_node.h"
#include "engine/observe/observer.h"

namespace heddle {
namespace {

/// The condition is changed by kernels, behind the compiler's back.
unsigned valueOf(const Condition &condition) {
  return __atomic_load_n(&condition.value, __ATOMIC_ACQUIRE);
}

// What a body does comes behind all that was done before, and what comes behind it likewise.
void runBody(const PlanSteps &body, const Origin &origin, bool nested) noexcept {
  if (engine::observe::observer && !nested)
    engine::observe::observer->partsJoin();
  body.run(origin, nested);
  if (engine::observe::observer && !nested)
    engine::observe::observer->partsJoin();
}

void runConditional(const PlanSteps::Step &step, const Origin &origin, bool nested) noexcept {
  const ConditionalOperation &operation = *step.conditional;
  const Condition &condition = *operation.condition;
  switch (operation.kind) {
  case cudaGraphCondTypeIf:
    if (valueOf(condition))
      runBody(step.bodies[0], origin, nested);
    else if (step.bodies.size() > 1)
      runBody(step.bodies[1], origin, nested);
    break;
  case cudaGraphCondTypeWhile:
    while (valueOf(condition) && !Stream::stopped() && operation.device.error() == cudaSuccess)
      runBody(step.bodies[0], origin, nested);
    break;
  case cudaGraphCondTypeSwitch:
    if (unsigned value = valueOf(condition); value < step.bodies.size())
      runBody(step.bodies[value], origin, nested);
    break;
  }
}

} // namespace

void PlanSteps::run(const Origin &origin, bool nested) const noexcept {
  for (const Step &step : steps) {
    if (step.operation->device.error() != cudaSuccess)
      return;
    if (engine::observe::observer && !nested)
      engine::observe::observer->partBegin(step.node, step.after);
    if (step.conditional)
      runConditional(step, origin, nested);
    else if (!step.device_node)
      runObserved(*step.operation, origin);
    else if (const OperationPointer now = step.device_node->current())
      runObserved(*now, origin);
  }
}

} // namespace heddle
