// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graph/run.h"

#include "device/graph/executable.h"
#include "engine/observe/observer.h"

#include <cuda_device_runtime_api.h>
#include <iterator>
#include <utility>

namespace heddle {
namespace {

// CUDA guide, "Fire and Forget Launch" and "Tail Launch".
constexpr unsigned most_fired = 120;
constexpr size_t most_tails = 255;

thread_local GraphRun *current_run = nullptr;

bool is(unsigned long long stream, cudaStream_t handle) {
  return stream == reinterpret_cast<unsigned long long>(handle);
}

} // namespace

GraphRun *GraphRun::current() { return current_run; }

void GraphRun::begin() { ++executable->launching.running; }

void GraphRun::execute(const PlanSteps &steps) {
  GraphRun *const outer = std::exchange(current_run, this);
  if (engine::observe::observer && !outer)
    engine::observe::observer->partsJoin();
  steps.run(origin, outer != nullptr);
  current_run = outer;
}

// A tail may have a tail, which comes before what is behind it: the next one is the last. They take
// this run's place, so their siblings are its siblings.
void GraphRun::finish() {
  --executable->launching.running;
  std::vector<Tail> waiting(std::make_move_iterator(tails.rbegin()),
                            std::make_move_iterator(tails.rend()));
  while (!waiting.empty()) {
    const Tail next = std::move(waiting.back());
    waiting.pop_back();
    ++next.executable->launching.running;
    next.executable->launching.in_tail = false;
    GraphRun run(next.executable, origin, parent);
    run.execute(next.plan->segments.front().work);
    --next.executable->launching.running;
    waiting.insert(waiting.end(), std::make_move_iterator(run.tails.rbegin()),
                   std::make_move_iterator(run.tails.rend()));
  }
}

const Executable *GraphRun::launchable() const {
  return executable->flags & cudaGraphInstantiateFlagDeviceLaunch ? executable.get() : nullptr;
}

cudaError_t GraphRun::launch(const void *handle, unsigned long long stream) {
  Tail next{Executable::handles().find(handle), nullptr};
  if (!next.executable)
    return cudaErrorInvalidValue;
  next.plan = next.executable->launching.uploaded.load();
  if (!next.plan) // not made for it, not uploaded, or changed since
    return cudaErrorInvalidValue;
  if (is(stream, cudaStreamGraphTailLaunch))
    return launchIntoTail(std::move(next));
  if (is(stream, cudaStreamGraphFireAndForget))
    return fire(next, this);
  if (is(stream, cudaStreamGraphFireAndForgetAsSibling))
    return fire(next, parent);
  return cudaErrorInvalidValue;
}

// A graph runs once at a time. It may follow itself.
cudaError_t GraphRun::launchIntoTail(Tail next) {
  DeviceLaunching &state = next.executable->launching;
  if (next.executable != executable && state.running > 0)
    return cudaErrorInvalidValue;
  std::lock_guard lock(mutex);
  if (tails.size() >= most_tails)
    return cudaErrorLaunchPendingCountExceeded;
  if (state.in_tail.exchange(true))
    return cudaErrorInvalidValue;
  tails.push_back(std::move(next));
  return cudaSuccess;
}

cudaError_t GraphRun::fire(const Tail &next, GraphRun *new_parent) {
  DeviceLaunching &state = next.executable->launching;
  int none = 0;
  if (state.in_tail || !state.running.compare_exchange_strong(none, 1))
    return cudaErrorInvalidValue;
  {
    std::lock_guard lock(mutex);
    if (fired == most_fired) {
      --state.running;
      return cudaErrorLaunchPendingCountExceeded;
    }
    ++fired;
  }
  GraphRun run(next.executable, origin, new_parent);
  run.execute(next.plan->segments.front().work);
  run.finish();
  return cudaSuccess;
}

} // namespace heddle
