// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many threads run a launch: HEDDLE_WORKERS, or as many as the process may use cores.
#pragma once

#include <tbb/task_arena.h>
#include <utility>

namespace heddle::engine {

/// Where launches of this thread run if HEDDLE_WORKERS says with how many threads; else null. A
/// number that makes no sense is told on stderr, once.
tbb::task_arena *chosenWorkers();

/// Calls the function where launches run, and returns what it returns.
template <typename Function> auto withChosenWorkers(Function &&function) {
  if (tbb::task_arena *workers = chosenWorkers())
    return workers->execute(std::forward<Function>(function));
  return function();
}

} // namespace heddle::engine
