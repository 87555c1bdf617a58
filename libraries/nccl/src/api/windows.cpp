// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL's windows and one-sided operations.
#pragma GCC visibility push(default)
#include "nccl_device.h"
#pragma GCC visibility pop

#include "api/call.h"
#include "one_sided/window.h"
#include "reduce.h"

#include <cstdint>

using namespace heddle::nccl;

namespace {

ncclResult_t registerWindow(ncclComm_t handle, void *buffer, size_t size, ncclWindow_t *result,
                            int flags) {
  const ncclComm::Pointer comm = find(handle);
  comm->requireReady();
  require(result && size > 0, ncclInvalidArgument, "a pointer is null, or the size 0");
  requireBuffer(buffer, "buff", *comm);
  require((flags & ~(NCCL_WIN_COLL_SYMMETRIC | NCCL_WIN_STRICT_ORDERING)) == 0, ncclInvalidArgument,
          "there is no such flag");
  const auto window = std::make_shared<ncclWindow>(*comm, buffer, size);
  addWindow(window);
  *result = window.get();
  const auto share = [comm, window, result] {
    try {
      shareWindow(*window, *comm);
    } catch (...) {
      removeWindow(window);
      *result = nullptr;
      throw;
    }
  };
  return Group::current().add(Beginning{"ncclCommWindowRegister", comm, nullptr, share});
}

/// A rank's part of a window; null if this process cannot reach it.
char *partOf(const ncclWindow &window, int rank) {
  require(!window.parts.empty(), ncclInvalidUsage,
          "the group in which the window is registered has not ended");
  require(rank >= 0 && size_t(rank) < window.parts.size(), ncclInvalidArgument,
          "there is no such rank");
  return window.parts[size_t(rank)];
}

void requirePlace(const ncclComm &comm, int peer, int signal, int context) {
  require(peer >= 0 && peer < comm.place.count, ncclInvalidArgument, "there is no such rank");
  require(signal == 0, ncclInvalidArgument, "the signal's index is not 0");
  require(context >= 0 && context < Board::contexts, ncclInvalidArgument,
          "there is no such context (0 to 15)");
}

/// A signal to a rank, to which what is written can be added.
OneSided signalTo(const char *call, ncclComm &comm, int peer, int signal, int context,
                  unsigned flags) {
  requirePlace(comm, peer, signal, context);
  require(flags == 0, ncclInvalidArgument, "the flags are not 0");
  require(comm.place.count <= Board::most_ranks, ncclInvalidUsage,
          "one-sided operations are for at most 4096 ranks");
  OneSided operation{.call = call, .board = comm.boardOf(peer), .context = context};
  if (!operation.board)
    fail(ncclInvalidUsage, "rank " + std::to_string(peer) +
                               " is on another host, or its memory cannot be opened from here");
  return operation;
}

ncclResult_t putSignal(const void *from, size_t count, ncclDataType_t type, int peer,
                       ncclWindow_t handle, size_t offset, int signal, int context, unsigned flags,
                       ncclComm_t comm, cudaStream_t stream) {
  const ncclComm::Pointer found = find(comm);
  found->requireReady();
  OneSided operation = signalTo("ncclPutSignal", *found, peer, signal, context, flags);
  const size_t element = elementSize(type);
  require(element != 0, ncclInvalidArgument, "there is no such data type");
  const WindowPointer window = findWindow(handle, found.get());
  char *const part = partOf(*window, peer);
  const size_t size = window->sizes[size_t(peer)];
  require(offset <= size && count <= (size - offset) / element, ncclInvalidArgument,
          "the peer's window does not reach so far");
  if (count > 0) {
    requireBuffer(from, "localbuff", *found);
    if (!part)
      fail(ncclInvalidUsage, "the window of rank " + std::to_string(peer) +
                                 " is no memory that processes can share (cudaMalloc's is)");
    operation.from = static_cast<const char *>(from);
    operation.to = part + offset;
    operation.bytes = count * element;
  }
  return Group::current().add(found, std::move(operation), stream);
}

ncclResult_t waitSignal(int count, const ncclWaitSignalDesc_t *awaited, ncclComm_t comm,
                        cudaStream_t stream) {
  const ncclComm::Pointer found = find(comm);
  found->requireReady();
  require(count >= 0, ncclInvalidArgument, "the number of descriptors is negative");
  require(count == 0 || awaited, ncclInvalidArgument, "signalDescs is null");
  OneSided operation{.call = "ncclWaitSignal", .awaited = {awaited, awaited + count}};
  for (const ncclWaitSignalDesc_t &one : operation.awaited) {
    requirePlace(*found, one.peer, one.sigIdx, one.ctx);
    require(one.opCnt >= 0, ncclInvalidArgument, "the number of signals is negative");
  }
  return Group::current().add(found, std::move(operation), stream);
}

} // namespace

