// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signals of one-sided operations: a rank's board has a count for each other rank, which those of
// its host add to, in whichever process they are.
#pragma once

#include "links/shared_memory.h"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace heddle::nccl {

struct Member;

class Board {
public:
  static constexpr int contexts = 16, most_ranks = 4096;

  explicit Board(SharedMemory memory) : memory_(std::move(memory)) {}
  static SharedMemory makeMemory();
  static SharedMemory openMemory(const SharedMemory::Offer &offer);

  /// Not there: the system had no memory for it, or it is out of reach.
  explicit operator bool() const { return bool(memory_); }
  SharedMemory::Offer offer() const { return memory_.offer(); }

  /// One more signal from that rank, and all that this thread has written before it.
  void add(int from, int context);
  uint32_t count(int from, int context) const;
  /// Sleeps until the count is another one, or for some milliseconds.
  void await(int from, int context, uint32_t seen) const;

private:
  struct Counts;
  uint32_t &at(int from, int context) const;

  SharedMemory memory_;
};

/// What a rank knows of signals: its own board, those of others, and what it has waited for.
class Signals {
public:
  Signals() : own_(std::make_shared<Board>(Board::makeMemory())) {}

  Board &own() { return *own_; }
  /// Another rank's; null if it is out of reach.
  std::shared_ptr<Board> boardOf(int rank, const Member &member);
  /// Counts signals as taken; returns how many must have come in all.
  uint32_t take(int from, int context, uint32_t count);

private:
  std::shared_ptr<Board> own_;
  std::mutex mutex_;
  std::map<int, std::shared_ptr<Board>> others_;
  std::map<std::pair<int, int>, uint32_t> taken_;
};

} // namespace heddle::nccl
