// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups: what a thread calls between ncclGroupStart and ncclGroupEnd starts at the end, at once.
// What is called outside of a group is a group of its own.
#pragma once

#include "comm.h"

namespace heddle::nccl {

/// A communicator that is being made, or something that all its ranks do together.
struct Beginning {
  const char *call;
  ncclComm::Pointer comm;
  ncclComm_t *handle; // cleared if it cannot be made; null: it was there before
  std::function<void()> work;

  /// The caller goes on when it is done.
  bool isWaitedFor() const { return comm->settings.blocking || !handle; }
};

class Group {
public:
  /// The calling thread's.
  static Group &current();

  void start() { ++depth_; }
  /// Ends the innermost group; the outermost one runs. Throws Failure.
  ncclResult_t end();
  /// Ends the outermost group without running it; returns how long it may take, in microseconds.
  float endWithoutRunning();
  bool isOpen() const { return depth_ > 0; }

  /// These run at once if no group is open.
  ncclResult_t add(Beginning beginning);
  ncclResult_t add(const ncclComm::Pointer &comm, const Operation &operation, cudaStream_t stream);
  ncclResult_t add(const ncclComm::Pointer &comm, OneSided operation, cudaStream_t stream);
  /// A call in the group has failed: the group will not run.
  void setFailed(ncclResult_t result);

private:
  struct Queued {
    ncclComm::Pointer comm;
    Operation operation;
    cudaStream_t stream;
  };

  struct QueuedOneSided {
    ncclComm::Pointer comm;
    OneSided operation;
    cudaStream_t stream;
  };

  void requireOpen() const;
  ncclResult_t run();
  static void submit(const std::vector<Queued> &queued);
  static void submit(std::vector<QueuedOneSided> queued);

  int depth_ = 0;
  ncclResult_t failed_ = ncclSuccess;
  std::vector<Beginning> beginnings_;
  std::vector<Queued> queued_;
  std::vector<QueuedOneSided> queued_one_sided_;
};

} // namespace heddle::nccl
