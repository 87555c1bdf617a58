// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links between processes of one host: a ring of bytes in shared memory for each direction, which
// the receiver makes. The socket between the two wakes sleepers, and its end tells that the peer is
// gone.
#include "links/peer_link.h"
#include "links/shared_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace heddle::nccl {
namespace {

struct Ring {
  static constexpr size_t capacity = 512 << 10, alignment = 64, piece = 64 << 10;

  uint64_t mark; // SharedMemory's
  alignas(64) std::atomic<uint64_t> written;
  alignas(64) std::atomic<uint64_t> consumed;
  alignas(64) std::atomic<bool> writer_sleeps, reader_sleeps;
  alignas(4096) char bytes[capacity];
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

/// How much of it the system has given pages for.
size_t residentBytes(void *start, size_t bytes) {
  const size_t page = size_t(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages((bytes + page - 1) / page);
  if (mincore(start, bytes, pages.data()) != 0)
    return 0;
  return page * size_t(std::ranges::count_if(pages, [](unsigned char state) { return state & 1; }));
}

class SharedLink final : public PeerLink {
public:
  SharedLink(Socket socket, SharedMemory in, SharedMemory out)
      : PeerLink(std::move(socket)), in_memory_(std::move(in)), out_memory_(std::move(out)) {}

  size_t push(const char *data, size_t bytes) override {
    const uint64_t written = out_->written;
    const uint64_t used = written - out_->consumed;
    if (used >= Ring::capacity)
      return 0;
    const size_t taken = std::min<size_t>({bytes, Ring::capacity - used, Ring::piece});
    const size_t start = written % Ring::capacity;
    const size_t first = std::min(taken, Ring::capacity - start);
    std::memcpy(out_->bytes + start, data, first);
    std::memcpy(out_->bytes, data + first, taken - first);
    out_->written = written + taken;
    wake(out_->reader_sleeps);
    return taken;
  }
  std::span<const char> peek() override {
    const uint64_t consumed = in_->consumed, written = in_->written;
    const size_t start = consumed % Ring::capacity;
    const size_t bytes = consumed < written ? written - consumed : 0;
    return {in_->bytes + start, std::min(bytes, Ring::capacity - start)};
  }
  void consume(size_t bytes) override {
    in_->consumed = in_->consumed + bytes;
    wake(in_->writer_sleeps);
  }
  // Elements begin at multiples of the alignment, and so does the ring.
  void endPush() override { out_->written = aligned(out_->written); }
  void endConsume() override { in_->consumed = aligned(in_->consumed); }

  Memory memory() const override {
    return {residentBytes(out_->bytes, Ring::capacity), sizeof(Ring) - Ring::capacity};
  }
  // What the peer sends to stays, as it may send again at any time.
  bool release() override {
    if (out_->consumed != out_->written)
      return false;
    return madvise(out_->bytes, Ring::capacity, MADV_REMOVE) == 0;
  }

  void arm(pollfd &entry, bool sending, bool receiving) override {
    entry = {gone_ ? -1 : socket_.descriptor(), POLLIN, 0};
    if (sending)
      out_->writer_sleeps = true;
    if (receiving)
      in_->reader_sleeps = true;
  }
  void disarm() override {
    out_->writer_sleeps = false;
    in_->reader_sleeps = false;
    drain();
  }

private:
  static uint64_t aligned(uint64_t position) {
    return (position + Ring::alignment - 1) / Ring::alignment * Ring::alignment;
  }
  void wake(std::atomic<bool> &sleeps) {
    if (sleeps.load() && sleeps.exchange(false))
      (void)send(socket_.descriptor(), "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  void drain() {
    char ignored[64];
    while (recv(socket_.descriptor(), ignored, sizeof ignored, MSG_DONTWAIT) > 0)
      ;
  }

  SharedMemory in_memory_, out_memory_;
  Ring *const in_ = in_memory_.as<Ring>(), *const out_ = out_memory_.as<Ring>();
};

} // namespace

std::unique_ptr<Link> linkByMemory(Socket socket, Bell &bell) {
  const char *const disabled = std::getenv("NCCL_SHM_DISABLE");
  const bool allowed = !disabled || std::strcmp(disabled, "1") != 0;
  SharedMemory in = allowed ? SharedMemory::make(sizeof(Ring)) : SharedMemory();
  const SharedMemory::Offer own = in.offer();
  SharedMemory::Offer other;
  socket.sendAll(&own, sizeof own, bell);
  socket.receiveAll(&other, sizeof other, bell);
  SharedMemory out = SharedMemory::open(other, sizeof(Ring));
  // The answer also keeps the file open until the peer has it.
  const char own_good = in && out;
  char other_good = 0;
  socket.sendAll(&own_good, 1, bell);
  socket.receiveAll(&other_good, 1, bell);
  in.closeFile();
  if (!own_good || !other_good)
    return linkBySocket(std::move(socket));
  return std::make_unique<SharedLink>(std::move(socket), std::move(in), std::move(out));
}

} // namespace heddle::nccl
