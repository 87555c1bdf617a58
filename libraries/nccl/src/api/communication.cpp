// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL's operations, groups, and what needs no communicator: arguments are checked here, in NCCL's
// order, and made operations.
#pragma GCC visibility push(default)
#include "nccl.h"
#pragma GCC visibility pop

#include "api/call.h"
#include "group.h"
#include "reduce.h"
#include "report.h"

#include <cstdint>
#include <cstring>

using namespace heddle::nccl;

namespace {

/// What the operation's number stands for.
void setReduction(Operation &operation, ncclRedOp_t op, ncclComm &comm) {
  if (unsigned(op) < ncclNumOps) {
    operation.op = op;
    return;
  }
  const std::lock_guard lock(comm.tables);
  const auto found = comm.reductions.find(int(op));
  require(found != comm.reductions.end(), ncclInvalidArgument,
          "the operation is none of this communicator's");
  require(found->second.type == operation.type, ncclInvalidArgument,
          "the operation is for another data type");
  operation.op = ncclNumOps;
  operation.scalar = found->second.scalar;
  operation.device_scalar = found->second.device_scalar;
}

ncclResult_t communicate(const char *name, Operation operation, ncclRedOp_t op, ncclComm_t handle,
                         cudaStream_t stream) {
  return guarded(name, true, [&] {
    const ncclComm::Pointer comm = find(handle);
    comm->requireReady();
    const size_t element = elementSize(operation.type);
    const bool has_root = operation.call == Call::Reduce || operation.call == Call::Broadcast ||
                          operation.isPointToPoint();
    require(!has_root || (operation.root >= 0 && operation.root < comm->place.count),
            ncclInvalidArgument, "there is no such rank");
    require(element != 0, ncclInvalidArgument, "there is no such data type");
    setReduction(operation, op, *comm);
    require(operation.count <= PTRDIFF_MAX / element / size_t(comm->place.count),
            ncclInvalidArgument, "the count is larger than any memory");
    if (operation.count == 0)
      return ncclSuccess;
    const bool is_root = operation.root == comm->place.rank;
    if (operation.call != Call::Recv && (operation.call != Call::Broadcast || is_root))
      requireBuffer(operation.send, "sendbuff", *comm);
    if (operation.call != Call::Send && (operation.call != Call::Reduce || is_root))
      requireBuffer(operation.receive, "recvbuff", *comm);
    return Group::current().add(comm, operation, stream);
  });
}

Operation operationOf(Call call, const void *send, void *receive, size_t count, ncclDataType_t type,
                      int root = 0) {
  return {.call = call,
          .send = static_cast<const char *>(send),
          .receive = static_cast<char *>(receive),
          .count = count,
          .type = type,
          .root = root};
}

} // namespace

