// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a communicator holds between operations, and giving it back.
#include "comm.h"

#include <algorithm>
#include <chrono>
#include <thread>

using namespace heddle::nccl;

void ncclComm::suspend() {
  flush();
  const std::lock_guard lock(running_);
  requireReady();
  suspended = true;
  for (const auto &link : place.links)
    // Until the peer has taken what this rank has sent it.
    while (link && !link->release() && !link->gone() && !place.bell->stopped())
      std::this_thread::sleep_for(std::chrono::microseconds(100));
}

Link::Memory ncclComm::memory() {
  const std::lock_guard lock(running_);
  Link::Memory sum;
  for (const auto &link : place.links)
    if (link) {
      const Link::Memory one = link->memory();
      sum.releasable += one.releasable;
      sum.other += one.other;
    }
  return sum;
}
