// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPTI's entry points for records of activities.
#include "cupti/buffers.h"
#include "cupti/follower.h"
#include "device/context.h"
#include "device/platform.h"

#include <cstring>
#include <map>

using namespace heddle;
using namespace heddle::cupti;

namespace {

// ---- Names of contexts, streams and devices -----------------------------------------------------

CUptiResult idOfStream(CUcontext context, CUstream stream, bool threads, uint32_t *id) {
  if (!id)
    return CUPTI_ERROR_INVALID_PARAMETER;
  const std::shared_ptr<Context> found =
      context ? Context::handles().find(context) : Context::current();
  if (!found)
    return CUPTI_ERROR_INVALID_CONTEXT;
  Device &device = found->device;
  if (stream == CU_STREAM_LEGACY || (!stream && !threads))
    *id = streamId(device.legacyStream()->name());
  else if (stream == CU_STREAM_PER_THREAD || !stream)
    *id = streamId(device.threadStream()->name());
  else if (const std::shared_ptr<DeviceStream> named = Device::streamHandles().find(stream))
    *id = streamId(named->name());
  else
    return CUPTI_ERROR_INVALID_STREAM;
  return CUPTI_SUCCESS;
}

template <class Get> CUptiResult askContext(CUcontext context, uint32_t *value, Get get) {
  return call([&] {
    if (!value)
      return CUPTI_ERROR_INVALID_PARAMETER;
    const std::shared_ptr<Context> found = Context::handles().find(context);
    if (!found)
      return CUPTI_ERROR_INVALID_CONTEXT;
    *value = uint32_t(get(*found));
    return CUPTI_SUCCESS;
  });
}

// ---- Attributes ---------------------------------------------------------------------------------

/// Of buffers on devices, which records of real GPUs pass through. Here there are none: what a
/// program sets is kept, and has no effect.
struct Attribute {
  size_t bytes, value;
};

std::mutex mutex;

Attribute *find(CUpti_ActivityAttribute attribute) {
  static auto *all = new std::map<CUpti_ActivityAttribute, Attribute>{
      {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, {sizeof(size_t), 3200000}},
      {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE_CDP, {sizeof(size_t), 8 << 20}},
      {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, {sizeof(size_t), 250}},
      {CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_SIZE, {sizeof(size_t), 25000}},
      {CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_LIMIT, {sizeof(size_t), 250}},
      {CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, {sizeof(uint8_t), 0}},
      {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, {sizeof(size_t), 3}},
      {CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_PRE_ALLOCATE_VALUE, {sizeof(size_t), 3}},
      {CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED, {sizeof(uint8_t), 0}}};
  const auto found = all->find(attribute);
  return found == all->end() ? nullptr : &found->second;
}

template <class Copy>
CUptiResult attribute(CUpti_ActivityAttribute attribute, size_t *size, const void *value,
                      Copy copy) {
  return call([&] {
    const std::lock_guard lock(mutex);
    Attribute *found = find(attribute);
    if (!found || !size || !value)
      return CUPTI_ERROR_INVALID_PARAMETER;
    if (*size < found->bytes)
      return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    *size = found->bytes;
    copy(&found->value, found->bytes);
    return CUPTI_SUCCESS;
  });
}

// ---- Records in a buffer ------------------------------------------------------------------------

size_t sizeOf(CUpti_ActivityKind kind) {
  switch (kind) {
  case CUPTI_ACTIVITY_KIND_MEMCPY:
    return sizeof(CUpti_ActivityMemcpy7);
  case CUPTI_ACTIVITY_KIND_MEMCPY2:
    return sizeof(CUpti_ActivityMemcpyPtoP4);
  case CUPTI_ACTIVITY_KIND_MEMSET:
    return sizeof(CUpti_ActivityMemset5);
  case CUPTI_ACTIVITY_KIND_KERNEL:
  case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    return sizeof(CUpti_ActivityKernel13);
  case CUPTI_ACTIVITY_KIND_DRIVER:
  case CUPTI_ACTIVITY_KIND_RUNTIME:
    return sizeof(CUpti_ActivityAPI);
  case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
    return sizeof(CUpti_ActivityExternalCorrelation);
  case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
    return sizeof(CUpti_ActivitySynchronization2);
  case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
    return sizeof(CUpti_ActivityCudaEvent3);
  default:
    return 0;
  }
}

CUptiResult nextRecord(uint8_t *buffer, size_t valid, CUpti_Activity *&record) {
  auto *place = reinterpret_cast<uint8_t *>(record);
  if (!place) {
    place = buffer;
  } else {
    const size_t size = sizeOf(record->kind);
    if (place < buffer || place >= buffer + valid || !size)
      return CUPTI_ERROR_INVALID_KIND;
    place += size;
  }
  if (size_t(buffer + valid - place) < sizeof(CUpti_Activity))
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  auto *next = reinterpret_cast<CUpti_Activity *>(place);
  if (!sizeOf(next->kind))
    return CUPTI_ERROR_INVALID_KIND;
  record = next;
  return CUPTI_SUCCESS;
}

bool isExternalKind(CUpti_ExternalCorrelationKind kind) {
  return kind > CUPTI_EXTERNAL_CORRELATION_KIND_INVALID &&
         kind < CUPTI_EXTERNAL_CORRELATION_KIND_SIZE;
}

} // namespace

