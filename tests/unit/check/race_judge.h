// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which accesses race, by a vector clock for each thread and a list of all accesses to each byte:
// the rules of docs/decisions/0017-order-comes-from-synchronisation.md without any of the ways in
// which check/race keeps less. Slow, and simple enough to be believed.
#pragma once

#include "engine/observe/site.h"

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace heddle::check {

class Judge {
public:
  using Site = engine::observe::Site;
  using Scope = engine::observe::Scope;

  /// A launch or a copy. All that it does is behind what the launches of `before` do.
  uint32_t launch(std::set<uint32_t> before, bool one_stream);
  uint32_t block(uint32_t launch, uint32_t threads);

  /// A thread accesses these bytes. `variable`: what they belong to. `shared`: of the block.
  void access(uint32_t block, uint32_t thread, const Site &site, uint64_t address, uint64_t bytes,
              uint32_t variable, bool shared);
  void forget(uint64_t address, uint64_t bytes);

  /// Threads have met. `whole`: all live ones of their blocks.
  void join(const std::vector<std::pair<uint32_t, uint32_t>> &threads, bool whole);
  /// Lanes of a warp have.
  void joinLanes(uint32_t block, uint32_t warp, uint32_t lanes, bool all);
  /// Some of a block's threads have, behind what others had done when they signalled.
  using Clock = std::vector<uint32_t>; // by thread: what is known of it, in its own time
  Clock signal(uint32_t block, uint32_t thread);
  void joinSome(uint32_t block, const std::vector<uint32_t> &threads,
                const std::vector<Clock> &signals);
  void fence(uint32_t block, uint32_t thread, Scope scope);

  /// Variables in which two accesses race, and those of them in which check/race is to say so: its
  /// documentation says of the others what it keeps too little for.
  std::set<uint32_t> racing, certain;

private:
  struct Thread {
    uint32_t block = 0, lane = 0;
    Clock known;     // of itself, too
    Clock since;     // what was known at the last meeting of the whole block
    Clock fenced[2]; // as of the last fence: of any scope, of the device's
    Clock pending;   // read by strong reads, not yet by a fence
  };
  struct Block {
    uint32_t launch, first;    // thread
    std::set<uint32_t> parted; // warps whose lanes have not always met all together
  };
  struct Launch {
    std::set<uint32_t> before;
    bool one_stream; // when it began, there was one stream alone
  };
  struct Record {
    uint32_t thread, time;
    bool writes;
    int strength; // 0: plain, 1: volatile, 2: atomic
    Scope scope;
  };
  struct Released {
    std::map<uint32_t, Clock> to_block;
    Clock to_device;
  };

  static void raise(Clock &into, const Clock &more);
  static uint32_t of(const Clock &clock, uint32_t thread) {
    return thread < clock.size() ? clock[thread] : 0;
  }
  void learn(Thread &thread);
  bool isOrdered(const Record &past, uint32_t thread) const;
  bool mayOverlap(const Record &past, const Record &now) const;
  bool isCertain(const Record &past, const Record &now, const std::vector<Record> &all) const;
  void order(uint32_t number, const Site &site, uint64_t place, bool writes);
  void share(const std::vector<uint32_t> &threads, Clock known, bool whole);

  std::vector<Launch> launches_;
  std::vector<Block> blocks_;
  std::vector<Thread> threads_;
  std::map<std::pair<uint32_t, uint64_t>, std::vector<Record>> bytes_; // block + 1 or 0, address
  std::map<std::pair<uint32_t, uint64_t>, Released> released_;
};

} // namespace heddle::check