extern "C" {

ncclResult_t ncclCommWindowRegister(ncclComm_t comm, void *buffer, size_t size,
                                    ncclWindow_t *window, int flags) {
  return guarded("ncclCommWindowRegister", true,
                 [&] { return registerWindow(comm, buffer, size, window, flags); });
}

ncclResult_t ncclCommWindowDeregister(ncclComm_t comm, ncclWindow_t window) {
  return simple("ncclCommWindowDeregister", [&] {
    const ncclComm::Pointer found = find(comm);
    const WindowPointer its = findWindow(window, found.get());
    if (!its->opened.empty())
      found->flush();
    removeWindow(its);
  });
}

ncclResult_t ncclWinGetUserPtr(ncclComm_t comm, ncclWindow_t window, void **pointer) {
  return simple("ncclWinGetUserPtr", [&] {
    const ncclComm::Pointer found = find(comm);
    requirePointer(pointer, "outUserPtr");
    *pointer = findWindow(window, found.get())->base;
  });
}

ncclResult_t ncclGetPeerDevicePointer(ncclWindow_t window, size_t offset, int peer,
                                      void **pointer) {
  return simple("ncclGetPeerDevicePointer", [&] {
    requirePointer(pointer, "outPtr");
    const WindowPointer found = findWindow(window, nullptr);
    char *const part = partOf(*found, peer);
    require(offset < found->sizes[size_t(peer)], ncclInvalidArgument,
            "the offset is outside of the window");
    *pointer = part ? part + offset : nullptr; // as NCCL says of ranks out of reach
  });
}

ncclResult_t ncclPutSignal(const void *from, size_t count, ncclDataType_t type, int peer,
                           ncclWindow_t window, size_t offset, int signal, int context,
                           unsigned flags, ncclComm_t comm, cudaStream_t stream) {
  return guarded("ncclPutSignal", true, [&] {
    return putSignal(from, count, type, peer, window, offset, signal, context, flags, comm, stream);
  });
}

ncclResult_t ncclSignal(int peer, int signal, int context, unsigned flags, ncclComm_t comm,
                        cudaStream_t stream) {
  return guarded("ncclSignal", true, [&] {
    const ncclComm::Pointer found = find(comm);
    found->requireReady();
    OneSided operation = signalTo("ncclSignal", *found, peer, signal, context, flags);
    return Group::current().add(found, std::move(operation), stream);
  });
}

ncclResult_t ncclWaitSignal(int count, ncclWaitSignalDesc_t *awaited, ncclComm_t comm,
                            cudaStream_t stream) {
  return guarded("ncclWaitSignal", true, [&] { return waitSignal(count, awaited, comm, stream); });
}

// Nothing here has multicast, which NCCL says with a null pointer.
ncclResult_t ncclGetLsaMultimemDevicePointer(ncclWindow_t window, size_t, void **pointer) {
  return simple("ncclGetLsaMultimemDevicePointer", [&] {
    requirePointer(pointer, "outPtr");
    findWindow(window, nullptr);
    *pointer = nullptr;
  });
}

ncclResult_t ncclDevCommCreate(ncclComm_t comm, const ncclDevCommRequirements_t *,
                               ncclDevComm_t *) {
  return simple("ncclDevCommCreate", [&] {
    find(comm);
    fail(ncclInvalidUsage, "communication that kernels do themselves is not supported");
  });
}

ncclResult_t ncclDevCommDestroy(ncclComm_t comm, const ncclDevComm_t *) {
  return simple("ncclDevCommDestroy", [&] {
    find(comm);
    fail(ncclInvalidUsage, "there are no communicators for kernels (ncclDevCommCreate)");
  });
}

#pragma GCC visibility push(default)
#define __NCCL_FUNCTION(TYPE, NAME, PARAMETERS)                                                    \
  TYPE pnccl##NAME PARAMETERS __attribute__((alias("nccl" #NAME)));
#include "__nccl/device.h"
#include "__nccl/windows.h"
#pragma GCC visibility pop

} // extern "C"
