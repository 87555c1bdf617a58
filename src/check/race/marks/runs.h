// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launches, blocks and sites that marks speak of.
#pragma once

#include "check/launch_places.h"
#include "check/race/marks/mark.h"
#include "check/race/order/stream_order.h"
#include "engine/observe/observer.h"

#include <set>
#include <string>
#include <unordered_map>

namespace heddle::check {

/// What a launch or a copy is a part of, and where it was asked for.
struct RunPlace {
  engine::observe::StreamPoint work;
  const void *part = nullptr;                                      // of a graph: the node …
  std::shared_ptr<const std::set<const void *>> parts_before = {}; // … and those before it …
  uint64_t joins = 0; // … and how often all had to end before others began
  LaunchPlace place = {};
};

struct LaunchRun : RunPlace {
  const std::string *kernel = nullptr; // or the call that copies
  bool transfer = false;
  std::array<uint32_t, 3> block_dim{};
  const engine::Launch *launch = nullptr;    // while it runs
  std::shared_ptr<const StreamClock> before; // null: not known
  SegmentId known_from = 0; // all segments before this one are of launches that come before it
  /// Changes when threads of different blocks may learn of each other (see Seen), and the first
  /// segment since then.
  uint64_t epoch = 0;
  SegmentId epoch_from = 0;
  bool wrote_for_host = false, fenced_for_host = false;
};

/// A thread for a report.
struct ThreadPlace {
  const std::string *kernel = nullptr;
  std::array<uint32_t, 3> block{}, thread{};
  LaunchPlace launch;
  bool transfer = false; // it is no thread, but a copy or a fill
  // What is kept of an address does not tell which thread of the warp it was, or where:
  bool any_of_warp = false, any_site = false;
};

/// Of an access that no place in device code is known of.
constexpr engine::observe::Site siteWithoutPlace(engine::observe::AccessKind kind) {
  engine::observe::Site site{};
  site.kind = kind;
  site.alignment = 1;
  site.space = 1;
  site.variable_bytes = engine::observe::unknown_bytes;
  site.slot = engine::observe::no_slot;
  return site;
}

class Runs {
public:
  Runs();
  Clocks clocks;
  StreamOrder streams;

  void launchBegin(const engine::Launch &launch, const RunPlace &place);
  /// The same for a copy or fill.
  void transferBegin(const engine::Launch &launch, const RunPlace &place);
  /// Whether there is work that may run at the same time as other work.
  bool mayOverlap() const { return with_host_ || launchesMayOverlap(); }
  /// The same without host code.
  bool launchesMayOverlap() const { return has_parts_ || streams.count() > 1; }
  /// Host code may access memory of kernels while they run.
  void sharesMemoryWithHost() { with_host_ = true; }
  /// There are nodes of graphs.
  void hasParts() { has_parts_ = true; }
  /// Whether the first launch had ended when the second one began, by what orders streams.
  bool comesBefore(uint32_t first, uint32_t second) const;
  /// Whether the mark is as none for the block's accesses: of a block that used the same shared
  /// memory before it (blocks of a cluster begin together), or of launches that come before its
  /// own. It may still be something for another launch:
  bool isStale(const Mark &mark, const BlockRun &block, bool shared) const;
  /// Whether all launches to come are behind it. If they are not, a read that is may not forget it:
  /// a read in another stream is still to find it. (As long as there is one stream, they are taken
  /// to be.)
  bool isPast(const Mark &mark) const;
  /// Whether the host knows, or may know, that the accesses which the mark is of are done.
  bool hostMayKnow(const Mark &mark) const;
  bool hostMayKnow(SegmentId segment) const;
  /// A thread has released something to host code, if another one of the two has been as well: a
  /// strong write to memory that is shared with the host, and a fence or a write of the system's
  /// scope. From then on host code may know what comes before, and what the launch does.
  void writesForHost(uint32_t launch);
  void fencesForHost(uint32_t launch);
  void launchEnd(const engine::Launch &launch);
  /// No mark speaks of a segment any more, and no launch runs: what there was is given back.
  void forget();
  /// Of a launch that runs.
  uint32_t numberOf(const engine::Launch &launch) const;
  bool anyRuns() const { return running_launches_ > 0; }
  /// How many launches and copies marks may speak of.
  size_t launches() const { return launches_.size(); }
  void blockBegin(const engine::Launch &launch, const engine::BlockContext &block);
  /// The run of a block that has begun.
  BlockRun &runOf(const engine::BlockContext &block);
  /// The blocks of the launch that began last in their contexts.
  std::vector<BlockRun *> blocksOf(uint32_t launch);

  const LaunchRun &launch(uint32_t number) const { return launches_[number]; }
  /// A new epoch of the launch.
  void newEpoch(uint32_t launch);
  uint32_t launchOf(const Segment &segment) const { return blocks_[segment.block].launch; }
  const std::array<uint32_t, 3> &indexOf(const Segment &segment) const {
    return blocks_[segment.block].index;
  }
  /// A small number for the site, the same for ever. Of accesses of one kind, all but the first
  /// tens of thousands have one number, whose site says nothing but the kind.
  uint16_t number(const engine::observe::Site &site);
  const engine::observe::Site &site(uint16_t number) const { return *sites_[number]; }
  ThreadPlace place(uint32_t block, uint32_t thread) const;
  ThreadPlace place(const Who &who) const {
    return place(who.block.number, 32 * who.warp + who.lane);
  }

private:
  struct BlockInfo {
    uint32_t launch;
    std::array<uint32_t, 3> index;
  };
  SegmentId knownFrom(const LaunchRun &launch) const;
  void begin(const engine::Launch &launch, const RunPlace &place, const std::string &name,
             bool transfer);
  static bool isPartBefore(const LaunchRun &first, const LaunchRun &second);
  bool isPastLaunch(SegmentId segment) const;

  struct Begin {
    uint64_t ticket;
    SegmentId first; // segment of the launch
  };
  std::unordered_map<const void *, std::vector<Begin>> begins_; // of launches, by stream
  // Of the newest work with parts in each stream, where the parts' launches begin.
  struct PartBegin {
    uint32_t launch;
    SegmentId first;
  };
  std::unordered_map<const void *, std::vector<PartBegin>> part_begins_;
  void tellHost(const LaunchRun &run);
  bool has_parts_ = false, with_host_ = false;
  std::set<std::string> kernels_; // names
  std::vector<LaunchRun> launches_;
  size_t running_launches_ = 0;
  std::vector<BlockInfo> blocks_;
  std::unordered_map<const engine::BlockContext *, std::unique_ptr<BlockRun>> running_;
  std::unordered_map<const void *, SegmentId> cluster_first_; // by ClusterContext::arrived
  const engine::BlockContext *last_context_ = nullptr;
  BlockRun *last_ = nullptr;
  std::unordered_map<const engine::observe::Site *, uint16_t> numbers_;
  std::vector<const engine::observe::Site *> sites_; // first the kinds' own, by AccessKind
  struct Numbered {
    const engine::observe::Site *site = nullptr;
    uint16_t number = 0;
  };
  Numbered last_sites_[256];
};

} // namespace heddle::check
