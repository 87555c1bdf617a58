// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation: device, pinned, registered and managed memory, and what a pointer points at.
#include "device/graph/memory.h"
#include "api/entry.h"
#include "api/properties.h"
#include "device/graph/operations.h"
#include "device/memory/managed_advice.h"
#include "device/registry.h"
#include "engine/observe/observer.h"

#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

using namespace heddle;
using namespace heddle::api;

namespace {

// What a T4 and its relatives give: rows begin at multiples of this.
constexpr size_t pitch_unit = 512;

cudaError_t allocate(Device &device, void **pointer, size_t bytes) {
  if (!pointer)
    return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0)
    return cudaSuccess;
  *pointer = device.memory.allocateOnDevice(device.ordinal, bytes);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t allocateRows(Device &device, void **pointer, size_t *pitch, size_t width,
                         size_t height) {
  if (!pointer || !pitch)
    return cudaErrorInvalidValue;
  if (width > device.gpu.max_pitch_bytes)
    return cudaErrorInvalidValue;
  size_t row = (width + pitch_unit - 1) / pitch_unit * pitch_unit, bytes = 0;
  if (__builtin_mul_overflow(row, height, &bytes))
    return cudaErrorMemoryAllocation;
  *pitch = row;
  return allocate(device, pointer, bytes);
}

cudaError_t allocateHost(void **pointer, size_t bytes, MemoryKind kind, unsigned flags) {
  return callUnsafe([&](Device &device) {
    if (!pointer)
      return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0)
      return cudaSuccess;
    *pointer = device.memory.allocateOnHost(device.ordinal, bytes, kind, flags);
    return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
  });
}

/// Frees what a graph has allocated and not freed.
cudaError_t releaseGraphs(const Allocation &allocation) {
  Device &device = Platform::instance().device(allocation.device);
  if (cudaError_t error = device.synchronize())
    return error;
  return GraphMemory::of(device).freeOutside(allocation.base, {}) ? cudaSuccess
                                                                  : cudaErrorInvalidValue;
}

/// Frees what begins at `pointer` if it is of one of two kinds, once no device uses it any more.
cudaError_t release(void *pointer, MemoryKind kind, MemoryKind other_kind) {
  return callUnsafe([&](Device &device) {
    if (!pointer)
      return cudaSuccess;
    std::optional<Allocation> found = device.memory.find(pointer);
    if (found && found->base == pointer && found->kind == MemoryKind::Graph &&
        kind == MemoryKind::Device)
      return releaseGraphs(*found);
    if (!found || found->base != pointer || (found->kind != kind && found->kind != other_kind) ||
        !device.memory.owns(*found)) { // a __managed__ variable
      Memory::tellWrongFree(pointer);
      return cudaErrorInvalidValue;
    }
    cudaError_t error = Platform::instance().device(found->device).synchronize();
    if (error == cudaSuccess && !device.memory.release(*found))
      error = cudaErrorInvalidValue;
    if (error == cudaSuccess && found->kind == MemoryKind::Managed)
      ManagedAdvice::instance().forget(found->base, found->size);
    return error;
  });
}

bool onHost(const Allocation &allocation) { return !allocation.onDevice(); }

} // namespace

// ---- Device memory ------------------------------------------------------------------------------

cudaError_t cudaMalloc(void **devPtr, size_t size) {
  return callUnsafe([&](Device &device) { return allocate(device, devPtr, size); });
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height) {
  return callUnsafe(
      [&](Device &device) { return allocateRows(device, devPtr, pitch, width, height); });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *pitchedDevPtr, cudaExtent extent) {
  return callUnsafe([&](Device &device) {
    size_t rows = 0;
    if (!pitchedDevPtr || __builtin_mul_overflow(extent.height, extent.depth, &rows))
      return cudaErrorInvalidValue;
    pitchedDevPtr->xsize = extent.width;
    pitchedDevPtr->ysize = extent.height;
    return allocateRows(device, &pitchedDevPtr->ptr, &pitchedDevPtr->pitch, extent.width, rows);
  });
}

