// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile/launchers.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace heddle::profile {
namespace {

constexpr size_t most_calls = 1 << 18; // that work is waiting for

} // namespace

void Launchers::calling(const engine::observe::Call &call) {
  if (!python_ || std::string_view(call.name).find("Launch") == std::string_view::npos)
    return;
  Frames frames = engine::observe::pythonFrames(true);
  if (frames.empty())
    return;
  std::lock_guard lock(mutex_);
  calls_[call.number] = &*frames_.insert(std::move(frames)).first;
  if (calls_.size() > most_calls)
    calls_.erase(calls_.begin());
}

void Launchers::ended(const std::string &key, const engine::observe::Task &task) {
  std::lock_guard lock(mutex_);
  const auto call = calls_.find(task.call);
  if (call == calls_.end())
    return;
  Sum &sum = sums_[key][call->second];
  ++sum.launches;
  sum.nanoseconds += task.end - task.begin;
}

std::vector<Launcher> Launchers::of(const std::string &key) const {
  std::lock_guard lock(mutex_);
  std::vector<Launcher> all;
  const auto found = sums_.find(key);
  if (found == sums_.end())
    return all;
  for (const auto &[frames, sum] : found->second) {
    Launcher &one = all.emplace_back(Launcher{{}, sum.launches, sum.nanoseconds});
    for (const auto &frame : *frames)
      one.calls.push_back({frame.function, frame.file, frame.line, 0});
  }
  std::sort(all.begin(), all.end(), [](const Launcher &a, const Launcher &b) {
    return std::tie(b.nanoseconds, a.calls) < std::tie(a.nanoseconds, b.calls);
  });
  return all;
}

} // namespace heddle::profile
