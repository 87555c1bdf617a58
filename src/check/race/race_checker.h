// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races and misused barriers: what the checker's events come to.
#pragma once

#include "check/finding.h"
#include "check/race/background_copies.h"
#include "check/race/cluster_accesses.h"
#include "check/race/host/host_races.h"
#include "check/race/meetings.h"
#include "check/race/races.h"
#include "check/race/transfers.h"
#include "check/told_memory.h"

#include <mutex>
#include <tbb/spin_mutex.h>

namespace heddle::check {

/// Thread-safe.
class RaceChecker {
public:
  void issued(const engine::observe::StreamPoint &work,
              const std::vector<engine::observe::StreamPoint> &after);
  void hostWaited(const engine::observe::StreamPoint &point);
  /// This thread begins it.
  static void workBegin(const engine::observe::StreamPoint &work);
  void partBegin(const void *part, const std::vector<const void *> &after);
  static void partsJoin();
  /// The work that this thread runs copies or fills: it has read or written these bytes.
  void transfer(uint64_t begin, uint64_t bytes, bool writes,
                const LaunchPlace &place = LaunchPlaces::current());
  void kernelBegin(const engine::Launch &launch, const LaunchPlace &place);
  void kernelEnd(const engine::Launch &launch);
  void blockBegin(const engine::Launch &launch, const engine::BlockContext &block);
  void stuck(const engine::Launch &launch);
  void access(const engine::observe::Access &access, uint32_t lanes, bool right);
  void accessRows(const engine::observe::Access &access, const engine::observe::AddressRows &rows);
  /// The lanes of which a look would find nothing new: neither a race nor a wrong access. `rows`:
  /// the addresses, if not by lanes; then it is all lanes or none.
  uint32_t seen(const engine::observe::Access &access, const engine::observe::AddressRows *rows);
  void synchronise(const engine::observe::Access &at);
  void allocated(uint64_t base, uint64_t bytes);
  /// Memory that host code accesses, too. `own_pages`: nothing else lies on its pages. `name`: of a
  /// __managed__ variable; or null.
  void sharedWithHost(uint64_t base, uint64_t bytes, bool own_pages, const char *name);
  /// Host code may know from now on that the work which this thread runs, and all before it, is
  /// done.
  void tellHost() { tellHost(currentWork()); }
  void tellHost(const engine::observe::StreamPoint &work);
  std::vector<engine::observe::ClosedPages> closedToHost(size_t most);
  /// In a signal handler.
  void hostTouches(const engine::observe::HostAccess &access);
  void freed(uint64_t base);

  /// Whether something has been found since the last call.
  bool isFresh();
  std::vector<Finding> findings(const ToldMemory &memory);

  /// Of more launches and copies than this, what earlier ones did is forgotten.
  static constexpr size_t most_launches = 1 << 18;
  /// How many are kept (for tests).
  size_t launches();

private:
  void forgetOld();
  static engine::observe::StreamPoint currentWork();
  tbb::spin_mutex mutex_; // held shortly, and rarely wanted by two threads
  Runs runs_;
  Races races_{runs_};
  Transfers transfers_{runs_, races_};
  Meetings meetings_{runs_, races_};
  HostRaces host_races_;
  ClusterAccesses cluster_accesses_{runs_, meetings_};
  BackgroundCopies copies_{runs_, races_};
  size_t told_ = 0;
};

} // namespace heddle::check
