// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cupti/records.h"

#include <mutex>
#include <pthread.h>
#include <string_view>
#include <unistd.h>
#include <unordered_set>

namespace heddle::cupti {
namespace {

using engine::observe::Call;
using engine::observe::Task;

CUpti_ActivityMemoryKind memoryKind(std::string_view place) {
  return place == "device"    ? CUPTI_ACTIVITY_MEMORY_KIND_DEVICE
         : place == "pinned"  ? CUPTI_ACTIVITY_MEMORY_KIND_PINNED
         : place == "managed" ? CUPTI_ACTIVITY_MEMORY_KIND_MANAGED
                              : CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
}

// Managed memory counts as the device's.
CUpti_ActivityMemcpyKind copyKind(const Task &task) {
  const bool from_host = task.name.front() == 'H', to_host = task.name.back() == 'H';
  if (task.from_device >= 0 && task.to_device >= 0 && task.from_device != task.to_device)
    return CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
  return from_host ? to_host ? CUPTI_ACTIVITY_MEMCPY_KIND_HTOH : CUPTI_ACTIVITY_MEMCPY_KIND_HTOD
         : to_host ? CUPTI_ACTIVITY_MEMCPY_KIND_DTOH
                   : CUPTI_ACTIVITY_MEMCPY_KIND_DTOD;
}

/// What records of devices' work share.
template <class Record> void describe(Record &record, const Task &task, const Times &times) {
  record.start = times.begin;
  record.end = times.end;
  record.deviceId = uint32_t(task.device);
  record.contextId = contextId(task.device);
  record.streamId = streamId(task.stream_name);
  record.correlationId = uint32_t(task.call);
  record.channelID = CUPTI_INVALID_CHANNEL_ID;
}

template <class Record> void describeCopy(Record &record, const Task &task, const Times &times) {
  describe(record, task, times);
  record.copyKind = uint8_t(copyKind(task));
  record.srcKind = uint8_t(memoryKind(task.from));
  record.dstKind = uint8_t(memoryKind(task.to));
  record.flags = task.of_async_call ? uint8_t(CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) : uint8_t(0);
  record.bytes = task.bytes;
}

} // namespace

uint32_t streamId(const engine::observe::StreamName &stream) {
  constexpr uint32_t default_stream = 7, before_others = 12;
  if (stream.is_default)
    return default_stream;
  return stream.id ? before_others + uint32_t(stream.id) : CUPTI_INVALID_STREAM_ID;
}

uint32_t contextId(int device) { return uint32_t(device) + 1; }

std::atomic<CUpti_ActivityThreadIdType> thread_id_type = CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT;

uint32_t threadId() {
  return thread_id_type == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM ? uint32_t(gettid())
                                                                : uint32_t(pthread_self());
}

const char *keepForEver(const std::string &text) {
  static std::mutex mutex;
  static auto *kept = new std::unordered_set<std::string>;
  const std::lock_guard lock(mutex);
  return kept->insert(text).first->c_str();
}

CUpti_ActivityKernel13 kernelRecord(CUpti_ActivityKind kind, const Task &task, const Times &times) {
  static std::atomic<int64_t> last_grid = 0;
  CUpti_ActivityKernel13 record = {};
  record.kind = kind;
  describe(record, task, times);
  record.completed = times.end;
  record.registersPerThread = uint16_t(task.registers);
  record.gridX = int32_t(task.grid[0]);
  record.gridY = int32_t(task.grid[1]);
  record.gridZ = int32_t(task.grid[2]);
  record.blockX = int32_t(task.block[0]);
  record.blockY = int32_t(task.block[1]);
  record.blockZ = int32_t(task.block[2]);
  record.staticSharedMemory = int32_t(task.static_shared);
  record.dynamicSharedMemory = int32_t(task.dynamic_shared);
  record.sharedMemoryExecuted = task.static_shared + task.dynamic_shared;
  record.localMemoryPerThread = task.local_bytes;
  record.gridId = ++last_grid;
  record.name = keepForEver(task.symbol);
  record.launchType = task.cooperative
                          ? uint8_t(CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE)
                          : uint8_t(CUPTI_ACTIVITY_LAUNCH_TYPE_REGULAR);
  record.clusterX = task.cluster[0];
  record.clusterY = task.cluster[1];
  record.clusterZ = task.cluster[2];
  record.channelType = CUPTI_CHANNEL_TYPE_COMPUTE;
  return record;
}

CUpti_ActivityMemcpy7 copyRecord(const Task &task, const Times &times) {
  CUpti_ActivityMemcpy7 record = {};
  record.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  describeCopy(record, task, times);
  record.channelType = CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY;
  record.copyCount = 1;
  return record;
}

CUpti_ActivityMemcpyPtoP4 peerCopyRecord(const Task &task, const Times &times) {
  CUpti_ActivityMemcpyPtoP4 record = {};
  record.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
  describeCopy(record, task, times);
  record.srcDeviceId = uint32_t(task.from_device);
  record.srcContextId = contextId(task.from_device);
  record.dstDeviceId = uint32_t(task.to_device);
  record.dstContextId = contextId(task.to_device);
  record.channelType = CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY;
  return record;
}

CUpti_ActivityMemset5 fillRecord(const Task &task, const Times &times) {
  CUpti_ActivityMemset5 record = {};
  record.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  describe(record, task, times);
  record.value = task.value;
  record.bytes = task.bytes;
  record.flags = task.of_async_call ? uint16_t(CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC) : uint16_t(0);
  record.memoryKind = uint16_t(memoryKind(task.to));
  record.channelType = CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY;
  return record;
}

CUpti_ActivityAPI callRecord(const CallId &id, const Call &call, const Times &times) {
  CUpti_ActivityAPI record = {};
  record.kind = id.domain == CUPTI_CB_DOMAIN_RUNTIME_API ? CUPTI_ACTIVITY_KIND_RUNTIME
                                                         : CUPTI_ACTIVITY_KIND_DRIVER;
  record.cbid = id.id;
  record.start = times.begin;
  record.end = times.end;
  record.processId = uint32_t(getpid());
  record.threadId = threadId();
  record.correlationId = uint32_t(call.number);
  record.returnValue = uint32_t(call.result);
  return record;
}

CUpti_ActivitySynchronization2 waitRecord(CUpti_ActivitySynchronizationType type, const Call &call,
                                          uint64_t event_number, const Times &times) {
  CUpti_ActivitySynchronization2 record = {};
  record.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  record.type = type;
  record.start = times.begin;
  record.end = times.end;
  record.correlationId = uint32_t(call.number);
  record.contextId = contextId(call.stream.device);
  record.streamId = streamId(call.stream);
  record.cudaEventId = call.event ? uint32_t(call.event) : CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  record.cudaEventSyncId = event_number;
  record.returnValue = uint32_t(call.result);
  return record;
}

CUpti_ActivityCudaEvent3 eventRecord(const Call &call, uint64_t event_number) {
  CUpti_ActivityCudaEvent3 record = {};
  record.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT;
  record.correlationId = uint32_t(call.number);
  record.contextId = contextId(call.stream.device);
  record.streamId = streamId(call.stream);
  record.eventId = uint32_t(call.event);
  record.deviceId = uint32_t(call.stream.device);
  record.cudaEventSyncId = event_number;
  return record;
}

} // namespace heddle::cupti
