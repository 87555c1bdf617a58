// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL's functions: arguments are checked here, in NCCL's order, and made operations.
#pragma GCC visibility push(default)
#include "nccl.h"
#pragma GCC visibility pop

#include "group.h"
#include "reduce.h"
#include "report.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace heddle::nccl;

namespace {

/// Runs a call's body. `in_group`: the group that is open does not run if the call fails.
template <class Body> ncclResult_t guarded(const char *call, bool in_group, Body body) noexcept {
  try {
    return body();
  } catch (...) {
    const ncclResult_t result = report(call, currentFailure());
    if (in_group)
      Group::current().setFailed(result);
    return result;
  }
}

/// The same for calls that change nothing but what they are given.
template <class Body> ncclResult_t simple(const char *call, Body body) noexcept {
  return guarded(call, false, [&] {
    body();
    return ncclSuccess;
  });
}

void requirePointer(const void *pointer, const char *what) {
  if (!pointer)
    fail(ncclInvalidArgument, std::string(what) + " is null");
}

bool checksPointers() {
  const char *value = std::getenv("NCCL_CHECK_POINTERS");
  return value && std::strcmp(value, "1") == 0;
}

/// A buffer must be there; with NCCL_CHECK_POINTERS=1 it must be the device's, too.
void requireBuffer(const void *pointer, const char *what, const ncclComm &comm) {
  requirePointer(pointer, what);
  if (!checksPointers())
    return;
  cudaPointerAttributes attributes;
  require(cudaPointerGetAttributes(&attributes, pointer));
  if (attributes.type == cudaMemoryTypeUnregistered)
    fail(ncclInvalidArgument, std::string(what) + " is no memory that the device can reach");
  if (attributes.type == cudaMemoryTypeDevice && attributes.device != comm.device)
    fail(ncclInvalidArgument, std::string(what) + " is on device " +
                                  std::to_string(attributes.device) + ", the communicator on " +
                                  std::to_string(comm.device));
}

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

ncclComm::Settings settingsOf(const ncclConfig_t *config, ncclComm::Settings settings) {
  if (const char *variable = std::getenv("NCCL_COMM_BLOCKING"); variable && !config)
    settings.blocking = std::strcmp(variable, "0") != 0;
  if (!config)
    return settings;
  require(config->magic == 0xcafebeef && config->size >= offsetof(ncclConfig_t, cgaClusterSize),
          ncclInvalidArgument, "the configuration was not made by NCCL_CONFIG_INITIALIZER");
  const auto check = [](int value, int least, int most, const char *why) {
    require(value == NCCL_CONFIG_UNDEF_INT || (value >= least && value <= most),
            ncclInvalidArgument, why);
  };
  check(config->blocking, 0, 1, "blocking is neither 0 nor 1");
  if (config->blocking != NCCL_CONFIG_UNDEF_INT)
    settings.blocking = config->blocking == 1;
  if (config->size < offsetof(ncclConfig_t, trafficClass)) // a program of an older NCCL
    return settings;
  check(config->cgaClusterSize, 0, 8, "cgaClusterSize is not from 0 to 8");
  check(config->minCTAs, 1, INT_MAX, "minCTAs is not positive");
  check(config->maxCTAs, 1, INT_MAX, "maxCTAs is not positive");
  check(config->splitShare, 0, 1, "splitShare is neither 0 nor 1");
  require(config->minCTAs == NCCL_CONFIG_UNDEF_INT || config->maxCTAs == NCCL_CONFIG_UNDEF_INT ||
              config->minCTAs <= config->maxCTAs,
          ncclInvalidArgument, "minCTAs is more than maxCTAs");
  return settings;
}

int currentDevice() {
  int device = 0;
  require(cudaFree(nullptr)); // makes sure that there is one
  require(cudaGetDevice(&device));
  return device;
}

ncclResult_t initRank(const char *call, ncclComm_t *handle, int count, const ncclUniqueId *id,
                      int rank, const ncclConfig_t *config) {
  return guarded(call, true, [&] {
    requirePointer(handle, "comm");
    *handle = nullptr;
    requirePointer(id, "the ID");
    require(count >= 1 && rank >= 0 && rank < count, ncclInvalidArgument,
            "the rank is not among the ranks");
    const auto comm = std::make_shared<ncclComm>(currentDevice(), settingsOf(config, {}));
    showVersion();
    add(comm);
    *handle = comm.get();
    return Group::current().add(
        Beginning{call, comm, handle, [&comm = *comm, id = *id, rank, count] {
                    comm.listen();
                    comm.begin(id, count, rank);
                  }});
  });
}

void initAll(ncclComm_t *handles, int count, const int *devices) {
  requirePointer(handles, "comm");
  int there = 0;
  require(count >= 0, ncclInvalidArgument, "the number of devices is negative");
  require(cudaGetDeviceCount(&there));
  std::set<int> distinct;
  for (int i = 0; devices && i < count; ++i) {
    require(devices[i] >= 0 && devices[i] < there, ncclInvalidArgument, "there is no such device");
    require(distinct.insert(devices[i]).second, ncclInvalidUsage, "a device is named twice");
  }
  require(count <= there, ncclUnhandledCudaError, "there are not so many devices");
  showVersion();
  std::vector<ncclComm::Pointer> comms;
  std::vector<Member> members;
  for (int i = 0; i < count; ++i) {
    comms.push_back(std::make_shared<ncclComm>(devices ? devices[i] : i, ncclComm::Settings{}));
    comms.back()->listen();
    members.push_back(comms.back()->member);
  }
  for (int i = 0; i < count; ++i)
    comms[size_t(i)]->join(members, i, [] {});
  for (int i = 0; i < count; ++i) {
    add(comms[size_t(i)]);
    handles[i] = comms[size_t(i)].get();
  }
}

ncclResult_t split(ncclComm_t handle, int color, int key, ncclComm_t *new_handle,
                   const ncclConfig_t *config) {
  const ncclComm::Pointer parent = find(handle);
  requirePointer(new_handle, "newcomm");
  *new_handle = nullptr;
  parent->requireReady();
  require(color >= 0 || color == NCCL_SPLIT_NOCOLOR, ncclInvalidArgument,
          "the color is negative and not NCCL_SPLIT_NOCOLOR");
  const auto child =
      std::make_shared<ncclComm>(parent->device, settingsOf(config, parent->settings));
  child->member.color = color;
  child->member.key = key;
  if (color != NCCL_SPLIT_NOCOLOR) {
    add(child);
    *new_handle = child.get();
  }
  return Group::current().add(
      Beginning{"ncclCommSplit", child, new_handle, [parent, child] { parent->split(*child); }});
}

/// The ranks that stay, in ascending order.
std::vector<int> remaining(const Place &place, const int *excluded, int count) {
  require(excluded && count > 0, ncclInvalidArgument, "no rank is excluded");
  const std::set<int> without(excluded, excluded + count);
  require(*without.begin() >= 0 && *without.rbegin() < place.count, ncclInvalidArgument,
          "an excluded rank is not among the ranks");
  require(!without.contains(place.rank), ncclInvalidUsage,
          "the rank is excluded; such ranks do not call");
  std::vector<int> ranks;
  for (int rank = 0; rank < place.count; ++rank)
    if (!without.contains(rank))
      ranks.push_back(rank);
  return ranks;
}

ncclResult_t shrink(ncclComm_t handle, const int *excluded, int excluded_count,
                    ncclComm_t *new_handle, const ncclConfig_t *config, int flags) {
  const ncclComm::Pointer parent = find(handle);
  requirePointer(new_handle, "newcomm");
  *new_handle = nullptr;
  require(flags == NCCL_SHRINK_DEFAULT || flags == NCCL_SHRINK_ABORT, ncclInvalidArgument,
          "there is no such flag");
  if (flags == NCCL_SHRINK_DEFAULT)
    parent->requireReady();
  std::vector<int> ranks = remaining(parent->readyPlace(), excluded, excluded_count);
  const auto child =
      std::make_shared<ncclComm>(parent->device, settingsOf(config, parent->settings));
  if (flags == NCCL_SHRINK_ABORT)
    parent->close();
  add(child);
  *new_handle = child.get();
  return Group::current().add(
      Beginning{"ncclCommShrink", child, new_handle,
                [parent, child, ranks = std::move(ranks)] { parent->shrink(*child, ranks); }});
}

ncclResult_t finalize(const ncclComm::Pointer &comm) {
  comm->requireReady();
  if (comm->settings.blocking) {
    comm->flush();
    comm->finalized = true;
    return comm->state;
  }
  comm->finalized = true;
  comm->state = ncclInProgress;
  std::thread([comm] {
    comm->flush();
    ncclResult_t expected = ncclInProgress;
    comm->state.compare_exchange_strong(expected, ncclSuccess);
  }).detach();
  return ncclInProgress;
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

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  return simple("ncclGetUniqueId", [&] {
    requirePointer(id, "uniqueId");
    *id = makeUniqueId();
  });
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int nranks, ncclUniqueId id, int rank) {
  return initRank("ncclCommInitRank", comm, nranks, &id, rank, nullptr);
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int nranks, ncclUniqueId id, int rank,
                                    ncclConfig_t *config) {
  return initRank("ncclCommInitRankConfig", comm, nranks, &id, rank, config);
}

ncclResult_t ncclCommInitRankScalable(ncclComm_t *comm, int nranks, int rank, int ids,
                                      ncclUniqueId *id, ncclConfig_t *config) {
  // All ranks have all IDs. The first is enough for as many as meet on a few hosts.
  return initRank("ncclCommInitRankScalable", comm, nranks, ids >= 1 ? id : nullptr, rank, config);
}

ncclResult_t ncclCommInitAll(ncclComm_t *comms, int count, const int *devices) {
  return simple("ncclCommInitAll", [&] { initAll(comms, count, devices); });
}

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *new_comm,
                           ncclConfig_t *config) {
  return guarded("ncclCommSplit", true, [&] { return split(comm, color, key, new_comm, config); });
}