extern "C" {

ncclResult_t ncclMemAlloc(void **pointer, size_t size) {
  return simple("ncclMemAlloc", [&] {
    require(pointer && size > 0, ncclInvalidArgument, "the pointer is null, or the size 0");
    require(cudaMalloc(pointer, size));
  });
}

ncclResult_t ncclMemFree(void *pointer) {
  return simple("ncclMemFree", [&] { require(cudaFree(pointer)); });
}

ncclResult_t ncclGetVersion(int *version) {
  return simple("ncclGetVersion", [&] {
    requirePointer(version, "version");
    *version = NCCL_VERSION_CODE;
  });
}

const char *ncclGetErrorString(ncclResult_t result) {
  switch (result) {
  case ncclSuccess:
    return "no error";
  case ncclUnhandledCudaError:
    return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
  case ncclSystemError:
    return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
  case ncclInternalError:
    return "internal error - please report this issue to the NCCL developers";
  case ncclInvalidArgument:
    return "invalid argument (run with NCCL_DEBUG=WARN for details)";
  case ncclInvalidUsage:
    return "invalid usage (run with NCCL_DEBUG=WARN for details)";
  case ncclRemoteError:
    return "remote process exited or there was a network error";
  case ncclInProgress:
    return "NCCL operation in progress";
  default:
    return "unknown result code";
  }
}

const char *ncclGetLastError(ncclComm_t) { return lastError(); }
void ncclResetDebugInit() { showVersion(true); }

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t *op, void *scalar, ncclDataType_t type,
                                      ncclScalarResidence_t residence, ncclComm_t comm) {
  return simple("ncclRedOpCreatePreMulSum", [&] {
    static std::atomic<int> next = ncclNumOps;
    const ncclComm::Pointer found = find(comm);
    found->requireReady();
    require(op && scalar, ncclInvalidArgument, "a pointer is null");
    const size_t element = elementSize(type);
    require(element != 0, ncclInvalidArgument, "there is no such data type");
    require(residence == ncclScalarDevice || residence == ncclScalarHostImmediate,
            ncclInvalidArgument, "the scalar is neither in host nor in device memory");
    ncclComm::Reduction made{type, {}, nullptr};
    if (residence == ncclScalarHostImmediate)
      std::memcpy(made.scalar.bytes, scalar, element);
    else
      made.device_scalar = scalar;
    const std::lock_guard lock(found->tables);
    *op = ncclRedOp_t(next++);
    found->reductions[int(*op)] = made;
  });
}

ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm) {
  return simple("ncclRedOpDestroy", [&] {
    const ncclComm::Pointer found = find(comm);
    require(unsigned(op) >= ncclNumOps, ncclInvalidArgument, "the operation is one of NCCL's own");
    const std::lock_guard lock(found->tables);
    require(found->reductions.erase(int(op)) != 0, ncclInvalidArgument,
            "the operation is none of this communicator's");
  });
}

ncclResult_t ncclReduce(const void *send, void *receive, size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream) {
  return communicate("ncclReduce", operationOf(Call::Reduce, send, receive, count, type, root), op,
                     comm, stream);
}

ncclResult_t ncclBcast(void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream) {
  return communicate("ncclBcast", operationOf(Call::Broadcast, buffer, buffer, count, type, root),
                     ncclSum, comm, stream);
}

ncclResult_t ncclBroadcast(const void *send, void *receive, size_t count, ncclDataType_t type,
                           int root, ncclComm_t comm, cudaStream_t stream) {
  return communicate("ncclBroadcast",
                     operationOf(Call::Broadcast, send, receive, count, type, root), ncclSum, comm,
                     stream);
}

ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  return communicate("ncclAllReduce", operationOf(Call::AllReduce, send, receive, count, type), op,
                     comm, stream);
}

ncclResult_t ncclReduceScatter(const void *send, void *receive, size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  return communicate("ncclReduceScatter",
                     operationOf(Call::ReduceScatter, send, receive, count, type), op, comm,
                     stream);
}

ncclResult_t ncclAllGather(const void *send, void *receive, size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
  return communicate("ncclAllGather", operationOf(Call::AllGather, send, receive, count, type),
                     ncclSum, comm, stream);
}

ncclResult_t ncclSend(const void *send, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  return communicate("ncclSend", operationOf(Call::Send, send, nullptr, count, type, peer), ncclSum,
                     comm, stream);
}

ncclResult_t ncclRecv(void *receive, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return communicate("ncclRecv", operationOf(Call::Recv, nullptr, receive, count, type, peer),
                     ncclSum, comm, stream);
}

ncclResult_t ncclGroupStart() {
  Group::current().start();
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  return guarded("ncclGroupEnd", false, [] { return Group::current().end(); });
}

ncclResult_t ncclGroupSimulateEnd(ncclSimInfo_t *info) {
  return simple("ncclGroupSimulateEnd", [&] {
    require(info && info->magic == 0x74685283 && info->size >= sizeof(ncclSimInfo_t),
            ncclInvalidArgument, "the structure was not made by NCCL_SIM_INFO_INITIALIZER");
    info->estimatedTime = Group::current().endWithoutRunning();
  });
}

#pragma GCC visibility push(default)
#define __NCCL_FUNCTION(TYPE, NAME, PARAMETERS)                                                    \
  TYPE pnccl##NAME PARAMETERS __attribute__((alias("nccl" #NAME)));
#include "__nccl/functions.h"
#pragma GCC visibility pop

} // extern "C"