CUptiResult cuptiGetTimestamp(uint64_t *timestamp) {
  return call([&] {
    if (!timestamp)
      return CUPTI_ERROR_INVALID_PARAMETER;
    *timestamp = now();
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiGetContextId(CUcontext context, uint32_t *id) {
  return askContext(context, id, [](Context &found) { return found.id(); });
}
CUptiResult cuptiGetDeviceId(CUcontext context, uint32_t *id) {
  return askContext(context, id, [](Context &found) { return found.device.ordinal; });
}
CUptiResult cuptiGetStreamId(CUcontext context, CUstream stream, uint32_t *id) {
  return call([&] { return idOfStream(context, stream, false, id); });
}
CUptiResult cuptiGetStreamIdEx(CUcontext context, CUstream stream, uint8_t threads, uint32_t *id) {
  return call([&] { return idOfStream(context, stream, threads, id); });
}

CUptiResult cuptiComputeCapabilitySupported(int major, int, int *support) {
  return call([&] {
    constexpr int oldest = 7; // Volta's, in gpus/
    if (!support)
      return CUPTI_ERROR_INVALID_PARAMETER;
    *support = major >= oldest;
    return CUPTI_SUCCESS;
  });
}
CUptiResult cuptiDeviceSupported(CUdevice device, int *support) {
  return call([&] {
    if (!support)
      return CUPTI_ERROR_INVALID_PARAMETER;
    if (device < 0 || device >= Platform::instance().deviceCount())
      return CUPTI_ERROR_INVALID_DEVICE;
    *support = 1;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  return call([&] { return Follower::instance().enable(kind, true); });
}
CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  return call([&] { return Follower::instance().enable(kind, false); });
}
CUptiResult cuptiActivityEnableContext(CUcontext, CUpti_ActivityKind) {
  return call([] { return notSupported("records of one context's activities"); });
}
CUptiResult cuptiActivityDisableContext(CUcontext, CUpti_ActivityKind) {
  return call([] { return notSupported("records of one context's activities"); });
}
CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId cbid, uint8_t enable) {
  return call(
      [&] { return Follower::instance().enableCall(CUPTI_CB_DOMAIN_RUNTIME_API, cbid, enable); });
}
CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId cbid, uint8_t enable) {
  return call(
      [&] { return Follower::instance().enableCall(CUPTI_CB_DOMAIN_DRIVER_API, cbid, enable); });
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc funcBufferRequested,
                                           CUpti_BuffersCallbackCompleteFunc funcBufferCompleted) {
  return call([&] {
    if (!funcBufferRequested || !funcBufferCompleted)
      return CUPTI_ERROR_INVALID_PARAMETER;
    Buffers::instance().setCallbacks(funcBufferRequested, funcBufferCompleted);
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiActivityFlushAll(uint32_t) {
  return call([] {
    if (!Buffers::instance().hasCallbacks())
      return CUPTI_ERROR_INVALID_OPERATION;
    Buffers::instance().flush();
    return CUPTI_SUCCESS;
  });
}
CUptiResult cuptiActivityFlush(CUcontext, uint32_t, uint32_t flag) {
  return cuptiActivityFlushAll(flag);
}
CUptiResult cuptiActivityFlushPeriod(uint32_t time) {
  return call([&] {
    return time ? notSupported("cuptiActivityFlushPeriod: flush with cuptiActivityFlushAll")
                : CUPTI_SUCCESS;
  });
}

CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t validBufferSizeBytes,
                                       CUpti_Activity **record) {
  // The end of a buffer is an answer: it is not the last error.
  if (!buffer || !record)
    return call([] { return CUPTI_ERROR_INVALID_PARAMETER; });
  return nextRecord(buffer, validBufferSizeBytes, *record);
}
CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t, size_t *dropped) {
  return call([&] {
    if (!dropped)
      return CUPTI_ERROR_INVALID_PARAMETER;
    *dropped = Buffers::instance().takeDropped();
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiActivityGetAttribute(CUpti_ActivityAttribute attr, size_t *valueSize,
                                      void *value) {
  return attribute(attr, valueSize, value,
                   [&](const void *kept, size_t bytes) { std::memcpy(value, kept, bytes); });
}
CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute attr, size_t *valueSize,
                                      void *value) {
  return attribute(attr, valueSize, value,
                   [&](void *kept, size_t bytes) { std::memcpy(kept, value, bytes); });
}

CUptiResult cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                   uint64_t id) {
  return call([&] {
    if (!isExternalKind(kind))
      return CUPTI_ERROR_INVALID_PARAMETER;
    Follower::externalIds(kind).push_back(id);
    return CUPTI_SUCCESS;
  });
}
CUptiResult cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                  uint64_t *lastId) {
  return call([&] {
    if (!isExternalKind(kind))
      return CUPTI_ERROR_INVALID_PARAMETER;
    std::vector<uint64_t> &ids = Follower::externalIds(kind);
    if (ids.empty())
      return CUPTI_ERROR_QUEUE_EMPTY;
    if (lastId)
      *lastId = ids.back();
    ids.pop_back();
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc funcTimestamp) {
  return call([&] {
    setClock(funcTimestamp);
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type) {
  return call([&] {
    if (unsigned(type) >= CUPTI_ACTIVITY_THREAD_ID_TYPE_SIZE)
      return CUPTI_ERROR_INVALID_PARAMETER;
    thread_id_type = type;
    return CUPTI_SUCCESS;
  });
}
CUptiResult cuptiGetThreadIdType(CUpti_ActivityThreadIdType *type) {
  return call([&] {
    if (!type)
      return CUPTI_ERROR_INVALID_PARAMETER;
    *type = thread_id_type;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiActivityEnableLatencyTimestamps(uint8_t enable) {
  return call([&] { return enable ? notSupported("latency timestamps") : CUPTI_SUCCESS; });
}
CUptiResult cuptiActivityEnableCudaEventDeviceTimestamps(uint8_t enable) {
  return call([&] { return enable ? notSupported("devices' times of events") : CUPTI_SUCCESS; });
}
CUptiResult cuptiActivityEnableLaunchAttributes(uint8_t enable) {
  return call([&] { return enable ? notSupported("launch attributes") : CUPTI_SUCCESS; });
}
CUptiResult cuptiActivityEnableHWTrace(uint8_t enable) {
  return call([&] { return enable ? notSupported("tracing by hardware") : CUPTI_SUCCESS; });
}
