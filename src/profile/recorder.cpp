// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile/recorder.h"

#include "engine/observe/entry_point.h"
#include "engine/warp.h"
#include "gpu/occupancy.h"
#include "profile/sites.h"
#include "support/paths.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace heddle::profile {
namespace {

using namespace engine::observe;

constexpr size_t most_events = 1'000'000;
constexpr uint64_t nanoseconds_between_writes = 2'000'000'000;
constexpr uint64_t nanoseconds_between_lines = 500'000'000;

const char *kindOf(TaskKind kind) {
  switch (kind) {
  case TaskKind::Kernel:
    return "kernel";
  case TaskKind::Copy:
    return "copy";
  case TaskKind::Fill:
    return "fill";
  default:
    return "host";
  }
}

// Where the launch that has ended last on this thread is counted, for done(); empty: nowhere.
thread_local std::string last_kernel;

void addUp(LaunchCounts &sum, const LaunchCounts &more) {
  if (!sum.sites) {
    sum = more;
    return;
  }
  for (size_t i = 0; i < more.counters.size(); ++i)
    sum.counters[i] += more.counters[i];
  for (size_t slot = 0; slot < more.divergent_visits.size(); ++slot) {
    std::vector<uint64_t> &all = sum.divergent_visits[slot];
    all.resize(std::max(all.size(), more.divergent_visits[slot].size()));
    for (size_t k = 0; k < more.divergent_visits[slot].size(); ++k)
      all[k] += more.divergent_visits[slot][k];
  }
  sum.warps_diverged += more.warps_diverged;
  sum.dram_written += more.dram_written;
  keepWorse(sum.samples, more.samples);
}

std::string gpuName() {
  const char *gpu = std::getenv("HEDDLE_GPU");
  return gpu && *gpu ? gpu : "t4";
}

} // namespace

Recorder::Recorder(std::string folder, Choice choice)
    : folder_(std::move(folder)), choice_(std::move(choice)), gpu_name_(gpuName()),
      gpu_(gpu::load(gpu_name_, installRoot() / "share" / "heddle" / "gpus")), written_(start_) {}

uint32_t Recorder::events() const {
  return count_work | (choice_.caches ? uint32_t(count_caches) : 0u) |
         (gpu_.warp_size > int(engine::warp_size) ? uint32_t(count_pairs) : 0u);
}

CacheSizes Recorder::cacheSizes(const engine::Launch &launch) const {
  const KernelInfo &info = launch.program->info().kernels[size_t(launch.kernel)];
  return {gpu::l1BytesBeside(gpu_, info.static_shared_bytes + launch.dynamic_shared_bytes,
                             int(launch.device.max_resident_blocks)),
          gpu_.l2_bytes / uint64_t(gpu_.l2_partitions), uint32_t(gpu_.l2_partitions)};
}

bool Recorder::chooses(const std::string &kernel) const {
  return !choice_.kernel || std::regex_search(kernel, *choice_.kernel);
}

void Recorder::kernelBegin(const engine::Launch &launch) {
  last_kernel.clear();
  beginCounting(launch, choice_.caches ? std::optional(cacheSizes(launch)) : std::nullopt);
}

void Recorder::kernelEnd(const engine::Launch &launch) {
  const LaunchCounts counts = endCounting(launch);
  bool due = false;
  {
    std::lock_guard lock(mutex_);
    last_kernel = add(launch, counts);
    due = nanosecondsNow() - written_ > nanoseconds_between_writes;
    ++ended_;
    showProgress();
  }
  if (due)
    write(Moment::Between);
}

// One line, which the next one replaces. Not of short programs.
void Recorder::showProgress() {
  const uint64_t now = nanosecondsNow();
  if (!choice_.progress || now - std::max(shown_, start_) < nanoseconds_between_lines)
    return;
  shown_ = now;
  fmt::print(stderr, "\r\033[Kheddle profile: {} kernels done, {:.0f} s", ended_,
             double(now - start_) / 1e9);
  std::fflush(stderr);
}

std::string Recorder::add(const engine::Launch &launch, const LaunchCounts &counts) {
  const KernelInfo &info = launch.program->info().kernels[size_t(launch.kernel)];
  if (!chooses(info.display_name) || !isOpen())
    return {};
  const uint64_t number = ++seen_[info.display_name];
  if (choice_.launch && number != *choice_.launch)
    return {};
  std::string key = choice_.each_launch ? fmt::format("{:012}", ++launches_) : info.display_name;
  Counted &counted = kernels_[key];
  Kernel &kernel = counted.kernel;
  const std::array<uint32_t, 3> grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  const std::array<uint32_t, 3> block = {launch.block.x, launch.block.y, launch.block.z};
  if (kernel.launches++ == 0) {
    kernel.name = info.display_name;
    kernel.grid = grid;
    kernel.block = block;
    kernel.registers = info.registers;
    kernel.static_shared = info.static_shared_bytes;
    kernel.dynamic_shared = launch.dynamic_shared_bytes;
  }
  kernel.same_shape &= kernel.grid == grid && kernel.block == block &&
                       kernel.dynamic_shared == launch.dynamic_shared_bytes;
  const uint64_t threads = launch.block.count();
  const auto warp_size = uint64_t(gpu_.warp_size);
  kernel.warps += launch.grid.count() * ((threads + warp_size - 1) / warp_size);
  kernel.threads += launch.grid.count() * threads;
  kernel.counted &= counts.sites != nullptr;
  if (counts.sites)
    addUp(counted.counts[counts.sites], counts);
  return key;
}

