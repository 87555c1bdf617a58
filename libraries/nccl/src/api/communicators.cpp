// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL's communicators: how they are made, of each other too, what they say of themselves, and how
// they end.
#pragma GCC visibility push(default)
#include "nccl.h"
#pragma GCC visibility pop

#include "api/call.h"
#include "one_sided/window.h"
#include "report.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace heddle::nccl;

namespace {

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
  if (!parent->revoked)
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
  if (flags == NCCL_SHRINK_DEFAULT && !parent->revoked)
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

/// The calling rank is one of the parent's.
ncclResult_t grow(const ncclComm::Pointer &parent, int count, const ncclUniqueId *id,
                  ncclComm_t *new_handle, const ncclConfig_t *config) {
  parent->requireReady();
  require(count > parent->place.count, ncclInvalidArgument, "there are not more ranks than before");
  std::optional<ncclUniqueId> given;
  if (id) {
    const std::lock_guard lock(parent->tables);
    require(parent->growing && std::memcmp(&*parent->growing, id, sizeof *id) == 0,
            ncclInvalidArgument, "the ID is not this rank's last one from ncclCommGetUniqueId");
    given = *id;
  }
  const auto child =
      std::make_shared<ncclComm>(parent->device, settingsOf(config, parent->settings));
  add(child);
  *new_handle = child.get();
  return Group::current().add(
      Beginning{"ncclCommGrow", child, new_handle,
                [parent, child, count, given] { parent->grow(*child, count, given); }});
}

ncclResult_t revoke(const ncclComm::Pointer &comm) {
  comm->readyPlace();
  require(!comm->finalized, ncclInvalidUsage, "the communicator has been finalized");
  if (comm->settings.blocking) {
    comm->revoke();
    return ncclSuccess;
  }
  {
    const std::lock_guard lock(comm->tables);
    comm->revoked = true;
    comm->state = ncclInProgress;
  }
  std::thread([comm] { comm->revoke(); }).detach();
  return ncclInProgress;
}

/// What ncclCommMemStats is asked for.
uint64_t memoryOf(ncclComm &comm, ncclCommMemStat_t what) {
  if (what == ncclStatGpuMemSuspended)
    return comm.suspended;
  const Link::Memory memory = comm.memory();
  switch (what) {
  case ncclStatGpuMemSuspend:
    return memory.releasable;
  case ncclStatGpuMemPersist:
    return memory.other;
  case ncclStatGpuMemTotal:
    return memory.releasable + memory.other;
  default:
    fail(ncclInvalidArgument, "there is no such statistic");
  }
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

ncclResult_t ncclCommGetUniqueId(ncclComm_t comm, ncclUniqueId *id) {
  return simple("ncclCommGetUniqueId", [&] {
    const ncclComm::Pointer found = find(comm);
    requirePointer(id, "uniqueId");
    found->requireReady();
    const std::lock_guard lock(found->tables);
    require(!found->growing, ncclInvalidUsage, "the last ID has not been used by ncclCommGrow");
    *id = *(found->growing = makeOwnId());
  });
}

ncclResult_t ncclCommGrow(ncclComm_t comm, int ranks, const ncclUniqueId *id, int rank,
                          ncclComm_t *new_comm, ncclConfig_t *config) {
  if (!comm)
    return initRank("ncclCommGrow", new_comm, ranks, id, rank, config);
  return guarded("ncclCommGrow", true, [&] {
    const ncclComm::Pointer found = find(comm);
    requirePointer(new_comm, "newcomm");
    *new_comm = nullptr;
    require(rank == -1, ncclInvalidArgument, "a rank that was there before keeps its number (-1)");
    return grow(found, ranks, id, new_comm, config);
  });
}

ncclResult_t ncclCommRevoke(ncclComm_t comm, int flags) {
  return guarded("ncclCommRevoke", false, [&] {
    const ncclComm::Pointer found = find(comm);
    require(flags == NCCL_REVOKE_DEFAULT, ncclInvalidArgument, "there is no such flag");
    return revoke(found);
  });
}

ncclResult_t ncclCommSuspend(ncclComm_t comm, int flags) {
  return simple("ncclCommSuspend", [&] {
    const ncclComm::Pointer found = find(comm);
    require(flags == NCCL_SUSPEND_MEM, ncclInvalidArgument, "there is no such flag");
    found->requireReady();
    found->suspend();
  });
}

ncclResult_t ncclCommResume(ncclComm_t comm) {
  return simple("ncclCommResume", [&] {
    require(find(comm)->suspended.exchange(false), ncclInvalidUsage,
            "the communicator is not suspended");
  });
}

ncclResult_t ncclCommMemStats(ncclComm_t comm, ncclCommMemStat_t what, uint64_t *value) {
  return simple("ncclCommMemStats", [&] {
    const ncclComm::Pointer found = find(comm);
    requirePointer(value, "value");
    found->readyPlace();
    *value = memoryOf(*found, what);
  });
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
    removeWindows(*found, false);
  });
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
  return simple("ncclCommAbort", [&] {
    if (!comm)
      return;
    const ncclComm::Pointer found = find(comm);
    remove(found);
    found->close();
    removeWindows(*found, true);
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

#pragma GCC visibility push(default)
#define __NCCL_FUNCTION(TYPE, NAME, PARAMETERS)                                                    \
  TYPE pnccl##NAME PARAMETERS __attribute__((alias("nccl" #NAME)));
#include "__nccl/communicators.h"
#pragma GCC visibility pop

} // extern "C"
