// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "one_sided/board.h"
#include "bootstrap.h"

#include <atomic>
#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::nccl {

/// The memory. Pages that no rank has used cost nothing.
struct Board::Counts {
  uint64_t mark; // SharedMemory's
  alignas(64) uint32_t counts[most_ranks][contexts];
};

SharedMemory Board::makeMemory() { return SharedMemory::make(sizeof(Counts)); }
SharedMemory Board::openMemory(const SharedMemory::Offer &offer) {
  return SharedMemory::open(offer, sizeof(Counts));
}

uint32_t &Board::at(int from, int context) const {
  return memory_.as<Counts>()->counts[from][context];
}

void Board::add(int from, int context) {
  uint32_t &place = at(from, context);
  std::atomic_ref(place).fetch_add(1);
  syscall(SYS_futex, &place, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

uint32_t Board::count(int from, int context) const {
  return std::atomic_ref(at(from, context)).load();
}

void Board::await(int from, int context, uint32_t seen) const {
  const timespec limit = {0, 5'000'000}; // an abort, or another rank's end, does not wake this thread
  syscall(SYS_futex, &at(from, context), FUTEX_WAIT, seen, &limit, nullptr, 0);
}

std::shared_ptr<Board> Signals::boardOf(int rank, const Member &member) {
  const std::lock_guard lock(mutex_);
  if (const auto known = others_.find(rank); known != others_.end())
    return known->second;
  const auto board = std::make_shared<Board>(Board::openMemory(member.board));
  if (!*board)
    return nullptr;
  return others_[rank] = board;
}

uint32_t Signals::take(int from, int context, uint32_t count) {
  const std::lock_guard lock(mutex_);
  return taken_[{from, context}] += count;
}

} // namespace heddle::nccl
