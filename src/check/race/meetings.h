// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers and operations of warps: which threads come, which do not, and what that orders.
//
// Each is told of twice, when a thread comes and when it goes on. When the first one goes on, all
// that take part have come.
#pragma once

#include "check/finding.h"
#include "check/race/races.h"

#include <map>

namespace heddle::check {

/// A barrier or an operation of a warp that is used wrongly; or an access to the shared memory of a
/// block that may have ended (Kind::Race).
struct Misuse {
  Kind kind{};
  const engine::observe::Site *site = nullptr, *other = nullptr; // where the other thread is
  ThreadPlace thread, other_thread;
  uint64_t mask = 0;
  uint32_t lane = 0;  // a lane that the mask or the shuffle names
  uint64_t count = 1; // of threads
};

class Meetings {
public:
  Meetings(Runs &runs, Races &races) : runs_(runs), races_(races) {}

  void come(const engine::observe::Access &at);
  void goOn(const engine::observe::Access &at);
  /// bar.arrive.
  void signal(const engine::observe::Access &at);
  void end(const engine::observe::Access &at);
  /// No thread of the launch's blocks can go on any more.
  void stuck(const engine::Launch &launch);

  /// Its count is added to what is known of these places.
  void add(Misuse misuse);
  std::vector<const Misuse *> misuses() const;

private:
  bool openWhole(BlockRun &block);
  static void sayEach(BlockRun &block);
  void openBarrier(BlockRun &block, const Lane &first);
  void openWarp(BlockRun &block, uint32_t warp, uint32_t lane);
  void openGrid(BlockRun &block);
  void compareSites(BlockRun &block, const std::vector<uint32_t> &threads);
  void checkEnded(BlockRun &block, uint32_t waiting);
  void checkShuffle(BlockRun &block, uint32_t warp, uint32_t lanes);
  void stuck(BlockRun &block);

  Runs &runs_;
  Races &races_;
  std::map<std::tuple<Kind, const engine::observe::Site *, const engine::observe::Site *>, Misuse>
      misuses_;
};

} // namespace heddle::check
