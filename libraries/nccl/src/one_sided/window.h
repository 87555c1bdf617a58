// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows: memory of each rank of a communicator that the ranks of its host can write to.
#pragma once

#include "comm.h"

/// A rank's handle.
struct ncclWindow {
  ncclWindow(const ncclComm &comm, void *base, size_t size)
      : comm(&comm), device(comm.device), base(static_cast<char *>(base)), size(size) {}

  const ncclComm *const comm; // to compare with
  const int device;
  char *const base;
  const size_t size;
  /// By rank: where this process finds the part of that rank, and its size. Null: nowhere.
  std::vector<char *> parts;
  std::vector<size_t> sizes;
  std::vector<void *> opened; // parts of other processes
};

namespace heddle::nccl {

using WindowPointer = std::shared_ptr<ncclWindow>;

/// Tells the other ranks of the window and learns of theirs. All ranks call it.
void shareWindow(ncclWindow &window, ncclComm &comm);

/// The windows that programs have.
void addWindow(const WindowPointer &window);
/// Throws if it is none, or is another communicator's; null: whichever communicator's.
WindowPointer findWindow(ncclWindow_t handle, const ncclComm *comm);
/// No operation uses it any more.
void removeWindow(const WindowPointer &window);
/// All of a communicator. `used`: operations may still be under way, so that memory of other
/// processes stays where it is.
void removeWindows(const ncclComm &comm, bool used);

} // namespace heddle::nccl