ncclResult_t ncclCommShrink(ncclComm_t comm, int *excluded, int excluded_count,
                            ncclComm_t *new_comm, ncclConfig_t *config, int flags) {
  return guarded("ncclCommShrink", true,
                 [&] { return shrink(comm, excluded, excluded_count, new_comm, config, flags); });
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  return guarded("ncclCommFinalize", false, [&] { return finalize(find(comm)); });
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  return simple("ncclCommDestroy", [&] {
    if (!comm)
      return;
    const ncclComm::Pointer found = find(comm);
    remove(found);
    found->flush();
    found->close();
  });
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
  return simple("ncclCommAbort", [&] {
    if (!comm)
      return;
    const ncclComm::Pointer found = find(comm);
    remove(found);
    found->close();
  });
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error) {
  return simple("ncclCommGetAsyncError", [&] {
    const ncclComm::Pointer found = find(comm);
    requirePointer(error, "asyncError");
    *error = found->state;
  });
}

ncclResult_t ncclCommCount(const ncclComm_t comm, int *count) {
  return simple("ncclCommCount", [&] {
    const ncclComm::Pointer found = find(comm);
    requirePointer(count, "count");
    *count = found->readyPlace().count;
  });
}

ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device) {
  return simple("ncclCommCuDevice", [&] {
    const ncclComm::Pointer found = find(comm);
    requirePointer(device, "device");
    *device = found->device;
  });
}

ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *rank) {
  return simple("ncclCommUserRank", [&] {
    const ncclComm::Pointer found = find(comm);
    requirePointer(rank, "rank");
    *rank = found->readyPlace().rank;
  });
}

