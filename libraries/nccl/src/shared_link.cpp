// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links between processes of one host: a ring of bytes in shared memory for each direction. The
// receiver makes the memory, a file without a name that the sender opens through /proc, so nothing
// is left behind however a process ends. The socket between the two wakes sleepers, and its end
// tells that the peer is gone.
#include "failure.h"
#include "link.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

namespace heddle::nccl {
namespace {

struct Ring {
  static constexpr size_t capacity = 512 << 10, alignment = 64, piece = 64 << 10;

  uint64_t mark; // tells the right file from any other
  alignas(64) std::atomic<uint64_t> written;
  alignas(64) std::atomic<uint64_t> consumed;
  alignas(64) std::atomic<bool> writer_sleeps, reader_sleeps;
  alignas(4096) char bytes[capacity];
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

struct Unmap {
  void operator()(Ring *ring) const { munmap(static_cast<void *>(ring), sizeof(Ring)); }
};
using Mapping = std::unique_ptr<Ring, Unmap>;

Mapping map(int descriptor) {
  void *const start =
      mmap(nullptr, sizeof(Ring), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return Mapping(start == MAP_FAILED ? nullptr : static_cast<Ring *>(start));
}

/// What the receiver tells the sender; descriptor -1: no memory.
struct Offer {
  int32_t process = 0, descriptor = -1;
  uint64_t mark = 0;
};

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0)
      close(number);
  }
};

Mapping openOffer(const Offer &offer) {
  if (offer.descriptor < 0)
    return nullptr;
  const std::string path =
      "/proc/" + std::to_string(offer.process) + "/fd/" + std::to_string(offer.descriptor);
  // In another namespace of processes the number may be that of another file.
  struct stat status;
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size != off_t(sizeof(Ring)))
    return nullptr;
  const Descriptor file{open(path.c_str(), O_RDWR | O_CLOEXEC)};
  if (file.number < 0)
    return nullptr;
  Mapping ring = map(file.number);
  return ring && ring->mark == offer.mark ? std::move(ring) : nullptr;
}

class SharedLink final : public Link {
public:
  SharedLink(Socket socket, Mapping in, Mapping out)
      : socket_(std::move(socket)), in_(std::move(in)), out_(std::move(out)) {}

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

  bool gone() override { return gone_ = gone_ || socket_.hasEnded(); }
  void close() override { shutdown(socket_.descriptor(), SHUT_RDWR); }
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

  Socket socket_;
  Mapping in_, out_;
  bool gone_ = false;
};

} // namespace

std::unique_ptr<Link> linkByMemory(Socket socket, Bell &bell) {
  const char *const disabled = std::getenv("NCCL_SHM_DISABLE");
  const bool allowed = !disabled || std::strcmp(disabled, "1") != 0;
  const Descriptor file{allowed ? memfd_create("heddle-nccl", MFD_CLOEXEC) : -1};
  Mapping in, out;
  Offer own, other;
  if (file.number >= 0 && ftruncate(file.number, sizeof(Ring)) == 0)
    in = map(file.number);
  if (in) {
    std::random_device random;
    in->mark = uint64_t(random()) << 32 | random();
    own = {getpid(), file.number, in->mark};
  }
  socket.sendAll(&own, sizeof own, bell);
  socket.receiveAll(&other, sizeof other, bell);
  out = openOffer(other);
  // The answer also keeps the file open until the peer has it.
  const char own_good = in && out;
  char other_good = 0;
  socket.sendAll(&own_good, 1, bell);
  socket.receiveAll(&other_good, 1, bell);
  if (!own_good || !other_good)
    return linkBySocket(std::move(socket));
  return std::make_unique<SharedLink>(std::move(socket), std::move(in), std::move(out));
}

} // namespace heddle::nccl