cudaError_t cudaFree(void *devPtr) {
  return release(devPtr, MemoryKind::Device, MemoryKind::Managed);
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  return callDevice([&](Device &device) {
    if (total)
      *total = device.gpu.global_memory_bytes;
    if (free)
      *free = device.gpu.global_memory_bytes - device.memory.used(device.ordinal);
    return cudaSuccess;
  });
}

// ---- Host memory --------------------------------------------------------------------------------

cudaError_t cudaHostAlloc(void **ptr, size_t size, unsigned flags) {
  constexpr unsigned known =
      cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if (flags & ~known)
    return call([] { return cudaErrorInvalidValue; });
  return allocateHost(ptr, size, MemoryKind::Pinned, flags);
}

cudaError_t cudaMallocHost(void **ptr, size_t size) {
  return allocateHost(ptr, size, MemoryKind::Pinned, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *ptr) { return release(ptr, MemoryKind::Pinned, MemoryKind::Pinned); }

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned flags) {
  return callUnsafe([&](Device &device) {
    constexpr unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                               cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    if (!ptr || size == 0 || (flags & ~known))
      return cudaErrorInvalidValue;
    if (flags & cudaHostRegisterIoMemory)
      return notSupported("cudaHostRegisterIoMemory");
    if ((flags & cudaHostRegisterReadOnly) && !device.gpu.host_register_read_only)
      return cudaErrorNotSupported;
    bool added = device.memory.add({ptr, size, MemoryKind::Registered, device.ordinal, flags});
    if (added && engine::observe::observer)
      engine::observe::observer->sharedByProgram({ptr, size, nullptr, false});
    return added ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
  });
}

cudaError_t cudaHostUnregister(void *ptr) {
  return callUnsafe([&](Device &device) {
    if (!ptr)
      return cudaErrorInvalidValue;
    std::optional<Allocation> found = device.memory.find(ptr);
    if (!found || found->kind != MemoryKind::Registered)
      return cudaErrorHostMemoryNotRegistered;
    if (found->base != ptr)
      return cudaErrorInvalidValue;
    cudaError_t error = Platform::instance().device(found->device).synchronize();
    if (error == cudaSuccess && !device.memory.release(*found))
      error = cudaErrorHostMemoryNotRegistered;
    return error;
  });
}