ncclResult_t ncclCommRegister(const ncclComm_t comm, void *buffer, size_t size, void **handle) {
  return simple("ncclCommRegister", [&] {
    const ncclComm::Pointer found = find(comm);
    require(buffer && size > 0 && handle, ncclInvalidArgument, "a pointer is null, or the size 0");
    const std::lock_guard lock(found->tables);
    found->registrations.insert(*handle = reinterpret_cast<void *>(++found->last_registration));
  });
}

ncclResult_t ncclCommDeregister(const ncclComm_t comm, void *handle) {
  return simple("ncclCommDeregister", [&] {
    const ncclComm::Pointer found = find(comm);
    const std::lock_guard lock(found->tables);
    require(found->registrations.erase(handle) != 0, ncclInvalidArgument,
            "the handle is not from ncclCommRegister with this communicator");
  });
}

// All memory that one process can reach is as good as symmetric, and what other processes have is
// not reached through windows.
ncclResult_t ncclCommWindowRegister(ncclComm_t comm, void *buffer, size_t size,
                                    ncclWindow_t *window, int flags) {
  return simple("ncclCommWindowRegister", [&] {
    const ncclComm::Pointer found = find(comm);
    found->requireReady();
    require(window && size > 0, ncclInvalidArgument, "a pointer is null, or the size 0");
    requireBuffer(buffer, "buff", *found);
    require(flags == NCCL_WIN_DEFAULT || flags == NCCL_WIN_COLL_SYMMETRIC, ncclInvalidArgument,
            "there is no such flag");
    const std::lock_guard lock(found->tables);
    void *const handle = reinterpret_cast<void *>(++found->last_registration);
    found->windows.insert(handle);
    *window = static_cast<ncclWindow_t>(handle);
  });
}

ncclResult_t ncclCommWindowDeregister(ncclComm_t comm, ncclWindow_t window) {
  return simple("ncclCommWindowDeregister", [&] {
    const ncclComm::Pointer found = find(comm);
    const std::lock_guard lock(found->tables);
    require(found->windows.erase(window) != 0, ncclInvalidArgument,
            "the window is not from ncclCommWindowRegister with this communicator");
  });
}

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
