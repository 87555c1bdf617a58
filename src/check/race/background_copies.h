// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cp.async: copies to shared memory that a thread has started and not yet waited for (PTX ISA,
// "Data Movement and Conversion Instructions: Asynchronous copy").
//
// The copy was done, and looked at as a store, where it was started. Until its thread waits, no
// barrier makes it known: an access by another thread to what it writes is a race. Where its thread
// waits, it is looked at as a store once more; what orders other threads behind that place orders
// them behind the copy. The thread's own accesses are not looked at: the optimiser may have moved
// them across the wait, as nothing else tells it that they depend on it.
#pragma once

#include "check/race/races.h"

#include <deque>
#include <unordered_map>

namespace heddle::check {

/// Not thread-safe.
class BackgroundCopies {
public:
  BackgroundCopies(Runs &runs, Races &races) : runs_(runs), races_(races) {}

  void start(const engine::observe::Access &at);
  void commit(const engine::observe::Access &at);
  /// All but the newest groups of each lane; or what is of no group as well.
  void wait(const engine::observe::Access &at, bool all);
  /// Before these lanes of an access happen.
  void access(const engine::observe::Access &access, uint32_t lanes, const uint64_t *addresses,
              uint64_t bytes);
  /// Whether copies to the block's shared memory are under way.
  bool any(const engine::BlockContext &block) const {
    return !blocks_.empty() && blocks_.contains(&block);
  }
  /// Forgets what the block before it in this context has started.
  void blockBegin(const engine::BlockContext &block) { blocks_.erase(&block); }

private:
  struct Copy {
    const engine::observe::Site *site;
    uint64_t to, bytes;
    uint64_t group;
    const void *base;
  };
  struct Thread {
    std::deque<Copy> copies; // the oldest first
    uint64_t group = 0;      // of what is started next
  };
  struct Target { // a word that a copy will write
    uint32_t thread;
    SegmentId segment; // in which it was started
    const engine::observe::Site *site;
  };
  struct Block {
    std::unordered_map<uint32_t, Thread> threads; // by index in the block
    std::unordered_map<uint64_t, Target> targets; // by address / 4
  };

  void finish(Block &block, uint32_t thread, const Copy &copy);

  Runs &runs_;
  Races &races_;
  std::unordered_map<const engine::BlockContext *, Block> blocks_; // with copies under way
};

} // namespace heddle::check