cudaError_t cudaHostGetDevicePointer(void **devPtr, void *hostPtr, unsigned flags) {
  return callDevice([&](Device &device) {
    std::optional<Allocation> found = device.memory.find(hostPtr);
    if (!devPtr || flags != 0 || !found || !onHost(*found) || found->kind == MemoryKind::Managed)
      return cudaErrorInvalidValue;
    *devPtr = hostPtr; // unified addressing: the same on host and device
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *hostPtr) {
  return callDevice([&](Device &device) {
    std::optional<Allocation> found = device.memory.find(hostPtr);
    if (!flags || !found || !onHost(*found) || found->kind == MemoryKind::Managed)
      return cudaErrorInvalidValue;
    // With unified addressing all pinned memory is mapped.
    *flags = found->flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *ptr) {
  return callDevice([&](Device &device) {
    if (!attributes)
      return cudaErrorInvalidValue;
    auto *address = const_cast<void *>(ptr);
    std::optional<Allocation> found = device.memory.find(ptr);
    if (!found)
      *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId,
                     pageableMemoryAccess(device.gpu.pageable_memory_access) ? address : nullptr,
                     address};
    else if (found->onDevice())
      *attributes = {cudaMemoryTypeDevice, found->device, address, nullptr};
    else if (found->kind == MemoryKind::Managed)
      *attributes = {cudaMemoryTypeManaged, found->device, address, address};
    else
      *attributes = {cudaMemoryTypeHost, found->device, address, address};
    return cudaSuccess;
  });
}

// ---- Managed memory -----------------------------------------------------------------------------

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
    return call([] { return cudaErrorInvalidValue; });
  return allocateHost(devPtr, size, MemoryKind::Managed, flags);
}

namespace {

bool managedRange(const Memory &memory, const void *pointer, size_t bytes) {
  std::optional<Allocation> found = memory.find(pointer);
  return found && found->kind == MemoryKind::Managed && found->holds(pointer, bytes);
}

/// Memory of the program's own, which devices with pageable memory access take hints for, too.
bool pageableRange(const Device &device, const void *pointer, size_t bytes) {
  if (!pageableMemoryAccess(device.gpu.pageable_memory_access) || device.memory.find(pointer))
    return false;
  const uintptr_t page = uintptr_t(sysconf(_SC_PAGESIZE)), first = uintptr_t(pointer) / page * page;
  if (bytes > UINTPTR_MAX - uintptr_t(pointer))
    return false;
  // What is not mapped is an error; nothing else happens.
  return msync(reinterpret_cast<void *>(first), uintptr_t(pointer) + bytes - first, MS_ASYNC) == 0;
}

bool isProcessor(int device) {
  return device == cudaCpuDeviceId || (device >= 0 && device < Platform::instance().deviceCount());
}

/// The device number that older calls use for a place.
cudaError_t numberOf(const cudaMemLocation &location, int &device) {
  switch (location.type) {
  case cudaMemLocationTypeDevice:
    device = location.id;
    return cudaSuccess;
  case cudaMemLocationTypeHost:
  case cudaMemLocationTypeHostNuma:
  case cudaMemLocationTypeHostNumaCurrent:
    device = cudaCpuDeviceId;
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

OperationPointer nothing(const DeviceStream &stream) {
  return std::make_shared<EmptyOperation>(*stream.device);
}

/// Host and devices share one memory here, so a prefetch has nothing to move; it is checked, and it
/// takes its place in the stream.
cudaError_t prefetch(const void *pointer, size_t bytes, int destination, cudaStream_t handle) {
  return callStream(handle, [&](DeviceStream &stream) {
    if (!isProcessor(destination))
      return cudaErrorInvalidDevice;
    const bool pageable = bytes > 0 && pageableRange(*stream.device, pointer, bytes);
    if (bytes == 0 || (!pageable && !managedRange(stream.device->memory, pointer, bytes)))
      return cudaErrorInvalidValue;
    if (!stream.device->gpu.concurrent_managed_access)
      return cudaErrorInvalidDevice;
    if (pageable)
      return put(stream, nothing(stream), {Start::AtOnceIfIdle, false, false});
    ManagedAdvice::instance().change(pointer, bytes,
                                     [&](Advice &part) { part.last_prefetch = destination; });
    if (engine::observe::HostObserver *observer = engine::observe::hostObserver())
      observer->hinted({.pointer = pointer,
                        .bytes = bytes,
                        .prefetch_to_device = destination >= 0,
                        .read_mostly = {},
                        .stays_on_host = {}});
    return put(stream, nothing(stream), {Start::AtOnceIfIdle, false, false});
  });
}

cudaError_t prefetch(const void *pointer, size_t bytes, const cudaMemLocation &location,
                     unsigned flags, cudaStream_t stream) {
  int device = cudaInvalidDeviceId;
  cudaError_t error = flags ? cudaErrorInvalidValue : numberOf(location, device);
  return error ? call([&] { return error; }) : prefetch(pointer, bytes, device, stream);
}

void remember(Advice &part, cudaMemoryAdvise advice, int processor) {
  switch (advice) {
  case cudaMemAdviseSetReadMostly:
  case cudaMemAdviseUnsetReadMostly:
    part.read_mostly = advice == cudaMemAdviseSetReadMostly;
    break;
  case cudaMemAdviseSetPreferredLocation:
    part.preferred = processor;
    break;
  case cudaMemAdviseUnsetPreferredLocation:
    part.preferred = cudaInvalidDeviceId;
    break;
  case cudaMemAdviseSetAccessedBy:
    part.accessed_by.insert(processor);
    break;
  case cudaMemAdviseUnsetAccessedBy:
    part.accessed_by.erase(processor);
    break;
  }
}

void tellHint(const void *pointer, size_t bytes, cudaMemoryAdvise advice, int processor) {
  engine::observe::ManagedHint hint{.pointer = pointer, .bytes = bytes};
  const bool of_host = processor == cudaCpuDeviceId;
  if (advice == cudaMemAdviseSetReadMostly || advice == cudaMemAdviseUnsetReadMostly)
    hint.read_mostly = advice == cudaMemAdviseSetReadMostly;
  else if (advice == cudaMemAdviseSetPreferredLocation)
    hint.stays_on_host = of_host;
  else if (advice == cudaMemAdviseUnsetPreferredLocation)
    hint.stays_on_host = false;
  else if (!of_host) // the host cannot reach what is on a device
    hint.stays_on_host = advice == cudaMemAdviseSetAccessedBy;
  engine::observe::hostObserver()->hinted(hint);
}

/// Advice changes speed, never results; what there is to do is to check and to remember it.
cudaError_t advise(const void *pointer, size_t bytes, cudaMemoryAdvise advice, int processor) {
  return callDevice([&](Device &device) {
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy || bytes == 0)
      return cudaErrorInvalidValue;
    const bool pageable = pageableRange(device, pointer, bytes);
    if (!pageable && !managedRange(device.memory, pointer, bytes))
      return cudaErrorInvalidValue;
    bool ignores_processor =
        advice <= cudaMemAdviseUnsetReadMostly || advice == cudaMemAdviseUnsetPreferredLocation;
    if (!ignores_processor && !isProcessor(processor))
      return cudaErrorInvalidDevice;
    if (pageable) // no call says when it is freed, so nothing of it is remembered
      return cudaSuccess;
    ManagedAdvice::instance().change(pointer, bytes,
                                     [&](Advice &part) { remember(part, advice, processor); });
    if (engine::observe::hostObserver())
      tellHint(pointer, bytes, advice, processor);
    return cudaSuccess;
  });
}

cudaError_t attach(cudaStream_t handle, void *pointer, size_t bytes, unsigned flags) {
  return callStream(handle, [&](DeviceStream &stream) {
    bool one_flag =
        flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    std::optional<Allocation> found = stream.device->memory.find(pointer);
    bool whole = found && found->base == pointer && (bytes == 0 || bytes == found->size);
    if (!one_flag || !whole || found->kind != MemoryKind::Managed)
      return cudaErrorInvalidValue;
    if (flags == cudaMemAttachSingle && stream.kind == StreamKind::Legacy)
      return cudaErrorInvalidValue;
    return put(stream, nothing(stream), {Start::AtOnceIfIdle, false, false});
  });
}

} // namespace

HEDDLE_STREAM_CALL(cudaMemPrefetchAsync,
                   (const void *devPtr, size_t count, int dstDevice, cudaStream_t stream),
                   prefetch(devPtr, count, dstDevice, stream))
HEDDLE_STREAM_CALL(cudaMemPrefetchAsync_v2,
                   (const void *devPtr, size_t count, cudaMemLocation location, unsigned flags,
                    cudaStream_t stream),
                   prefetch(devPtr, count, location, flags, stream))

cudaError_t cudaMemAdvise(const void *devPtr, size_t count, cudaMemoryAdvise advice, int device) {
  return advise(devPtr, count, advice, device);
}

cudaError_t cudaMemAdvise_v2(const void *devPtr, size_t count, cudaMemoryAdvise advice,
                             cudaMemLocation location) {
  int device = cudaInvalidDeviceId;
  cudaError_t error = numberOf(location, device);
  return error ? call([&] { return error; }) : advise(devPtr, count, advice, device);
}

HEDDLE_STREAM_CALL(cudaStreamAttachMemAsync,
                   (cudaStream_t stream, void *devPtr, size_t length, unsigned flags),
                   attach(stream, devPtr, length, flags))

// ---- Symbols ------------------------------------------------------------------------------------

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol) {
  return callDevice([&](Device &device) {
    size_t size = 0;
    return devPtr ? Registry::instance().findVariable(device, symbol, *devPtr, size)
                  : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
  return callDevice([&](Device &device) {
    void *address = nullptr;
    return size ? Registry::instance().findVariable(device, symbol, address, *size)
                : cudaErrorInvalidValue;
  });
}

// ---- Formats ------------------------------------------------------------------------------------

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}
