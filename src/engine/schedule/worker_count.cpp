// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/schedule/worker_count.h"

#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>
#include <tbb/global_control.h>

namespace heddle::engine {
namespace {

constexpr int most_workers = 1024;

struct Workers {
  // TBB starts no more threads than cores, unless it is told to.
  tbb::global_control limit;
  int count;
  explicit Workers(int count)
      : limit(tbb::global_control::max_allowed_parallelism, size_t(count)), count(count) {}
};

Workers *makeWorkers() {
  const char *setting = std::getenv("HEDDLE_WORKERS");
  if (!setting || !*setting)
    return nullptr;
  const std::string_view text = setting;
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc() && end == text.data() + text.size() && count >= 1 &&
      count <= most_workers)
    return new Workers(count); // lasts as long as the process
  fmt::print(stderr,
             "heddle: HEDDLE_WORKERS={}: a number from 1 to {} is needed; all cores are used\n",
             text, most_workers);
  return nullptr;
}

} // namespace

tbb::task_arena *chosenWorkers() {
  static Workers *const workers = makeWorkers();
  if (!workers)
    return nullptr;
  // Launches of several streams may wait for each other, so none of them may keep another's thread
  // out of the arena until it has ended.
  static thread_local tbb::task_arena arena(workers->count);
  return &arena;
}

} // namespace heddle::engine