void Recorder::note(Event event) {
  if (!isOpen())
    return;
  std::lock_guard lock(mutex_);
  if (events_.size() < most_events)
    events_.push_back(std::move(event));
  else
    ++events_left_out_;
}

void Recorder::called(const Call &call) {
  Event event;
  event.kind = "api";
  event.name = entryPoint(call);
  event.begin = sinceStart(call.begin);
  event.end = sinceStart(call.end);
  event.call = call.number;
  {
    std::lock_guard lock(mutex_);
    event.track = trackOf(uint64_t(gettid()));
  }
  note(std::move(event));
}

uint32_t Recorder::trackOf(uint64_t thread) {
  return threads_.try_emplace(thread, uint32_t(threads_.size())).first->second;
}

uint32_t Recorder::trackOfStream(const void *stream) {
  return streams_.try_emplace(stream, uint32_t(streams_.size())).first->second;
}

void Recorder::annotated(const Annotation &annotation) {
  std::optional<Event> ended;
  {
    std::lock_guard lock(mutex_);
    if (annotation.kind == AnnotationKind::NameThread)
      names_[{false, trackOf(annotation.id)}] = annotation.text;
    else if (annotation.kind == AnnotationKind::NameStream)
      names_[{true, trackOfStream(reinterpret_cast<const void *>(annotation.id))}] =
          annotation.text;
    else
      ended =
          annotations_.take(annotation, trackOf(uint64_t(gettid())), sinceStart(nanosecondsNow()));
  }
  if (ended)
    note(std::move(*ended));
}

void Recorder::begins(TaskKind kind) {
  std::lock_guard lock(mutex_);
  managed_.begins(kind);
}

void Recorder::managed(const void *base, size_t bytes) {
  std::lock_guard lock(mutex_);
  managed_.allocated(base, bytes);
}

void Recorder::freed(const void *base) {
  std::lock_guard lock(mutex_);
  managed_.freed(base);
}

void Recorder::hinted(const ManagedHint &hint) {
  std::lock_guard lock(mutex_);
  managed_.hinted(hint);
}

void Recorder::done(const Task &task) {
  Event event;
  event.kind = kindOf(task.kind);
  event.name = task.name;
  event.begin = sinceStart(task.begin);
  event.end = sinceStart(task.end);
  event.bytes = task.bytes;
  event.call = task.call;
  event.device = task.device;
  event.pageable = task.pageable;
  event.from = task.from;
  event.to = task.kind == TaskKind::Copy ? task.to : "";
  std::copy_n(task.grid, 3, event.grid.begin());
  std::copy_n(task.block, 3, event.block.begin());
  event.registers = task.registers;
  event.static_shared = task.static_shared;
  event.dynamic_shared = task.dynamic_shared;
  {
    std::lock_guard lock(mutex_);
    managed_.ends(task.kind);
    event.track = trackOfStream(task.stream);
    if (const auto found = kernels_.find(last_kernel);
        task.kind == TaskKind::Kernel && found != kernels_.end()) {
      Kernel &kernel = found->second.kernel;
      kernel.nanoseconds += task.end - task.begin;
      if (!kernel.call)
        kernel.call = task.call;
      launchers_.ended(last_kernel, task);
    }
  }
  note(std::move(event));
}

void Recorder::write(Moment moment) {
  std::lock_guard lock(mutex_);
  if (moment == Moment::Interrupted)
    forEachUnfinished([&](const engine::Launch &launch, const LaunchCounts &counts) {
      if (const std::string key = add(launch, counts); !key.empty())
        ++kernels_[key].kernel.unfinished;
    });
  Profile profile;
  profile.gpu = gpu_name_;
  profile.warp_size = uint32_t(gpu_.warp_size);
  profile.caches = choice_.caches;
  profile.complete = moment == Moment::End;
  for (const auto &[name, counted] : kernels_) {
    if (!counted.kernel.launches)
      continue;
    Kernel &kernel = profile.kernels.emplace_back(counted.kernel);
    kernel.launchers = launchers_.of(name);
    for (const auto &[sites, counts] : counted.counts)
      addSites(counts, kernel);
  }
  profile.events = events_;
  if (isOpen())
    for (Event &event : annotations_.open(sinceStart(nanosecondsNow())))
      profile.events.push_back(std::move(event));
  for (const auto &[track, name] : names_)
    profile.names.push_back({track.first, track.second, name});
  profile.events_left_out = events_left_out_;
  profile.unified_memory = managed_.traffic();
  // Renamed when it is whole: the process may be killed at any time.
  const std::string path = fmt::format("{}/{}.json", folder_, int(getpid()));
  {
    std::ofstream file(path + ".part");
    file << toJson(profile).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (!file.flush()) {
      fmt::print(stderr, "heddle profile: cannot write {}: {}\n", path, std::strerror(errno));
      return;
    }
  }
  std::error_code ignored;
  std::filesystem::rename(path + ".part", path, ignored);
  written_ = nanosecondsNow();
  if (moment != Moment::Between && shown_)
    fmt::print(stderr, "\r\033[K");
}

} // namespace heddle::profile
