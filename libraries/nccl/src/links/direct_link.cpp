// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links between ranks of one process. The sender says where the bytes are, and the receiver takes
// them from there.
#include "failure.h"
#include "links/link.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace heddle::nccl {
namespace {

/// One direction. Positions count all bytes since the link was made.
struct Mailbox {
  std::atomic<uintptr_t> origin = 0; // where position 0 would be in the sender's memory
  std::atomic<uint64_t> posted = 0, consumed = 0;
  std::atomic<bool> in_use = false; // by the receiver: the sender's memory has to stay
};

struct Pair {
  Mailbox to[2];
  std::atomic<bool> closed[2] = {false, false};
  std::shared_ptr<Bell> bell[2];
};

class DirectLink final : public Link {
public:
  DirectLink(std::shared_ptr<Pair> pair, int side)
      : pair_(std::move(pair)), side_(side), out_(pair_->to[!side]), in_(pair_->to[side]) {}
  ~DirectLink() override { DirectLink::close(); }

  size_t push(const char *data, size_t bytes) override {
    const uint64_t consumed = out_.consumed;
    const size_t taken = consumed - reported_;
    reported_ = consumed;
    if (const uint64_t posted = out_.posted; posted == consumed && bytes > taken) {
      out_.origin = reinterpret_cast<uintptr_t>(data) + taken - posted;
      out_.posted = posted + bytes - taken;
      pair_->bell[!side_]->ring();
    }
    return taken;
  }
  std::span<const char> peek() override {
    in_.in_use = true;
    if (pair_->closed[!side_]) {
      in_.in_use = false;
      return {};
    }
    const uint64_t from = in_.consumed, until = in_.posted;
    return {reinterpret_cast<const char *>(in_.origin + from), size_t(until - from)};
  }
  void consume(size_t bytes) override {
    in_.consumed = in_.consumed + bytes;
    in_.in_use = false;
    if (bytes > 0 && in_.consumed == in_.posted)
      pair_->bell[!side_]->ring();
  }

  bool isWithinProcess() const override { return true; }
  bool gone() override { return pair_->closed[!side_]; }
  void close() override {
    pair_->closed[side_] = true;
    while (out_.in_use) // for as long as it takes to copy what has been posted
      std::this_thread::yield();
    pair_->bell[!side_]->ring();
  }
  void arm(pollfd &entry, bool, bool) override { entry = {-1, 0, 0}; } // the bell is enough
  void disarm() override {}

private:
  std::shared_ptr<Pair> pair_;
  int side_;
  Mailbox &out_, &in_;
  uint64_t reported_ = 0;
};

/// The ranks of this process and the pairs of which one side has come.
struct Process {
  std::mutex mutex;
  std::unordered_map<uint64_t, std::shared_ptr<Bell>> ranks;
  std::map<std::pair<uint64_t, uint64_t>, std::shared_ptr<Pair>> half_made;
};

Process &process() {
  static auto &instance = *new Process; // ranks may end after static objects
  return instance;
}

} // namespace

void announce(uint64_t token, std::shared_ptr<Bell> bell) {
  const std::lock_guard lock(process().mutex);
  process().ranks[token] = std::move(bell);
}

void withdraw(uint64_t token) {
  const std::lock_guard lock(process().mutex);
  process().ranks.erase(token);
  std::erase_if(process().half_made, [token](const auto &entry) {
    return entry.first.first == token || entry.first.second == token;
  });
}

std::unique_ptr<Link> linkWithinProcess(uint64_t own_token, uint64_t peer_token) {
  Process &all = process();
  const std::lock_guard lock(all.mutex);
  const int side = own_token > peer_token;
  const std::pair key(std::min(own_token, peer_token), std::max(own_token, peer_token));
  if (const auto found = all.half_made.find(key); found != all.half_made.end()) {
    auto pair = std::move(found->second);
    all.half_made.erase(found);
    return std::make_unique<DirectLink>(std::move(pair), side);
  }
  const auto own = all.ranks.find(own_token), peer = all.ranks.find(peer_token);
  if (own == all.ranks.end() || peer == all.ranks.end())
    fail(ncclRemoteError, "another rank of this process has ended or failed");
  auto pair = std::make_shared<Pair>();
  pair->bell[side] = own->second;
  pair->bell[!side] = peer->second;
  all.half_made[key] = pair;
  return std::make_unique<DirectLink>(std::move(pair), side);
}

} // namespace heddle::nccl
