// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The observer behind heddle profile, in the program's process: adds up what kernels count, notes
// what the host calls, and writes a profile (data.h) to a file: when the process ends, and now and
// then before, so that it survives however the program ends.
#pragma once

#include "engine/observe/counts.h"
#include "engine/observe/host.h"
#include "engine/observe/observer.h"
#include "gpu/gpu.h"
#include "profile/annotations.h"
#include "profile/data.h"
#include "profile/launchers.h"
#include "profile/managed_pages.h"

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <regex>
#include <set>
#include <string>

namespace heddle::profile {

struct Choice {
  std::optional<std::regex> kernel; // only kernels whose names it matches
  std::optional<uint64_t> launch;   // only this launch of each, from 1 on
  bool each_launch = false;         // launches of a kernel are kept apart
  bool from_api = false;            // only between cudaProfilerStart and cudaProfilerStop
  bool progress = false;            // is shown on stderr, a terminal
  bool caches = false;              // are modelled
};

class Recorder final : public engine::observe::Observer, public engine::observe::HostObserver {
public:
  /// `folder`: where the process's profile goes.
  Recorder(std::string folder, Choice choice);

  uint32_t events() const override;
  bool wantsOrder() const override { return choice_.caches; }
  void kernelBegin(const engine::Launch &launch) override;
  void kernelEnd(const engine::Launch &launch) override;
  void calling(const engine::observe::Call &call) override { launchers_.calling(call); }
  void called(const engine::observe::Call &call) override;
  bool followsManaged() const override { return true; }
  void begins(engine::observe::TaskKind kind) override;
  void done(const engine::observe::Task &task) override;
  void managed(const void *base, size_t bytes) override;
  void freed(const void *base) override;
  void hinted(const engine::observe::ManagedHint &hint) override;
  void profiler(bool on) override { open_ = on; }
  void annotated(const engine::observe::Annotation &annotation) override;

  enum class Moment { Between, End, Interrupted };
  /// Interrupted: also what kernels that have not ended have counted.
  void write(Moment moment);

private:
  struct Counted {
    Kernel kernel; // but for its sites
    std::map<const engine::observe::CountedSites *, engine::observe::LaunchCounts> counts;
  };

  engine::observe::CacheSizes cacheSizes(const engine::Launch &launch) const;
  bool chooses(const std::string &kernel) const;
  /// Returns the key of kernels_ that it is counted under; empty: it is not chosen.
  /// mutex_ is held.
  std::string add(const engine::Launch &launch, const engine::observe::LaunchCounts &counts);
  void note(Event event);
  uint32_t trackOf(uint64_t thread);
  uint32_t trackOfStream(const void *stream);
  bool isOpen() const { return open_ || !choice_.from_api; }
  void showProgress();
  uint64_t sinceStart(uint64_t time) const { return time > start_ ? time - start_ : 0; }

  const std::string folder_;
  const Choice choice_;
  const std::string gpu_name_;
  const gpu::Gpu &gpu_;
  const uint64_t start_ = engine::observe::nanosecondsNow();
  mutable std::mutex mutex_;
  std::map<std::string, Counted> kernels_; // by name; where launches are kept apart, in their order
  std::map<std::string, uint64_t> seen_;   // launches of each name, chosen or not
  uint64_t launches_ = 0;                  // that were chosen
  std::vector<Event> events_;
  uint64_t events_left_out_ = 0;
  std::map<const void *, uint32_t> streams_;
  std::map<uint64_t, uint32_t> threads_; // of the host
  Annotations annotations_;
  ManagedPages managed_;
  Launchers launchers_;
  std::map<std::pair<bool, uint32_t>, std::string> names_; // of streams (true) and threads
  uint64_t written_ = 0;                                   // when
  std::atomic<bool> open_ = false;                         // see Choice::from_api
  uint64_t ended_ = 0, shown_ = 0; // kernels that have ended; when that was shown
};

} // namespace heddle::profile
