// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/launch_places.h"

namespace heddle::check {

static thread_local LaunchPlace current_place; // of the work that this thread runs

void LaunchPlace::describe(std::vector<Place> &launched, std::string &launcher) const {
  launched = placesOf(place);
  if (parent)
    launcher = *parent;
}

void LaunchPlaces::issued(const engine::observe::StreamPoint &work) {
  const HostPlace place = callerOfLibrary();
  std::lock_guard lock(mutex_);
  waiting_[{work.stream, work.ticket}] = {++count_, place, nullptr};
}

void LaunchPlaces::begin(const engine::observe::StreamPoint &work) {
  std::lock_guard lock(mutex_);
  const auto found = waiting_.find({work.stream, work.ticket});
  current_place = found == waiting_.end() ? LaunchPlace() : found->second;
  if (found != waiting_.end())
    waiting_.erase(found);
}

const LaunchPlace &LaunchPlaces::current() { return current_place; }

void LaunchPlaces::kernelBegin(const engine::Launch &launch) {
  const KernelInfo &kernel = launch.program->info().kernels[size_t(launch.kernel)];
  std::lock_guard lock(mutex_);
  Run run{current_place, &kernels_.try_emplace(kernel.display_name).first->first};
  // A kernel's launch runs on any thread.
  if (const auto parent = running_.find(launch.parent); parent != running_.end()) {
    run.place = parent->second.place;
    run.place.parent = parent->second.kernel;
  }
  running_[launch.number] = run;
}

void LaunchPlaces::kernelEnd(const engine::Launch &launch) {
  std::lock_guard lock(mutex_);
  running_.erase(launch.number);
}

LaunchPlace LaunchPlaces::of(const engine::Launch &launch) const {
  std::lock_guard lock(mutex_);
  const auto found = running_.find(launch.number);
  return found == running_.end() ? LaunchPlace() : found->second.place;
}

} // namespace heddle::check
