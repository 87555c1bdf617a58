// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that nothing orders.
#pragma once

#include "check/race/host/host_pages.h"
#include "check/race/marks/runs.h"
#include "check/race/marks/seen.h"
#include "check/race/marks/shadow.h"

#include <set>
#include <unordered_map>

namespace heddle::check {

/// How two threads stand to each other. (Itself: a read that is wrong behind the thread's own
/// write, Conflict::incoherent.)
enum class Relation : uint8_t { Itself, Warp, Block, Launch, Launches };

/// Two accesses to the same byte, one a write, by threads that nothing has ordered in between.
struct Conflict {
  const engine::observe::Site *sites[2];
  ThreadPlace threads[2];
  Relation relation{};
  bool same_value = false; // both store the same
  bool narrow = false;     // both are atomic, but not for each other
  bool incoherent = false; // what the same launch has written is fetched from a texture
  bool background = false; // one is a copy that its thread has not waited for, or just then
  uint64_t address = 0, bytes = 0;
  uint64_t base = 0, variable_bytes = 0; // of the variable of the second one, if it is known
  uint64_t count = 0;
  mutable std::string object; // the words for it, once they have been asked for
};

class Races {
public:
  explicit Races(Runs &runs) : runs_(runs) {}
  Shadow shadow;
  HostPages host;

  /// Before `lanes` of the access happen. `right`: nothing else is wrong with it.
  void access(const engine::observe::Access &access, uint32_t lanes, bool right);
  /// The same of all lanes, whose addresses are in rows.
  void accessRows(const engine::observe::Access &access, const engine::observe::AddressRows &rows);
  /// A copy or fill that has not been looked at when it happened, before the segments from `from`
  /// to `to`, all of which come behind it.
  void addPast(const engine::observe::Access &access, const engine::observe::AddressRows &rows,
               SegmentId from, SegmentId to);
  /// The lanes of whose access nothing new would come (Seen); of rows, all or none.
  uint32_t seen(const engine::observe::Access &access, const engine::observe::AddressRows *rows);
  /// Looks at what waits (SharedReads), before threads of the block learn of each other other than
  /// by a barrier of the whole block.
  void settle(BlockRun &block);
  /// A fence by these lanes.
  void fence(const engine::observe::Access &fence);
  /// What has been released is known to all that comes.
  void forgetReleases();

  std::vector<const Conflict *> conflicts() const;

  /// As what a copy in the background, which was started at this site, is looked at.
  const engine::observe::Site &storeOfCopy(const engine::observe::Site &start);
  /// A lane accesses what such a copy writes, which another thread has started in this segment.
  void meetsCopy(const engine::observe::Access &access, uint32_t lane, uint64_t address,
                 uint64_t bytes, const engine::observe::Site &copy, SegmentId segment,
                 uint32_t copying_lane);

private:
  struct Current { // the access that is being looked at
    const engine::observe::Access *access;
    Who who;
    Mark mark;
    bool writes;
    uint64_t address;
    uint64_t bytes;
  };
  /// What makes two accesses of one kind: the place in device code, the kernel, and of copies and
  /// fills, which have no place there, the call in the host's program.
  struct Side {
    const std::string *kernel = nullptr;
    uintptr_t caller = 0;
    uint32_t python = 0;
    uint16_t site = 0;
    auto operator<=>(const Side &) const = default;
  };
  /// Races of the same key are one, in whichever order their accesses come.
  struct Key {
    Side smaller, larger;
    bool same_value;
    bool operator==(const Key &) const = default;
  };
  struct HashKey {
    size_t operator()(const Key &key) const;
  };
  Side sideOf(uint16_t site, uint32_t launch) const;
  struct Released { // to a place in memory
    std::shared_ptr<Log> to_block, to_device;
    bool shared = false;  // the logs are other places', too
    SegmentId newest = 0; // the last of it was released before this segment
  };
  struct Told { // by a plain write
    std::shared_ptr<const View> view;
    std::shared_ptr<Log> log;
  };

  Mark markOf(const engine::observe::Site &site, SegmentId segment) const;
  template <typename Pieces>
  uint32_t together(const engine::observe::Access &access, uint32_t lanes, Pieces pieces,
                    bool remember);
  bool wait(const engine::observe::Access &access, const engine::observe::AddressRows &rows,
            bool all_shared, bool any_shared);
  void lookAtRows(const engine::observe::Access &access, const engine::observe::AddressRows &rows,
                  bool remember);
  void eachLane(const engine::observe::Access &access, uint32_t lanes);
  void word(Cell &cell, const Current &current);
  void touch(Cell &cell, StrongMarks *strong, const Current &current);
  static bool needsStrong(const Cell &cell, const Current &current);
  void check(const Mark &mark, const Current &current, bool mark_writes);
  bool knows(const Who &who, const Segment &segment, uint32_t lane) const;
  bool knowsWarp(const Who &who, const Segment &segment, uint32_t warp) const;
  void forgetReads(Mark &reads, const Current &current) const;
  bool hasSeen(const Mark &strong, const Who &who) const;
  bool isOrdered(const Mark &mark, const Who &who) const;
  bool isIncoherent(const Mark &write, const engine::observe::Access &read, uint32_t launch) const;
  bool mayOverlap(const Mark &mark, const Current &current, bool mark_writes) const;
  Relation relationOf(const Mark &mark, const Who &who) const;
  void add(Mark &mark, const Current &current) const;
  void keep(const Mark &mark, const Current &current);
  uint32_t otherThread(const Mark &mark, const Current &current, Segment &segment) const;
  bool storesSame(const Mark &mark, const Current &current) const;
  void dropStale(Mark &mark, const Current &current) const;
  void newEpoch(BlockRun &block);
  void releaseToHost(const Current &current);
  void order(const Current &current);
  void publish(const Current &current);

  Runs &runs_;
  Seen seen_;
  uint64_t memory_changes_ = 0; // when seen_ was last compared with it
  std::unordered_map<uint64_t, Released> released_;
  Told told_to_block_, told_to_device_; // last
  std::unordered_map<Key, Conflict, HashKey> conflicts_;
  std::unordered_map<const engine::observe::Site *, engine::observe::Site> copies_; // by starts
  std::set<const engine::observe::Site *> stores_of_copies_;
};

} // namespace heddle::check
