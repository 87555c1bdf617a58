// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens before what, from the program's synchronisation alone.
//
// A warp counts the times at which some of its lanes met, signalled or fenced: its clock. The
// stretch of a warp's run between two of these is a segment, the same for all lanes that met. A
// thread knows of another one all that lies before a clock of that one's: of threads of its block,
// all before the last barrier of the whole block (a generation), and what smaller groups have told
// each other (WarpRow); of threads of other blocks, what came by release and acquire (Log).
// docs/decisions/0017-order-comes-from-synchronisation.md has the rules and their sources.
#pragma once

#include "check/race/marks/shared_reads.h"
#include "engine/observe/site.h"

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace heddle::check {

using SegmentId = uint32_t; // 0: none

struct Segment {
  uint32_t block;      // number of a BlockRun
  uint32_t generation; // barriers of the whole block before it
  uint32_t clock;      // of the warp
  uint16_t warp, grid_generation;
};

/// What is known of a warp's lanes: all that they did in segments with smaller clocks.
struct WarpRow {
  uint32_t warp = 0;
  std::array<uint32_t, 32> clocks{};
};
using Rows = std::vector<WarpRow>; // by warp
using RowsPointer = std::shared_ptr<const Rows>;

/// What is known of a block.
struct BlockView {
  uint32_t block = 0, generation = 0;
  RowsPointer rows;
};

class Log;
/// What a log held when it was read.
struct Snapshot {
  std::shared_ptr<const Log> log;
  size_t length = 0;
  bool in_block = false; // it holds for threads of the releasing block alone
};
using Others = std::vector<Snapshot>;
using OthersPointer = std::shared_ptr<const Others>;

/// What has been released to a place in memory, one after the other (a release sequence). Reading
/// it costs nothing but the length.
class Log {
public:
  void append(const BlockView &view, const OthersPointer &others);
  /// Takes over what the other log's entries have been released with, but not these themselves.
  void adopt(const Log &older);
  size_t length() const { return length_; }
  /// Whether the first `length` entries know of the segment by that lane, by themselves.
  bool knows(size_t length, const Segment &segment, uint32_t lane) const;
  /// Adds the logs that these entries have been released with, if they tell of the segment's block.
  struct Reached {
    std::vector<std::pair<const Log *, size_t>> logs; // in this order
    std::unordered_map<const Log *, size_t> longest;
    void add(const Snapshot &snapshot);
  };
  void follow(size_t length, const Segment &segment, Reached &reached) const;

private:
  struct Entry {
    size_t position;
    BlockView view;
  };
  struct Reference {
    size_t position;
    uint32_t block; // that the entry is of
    Snapshot snapshot;
  };
  size_t length_ = 0;
  std::vector<std::vector<Entry>> entries_; // by block, modulo the number of lists
  std::vector<Reference> references_;
};

/// A thread's knowledge that can be handed on.
struct View {
  BlockView own;
  OthersPointer others;
  bool empty() const { return !own.rows && !others && own.generation == 0; }
};

struct Lane {
  const engine::observe::Site *waiting = nullptr; // at a barrier or an operation of the warp
  uint64_t first = 0, second = 0;                 // its operands
  RowsPointer rows;
  OthersPointer others;
  std::shared_ptr<const View> fenced[2]; // as of the last fence: of any scope, of the device's
  std::vector<Snapshot> pending;         // read by strong reads, not yet by a fence
};

struct Warp {
  std::array<SegmentId, 32> segments{}; // of each lane
  std::array<uint32_t, 32> generations{}, clocks{};
  std::array<Lane, 32> lanes;
  uint32_t present = 0, ended = 0;
  /// All live lanes wait at this __syncthreads(), and the lanes do not say so themselves.
  const engine::observe::Site *at_barrier = nullptr;
  /// The same for an operation of the warp that names all its lanes, which are 32.
  const engine::observe::Site *at_operation = nullptr;
  bool said = false;                                   // a lane has said that it waits
  std::array<const engine::observe::Site *, 32> exits; // where the lanes ended that have
  uint32_t clock = 0;                                  // the last one given
  uint32_t joined = 0;   // all lanes know each other's before this clock
  uint32_t common = 0;   // lanes that are in one segment
  bool informed = false; // some lane has rows or others
  bool holds = false;    // or views
  uint32_t live() const { return present & ~ended; }
  std::unique_ptr<std::array<std::array<uint32_t, 32>, 32>> known; // [of][by]; null: nothing more
};

struct BlockRun {
  const engine::BlockContext *context = nullptr;
  uint32_t number = 0, launch = 0;
  SegmentId first = 0; // of the block; of its cluster, if it is in one
  uint32_t grid_generation = 0;
  std::array<uint32_t, 3> index{};
  /// Changes when threads of the block may learn of each other (see Seen).
  uint64_t epoch = 0;
  bool apart = true; // since the last barrier of the whole block they have not
  std::shared_ptr<const Log> at_grid_barrier; // what all knew at the last one (Clocks::joinGrid)
  SharedReads reads;
  std::vector<Warp> warps;
  std::vector<std::vector<std::pair<View, const engine::observe::Site *>>> signals; // by barrier
};

/// One thread of a block that runs.
struct Who {
  BlockRun &block;
  uint32_t warp, lane;
  Warp &ofWarp() const { return block.warps[warp]; }
  Lane &ofLane() const { return block.warps[warp].lanes[lane]; }
  SegmentId segment() const { return ofWarp().segments[lane]; }
  uint32_t generation() const { return ofWarp().generations[lane]; }
  uint32_t clock() const { return ofWarp().clocks[lane]; }
  bool sharesBlock(const Segment &other) const { return other.block == block.number; }
  bool sharesWarp(const Segment &other) const { return sharesBlock(other) && other.warp == warp; }
};

class Clocks {
public:
  const Segment &segment(SegmentId id) const { return chunks_[id / chunk_size][id % chunk_size]; }
  SegmentId count() const { return next_; }
  uint64_t newEpoch() { return next_epoch_++; }
  /// No mark may speak of a segment any more.
  void forget() { next_ = 1; }
  void start(BlockRun &block, uint32_t threads);

  /// Whether the thread knows what a lane did in the segment. Both are of the same launch.
  bool isKnown(const Who &who, const Segment &segment, uint32_t lane) const;
  /// The same by release and acquire alone; the segment may be of another launch.
  bool isReleased(const Who &who, const Segment &segment, uint32_t lane) const;
  /// The same of a thread of that block which knows this of others.
  static bool isAmong(const Others &known, uint32_t block, const Segment &segment, uint32_t lane);
  /// Adds what these lanes know of other blocks, or will at their next fence.
  static void addKnown(const BlockRun &block, uint32_t warp, uint32_t lanes, OthersPointer &known);

  /// Lanes of a warp have met (__syncwarp).
  void joinLanes(BlockRun &block, uint32_t warp, uint32_t lanes);
  /// All live threads of the block have met.
  void joinBlock(BlockRun &block);
  /// Behind joinBlock of all blocks of a launch: what one thread can tell another launch, or has
  /// heard of it, all can. (Within the launch, Segment::grid_generation says the same for less.)
  static void joinGrid(const std::vector<BlockRun *> &blocks);
  /// Some of its threads have, and some have only signalled before.
  void joinThreads(BlockRun &block, const std::vector<uint32_t> &threads,
                   const std::vector<View> &signals);
  /// What the thread knows, itself included; what it does next is not.
  View release(const Who &who);
  /// It learns what the entries say.
  /// It will know what the entries say at its next fence or barrier, or by learnPending.
  void acquire(const Who &who, const Snapshot &snapshot);
  void fence(BlockRun &block, uint32_t warp, uint32_t lanes, engine::observe::Scope scope);
  static void learnPending(const Who &who);
  /// A new segment for these lanes.
  void advance(BlockRun &block, uint32_t warp, uint32_t lanes);

private:
  static constexpr size_t chunk_size = 1 << 16;
  SegmentId add(const Segment &segment);
  void joinSimply(BlockRun &block);
  static void restart(Warp &warp, uint32_t present);
  View viewOf(const Who &who) const;
  static std::shared_ptr<const View> uniteViews(const std::shared_ptr<const View> &a,
                                                const std::shared_ptr<const View> &b);
  std::vector<std::unique_ptr<Segment[]>> chunks_;
  SegmentId next_ = 1;
  uint64_t next_epoch_ = 1;
};

} // namespace heddle::check
