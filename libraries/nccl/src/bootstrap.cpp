// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bootstrap.h"
#include "failure.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <poll.h>
#include <random>
#include <sys/socket.h>
#include <thread>

namespace heddle::nccl {
namespace {

constexpr uint64_t protocol = 0x48654e43434c3032; // "HeNCCL02"

/// What an ncclUniqueId holds.
struct Id {
  uint64_t protocol;
  uint64_t cookie;
  bool served_by_rank_0; // the address is NCCL_COMM_ID's
  Address address;
};
static_assert(sizeof(Id) <= NCCL_UNIQUE_ID_BYTES);

/// What a rank tells the root.
struct Arrival {
  uint64_t protocol = nccl::protocol, cookie = 0;
  int32_t rank = 0, count = 0;
  Member member;
};

/// What a rank tells another one to which it connects.
struct Greeting {
  uint64_t protocol = nccl::protocol, from = 0, to = 0;
};

/// How long what a stranger has connected may say nothing.
constexpr int patience = 10;

/// The thread that the ranks of one ID meet at.
class Root {
public:
  Root(Socket listener, uint64_t cookie) : listener_(std::move(listener)), cookie_(cookie) {}

  void serve() {
    while (members_.empty() || arrived_ < members_.size()) {
      if (!admit(listener_.accept(bell_, 1000)))
        return answer(ncclInvalidUsage);
      if (oneHasLeft())
        return answer(ncclRemoteError);
      if (std::chrono::steady_clock::now() >= next_notice_)
        tellWhoIsMissing();
    }
    answer(ncclSuccess);
    awaitLinks();
  }

private:
  /// Takes a rank's connection; false if it contradicts the others.
  bool admit(Socket socket) {
    Arrival arrival;
    if (socket.descriptor() < 0)
      return true;
    try {
      socket.receiveAll(&arrival, sizeof arrival, bell_, patience);
    } catch (const Failure &) {
      return true; // not one of ours
    }
    if (arrival.protocol != protocol || arrival.cookie != cookie_ || arrival.rank < 0 ||
        arrival.rank >= arrival.count)
      return true;
    if (members_.empty()) {
      members_.resize(size_t(arrival.count));
      sockets_.resize(size_t(arrival.count));
    }
    const bool fits =
        size_t(arrival.count) == members_.size() && sockets_[size_t(arrival.rank)].descriptor() < 0;
    if (fits) {
      members_[size_t(arrival.rank)] = arrival.member;
      sockets_[size_t(arrival.rank)] = std::move(socket);
      ++arrived_;
    } else {
      sockets_.push_back(std::move(socket)); // to be told, too
    }
    return fits;
  }

  bool oneHasLeft() const { return std::ranges::any_of(sockets_, &Socket::hasEnded); }

  void tellWhoIsMissing() {
    next_notice_ += std::chrono::minutes(1);
    std::string ranks;
    for (size_t rank = 0; rank < members_.size(); ++rank)
      if (sockets_[rank].descriptor() < 0)
        ranks += " " + std::to_string(rank);
    if (!ranks.empty())
      report("ncclCommInitRank", {ncclInProgress, "of " + std::to_string(members_.size()) +
                                                      " ranks these have not come yet:" + ranks});
  }

  void answer(int32_t result) {
    for (Socket &socket : sockets_)
      if (socket.descriptor() >= 0)
        try {
          socket.sendAll(&result, sizeof result, bell_);
          if (result == ncclSuccess)
            socket.sendAll(members_.data(), members_.size() * sizeof(Member), bell_);
        } catch (const Failure &) {
          // That rank is gone; the others notice when they connect to it.
        }
  }

  /// Until each rank is linked to all others. If one ends before, the connections of the others are
  /// closed, and they learn of it.
  void awaitLinks() {
    std::vector<pollfd> entries;
    for (const Socket &socket : sockets_)
      entries.push_back({socket.descriptor(), POLLIN, 0});
    for (size_t left = entries.size(); left > 0;) {
      poll(entries.data(), entries.size(), -1);
      for (pollfd &entry : entries) {
        char done;
        if (entry.fd < 0 || entry.revents == 0)
          continue;
        if (recv(entry.fd, &done, 1, 0) != 1)
          return;
        entry.fd = -1;
        --left;
      }
    }
  }

  Bell bell_;
  Socket listener_;
  uint64_t cookie_;
  std::vector<Member> members_;
  std::vector<Socket> sockets_;
  size_t arrived_ = 0;
  std::chrono::steady_clock::time_point next_notice_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(30);
};

void startRoot(Address &address, uint64_t cookie) {
  auto root = std::make_unique<Root>(Socket::listen(address), cookie);
  std::thread([root = std::move(root)] {
    try {
      root->serve();
    } catch (const Failure &failure) {
      report("ncclGetUniqueId", failure);
    }
  }).detach();
}

std::string commIdVariable() {
  const char *value = std::getenv("NCCL_COMM_ID");
  return value ? value : "";
}

/// The same for what runs on one host. NCCL_HOSTID is for what looks so and is not.
uint64_t hostNumber() {
  std::string text = "unknown";
  if (const char *given = std::getenv("NCCL_HOSTID"))
    text = given;
  else
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), text);
  return std::hash<std::string>()(text);
}

