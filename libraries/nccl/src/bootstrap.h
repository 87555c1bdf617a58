// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the ranks of a communicator find each other. The process that makes the unique ID listens on
// the address in it; each rank tells it where the rank itself listens, and gets what all have told.
#pragma once

#include "links/link.h"
#include "links/shared_memory.h"
#include "nccl.h"

#include <functional>
#include <vector>

namespace heddle::nccl {

/// What ranks know of each other. Plain data: it travels in messages.
struct Member {
  uint64_t token = 0;   // of the rank, unlike any other
  uint64_t process = 0; // the same for ranks of one process
  uint64_t host = 0;
  int32_t device = 0;
  int32_t color = 0, key = 0; // for ncclCommSplit
  Address address;
  SharedMemory::Offer board; // for one-sided operations' signals
};

/// A random number for tokens and IDs.
uint64_t randomNumber();
/// A member on this process's device, which listens nowhere yet.
Member newMember(int device);

/// Makes an ID and lets a thread wait for the ranks that will have it.
ncclUniqueId makeUniqueId();
/// The same, whatever NCCL_COMM_ID says.
ncclUniqueId makeOwnId();

/// The members, by rank, once all have come.
struct Meeting {
  std::vector<Member> members;
  /// To the root, until this rank is linked to all others. It ends if another one is not.
  Socket root;
};
/// Waits for all ranks; an abort ends it.
Meeting meet(const ncclUniqueId &id, int rank, int count, const Member &own, Bell &bell);
/// This rank is linked to all others.
void leave(Meeting &meeting, Bell &bell);

/// Links the rank to all others; `links` has nothing at its own place. All ranks do so at once.
/// `check` is called now and then: it throws if another rank has given up.
std::vector<std::unique_ptr<Link>> linkAll(const std::vector<Member> &members, int rank,
                                           Socket &listener, Bell &bell,
                                           const std::function<void()> &check);

} // namespace heddle::nccl
