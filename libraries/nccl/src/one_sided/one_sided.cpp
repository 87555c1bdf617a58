// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One-sided operations of a communicator. Unlike others they are in no order but their streams':
// a rank that waits can still write what another one waits for.
#include "one_sided/one_sided.h"
#include "comm.h"
#include "common/task.h"

#include <cstring>
#include <sched.h>

using namespace heddle::nccl;

std::shared_ptr<Board> ncclComm::boardOf(int rank) {
  return signals_.boardOf(rank, members_[size_t(rank)]);
}

void ncclComm::submitOneSided(OneSided operation, cudaStream_t stream) {
  const std::lock_guard lock(submitting_);
  const DeviceScope scope(device);
  cudaStreamCaptureStatus capture;
  require(cudaStreamIsCapturing(stream, &capture));
  const char *const call = operation.call;
  require(heddle::library::submit(call, stream,
                                  [self = shared_from_this(), operation = std::move(operation)] {
                                    self->runOneSided(operation);
                                  }));
  if (capture != cudaStreamCaptureStatusNone)
    return;
  cudaEvent_t &done = one_sided_done_[stream];
  if (!done)
    require(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  require(cudaEventRecord(done, stream));
}

void ncclComm::runOneSided(const OneSided &operation) {
  const std::shared_lock lock(running_one_sided_);
  if (!runs())
    return;
  try {
    for (const ncclWaitSignalDesc_t &awaited : operation.awaited)
      awaitSignals(awaited);
    if (operation.isWait())
      return;
    if (operation.bytes > 0)
      std::memmove(operation.to, operation.from, operation.bytes);
    operation.board->add(place.rank, operation.context);
  } catch (...) {
    setFailed(operation.call, currentFailure());
  }
}

void ncclComm::awaitSignals(const ncclWaitSignalDesc_t &awaited) {
  constexpr int looks = 200; // before sleeping, which costs some microseconds
  Board &own = signals_.own();
  const uint32_t target = signals_.take(awaited.peer, awaited.ctx, uint32_t(awaited.opCnt));
  const auto missing = [&](uint32_t count) { return int32_t(target - count) > 0; };
  for (int look = 0;; ++look) {
    const uint32_t count = own.count(awaited.peer, awaited.ctx);
    if (!missing(count))
      return;
    if (place.bell->stopped())
      fail(ncclInternalError, "the communicator was aborted");
    if (look < looks) {
      sched_yield();
      continue;
    }
    const auto &link = place.links[size_t(awaited.peer)];
    // What it sent before it went may have come after we looked.
    if (link && link->gone() && missing(own.count(awaited.peer, awaited.ctx)))
      fail(ncclRemoteError,
           "rank " + std::to_string(awaited.peer) + " has ended, failed or left the communicator");
    own.await(awaited.peer, awaited.ctx, count);
  }
}
