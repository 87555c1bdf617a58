// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How those ranks of a communicator find each other that go on without the others. The
// communicator's links may be broken by then: the ranks meet where the first of them has listened
// since it joined, and it gives them an ID with which they begin as new.
#include "comm.h"

#include <algorithm>

using namespace heddle::nccl;

namespace {

constexpr uint64_t protocol = 0x48654e43434c5331; // "HeNCCLS1"
constexpr int patience = 10; // how long, in seconds, what a stranger has connected may say nothing

/// What a rank asks the first one for.
struct Request {
  uint64_t protocol = 0, to = 0; // the first rank's token
  uint64_t purpose = 0;
};

/// The same number for the same ranks.
uint64_t numberOf(const std::vector<int> &ranks) {
  uint64_t number = 0xcbf29ce484222325; // FNV-1a
  for (const int rank : ranks)
    number = (number ^ uint64_t(rank + 1)) * 0x100000001b3;
  return number;
}

} // namespace

ncclUniqueId ncclComm::shareId(const std::vector<int> &ranks, Bell &bell) {
  const Member &first = members_[size_t(ranks.front())];
  const Request request{protocol, first.token, numberOf(ranks)};
  ncclUniqueId id;
  if (place.rank != ranks.front()) {
    Socket socket = Socket::connect(first.address, 5, bell);
    socket.sendAll(&request, sizeof request, bell);
    socket.receiveAll(&id, sizeof id, bell);
    return id;
  }
  id = makeOwnId();
  const std::lock_guard lock(shrinking_);
  for (size_t missing = ranks.size() - 1; missing > 0; --missing) {
    Socket socket = acceptFor(request.purpose, bell);
    socket.sendAll(&id, sizeof id, bell);
  }
  return id;
}

Socket ncclComm::acceptFor(uint64_t purpose, Bell &bell) {
  for (;;) {
    const auto early = std::ranges::find(early_, purpose, &Early::purpose);
    if (early != early_.end()) {
      Socket socket = std::move(early->socket);
      early_.erase(early);
      return socket;
    }
    Socket socket = listener_.accept(bell, 500);
    if (socket.descriptor() < 0)
      continue;
    Request request;
    try {
      socket.receiveAll(&request, sizeof request, bell, patience);
    } catch (const Failure &) {
      if (bell.stopped())
        throw;
      continue; // not one of ours
    }
    // It may be one that was left out this time and takes part in what comes next.
    if (request.protocol == protocol && request.to == member.token)
      early_.push_back({request.purpose, std::move(socket)});
  }
}

void ncclComm::shrink(ncclComm &child, const std::vector<int> &ranks) {
  Bell &bell = *child.place.bell;
  child.listen();
  const ncclUniqueId id = shareId(ranks, bell);
  const auto own = std::ranges::find(ranks, place.rank) - ranks.begin();
  child.begin(id, int(ranks.size()), int(own));
}
