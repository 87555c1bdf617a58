// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain reads of a block's shared memory that have not been looked at yet.
//
// Between two barriers of the whole block, shared memory is mostly only read, and what is only read
// races with nothing: what was written before is ordered by the first barrier, what is written
// after it by the second. So such reads wait here. If the block writes to its shared memory, or its
// threads learn of each other in another way, they are looked at first; a barrier of the whole
// block, and the end of the block, drop them.
#pragma once

#include "engine/observe/observer.h"

#include <cstring>
#include <memory>

namespace heddle::check {

class SharedReads {
public:
  /// Returns false if there is no room: those that wait are to be looked at first.
  bool add(const engine::observe::Access &access, const engine::observe::AddressRows &rows);
  bool empty() const { return used_ == 0; }
  /// Calls does(access, rows) for each, in order, and drops them. `block`: theirs.
  template <typename Does> void forEach(const engine::BlockContext &block, Does does);

  /// No thread of the block has written to shared memory since the last barrier.
  bool only_read = true;
  /// That barrier is now.
  void barrier() {
    used_ = 0;
    only_read = true;
  }

private:
  struct Head {
    const engine::observe::Site *site;
    const engine::Launch *launch;
    const void *base;
    engine::ThreadContext *thread;
    uint64_t bytes;
    int64_t stride;
    uint32_t lanes, first_thread, length, rows;
  };
  static constexpr size_t head_words = sizeof(Head) / sizeof(uint64_t);
  static constexpr size_t most_words = 1 << 15;
  std::unique_ptr<uint64_t[]> words_; // of each, a Head and where its rows begin
  size_t used_ = 0;
};

template <typename Does> void SharedReads::forEach(const engine::BlockContext &block, Does does) {
  for (size_t at = 0; at < used_;) {
    Head head;
    std::memcpy(&head, &words_[at], sizeof head);
    at += head_words;
    const engine::observe::Access access{*head.site,        *head.launch, block,   head.lanes,
                                         head.first_thread, nullptr,      nullptr, head.base,
                                         head.thread,       nullptr,      nullptr, nullptr};
    does(access, engine::observe::AddressRows{&words_[at], head.bytes, head.stride, head.length});
    at += head.rows;
  }
  used_ = 0;
}

} // namespace heddle::check