/// A connection from a rank above ours, and which one it is.
std::pair<size_t, Socket> acceptRank(const std::vector<Member> &members, int rank, Socket &listener,
                                     Bell &bell, const std::function<void()> &check) {
  for (;;) {
    check();
    Socket socket = listener.accept(bell, 500);
    if (socket.descriptor() < 0)
      continue;
    Greeting greeting;
    try {
      socket.receiveAll(&greeting, sizeof greeting, bell, patience);
    } catch (const Failure &) {
      if (bell.stopped())
        throw;
      continue; // not one of ours
    }
    if (greeting.protocol == protocol && greeting.to == members[size_t(rank)].token)
      for (size_t from = size_t(rank) + 1; from < members.size(); ++from)
        if (members[from].token == greeting.from)
          return {from, std::move(socket)};
  }
}

} // namespace

uint64_t randomNumber() {
  std::random_device random;
  return uint64_t(random()) << 32 | random();
}

Member newMember(int device) {
  static const uint64_t start = randomNumber();
  Member member;
  member.token = randomNumber();
  member.process = start + uint64_t(getpid()); // another one after fork()
  member.host = hostNumber();
  member.device = device;
  return member;
}

namespace {

ncclUniqueId pack(const Id &id) {
  ncclUniqueId result{};
  std::memcpy(result.internal, &id, sizeof id);
  return result;
}

} // namespace

ncclUniqueId makeOwnId() {
  Id id{protocol, randomNumber(), false, ownAddress()};
  startRoot(id.address, id.cookie);
  return pack(id);
}

ncclUniqueId makeUniqueId() {
  const std::string where = commIdVariable();
  // Each process makes the same ID of the variable.
  return where.empty() ? makeOwnId() : pack({protocol, 0, true, parseAddress(where)});
}

Meeting meet(const ncclUniqueId &unique_id, int rank, int count, const Member &own, Bell &bell) {
  Id id;
  std::memcpy(static_cast<void *>(&id), unique_id.internal, sizeof id);
  require(id.protocol == protocol, ncclInvalidArgument, "the ID is not from ncclGetUniqueId");
  if (id.served_by_rank_0 && rank == 0)
    startRoot(id.address, id.cookie);
  Socket root = Socket::connect(id.address, id.served_by_rank_0 ? 120 : 5, bell);
  const Arrival arrival{.cookie = id.cookie, .rank = rank, .count = count, .member = own};
  root.sendAll(&arrival, sizeof arrival, bell);
  int32_t result = 0;
  root.receiveAll(&result, sizeof result, bell);
  require(result != ncclInvalidUsage, ncclInvalidUsage,
          "two ranks have the same number, or do not agree on how many there are");
  require(result == ncclSuccess, ncclRemoteError, "another rank has ended before all had come");
  std::vector<Member> members{size_t(count)};
  root.receiveAll(members.data(), members.size() * sizeof(Member), bell);
  return {std::move(members), std::move(root)};
}

void leave(Meeting &meeting, Bell &bell) { meeting.root.sendAll("", 1, bell); }

std::vector<std::unique_ptr<Link>> linkAll(const std::vector<Member> &members, int rank,
                                           Socket &listener, Bell &bell,
                                           const std::function<void()> &check) {
  std::vector<std::unique_ptr<Link>> links(members.size());
  const Member &own = members[size_t(rank)];
  size_t expected = 0;
  const auto link = [&](size_t peer, Socket socket) {
    links[peer] = members[peer].host == own.host ? linkByMemory(std::move(socket), bell)
                                                 : linkBySocket(std::move(socket));
  };
  for (size_t peer = 0; peer < members.size(); ++peer) {
    if (peer == size_t(rank))
      continue;
    if (members[peer].process == own.process) {
      links[peer] = linkWithinProcess(own.token, members[peer].token);
    } else if (peer > size_t(rank)) {
      ++expected;
    } else {
      Socket socket = Socket::connect(members[peer].address, 5, bell);
      const Greeting greeting{.from = own.token, .to = members[peer].token};
      socket.sendAll(&greeting, sizeof greeting, bell);
      link(peer, std::move(socket));
    }
  }
  for (; expected > 0; --expected) {
    auto [peer, socket] = acceptRank(members, rank, listener, bell, check);
    link(peer, std::move(socket));
  }
  return links;
}

} // namespace heddle::nccl
