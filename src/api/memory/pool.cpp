// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream-ordered allocation and memory pools.
#include "api/entry.h"
#include "device/graph/memory.h"
#include "device/interprocess/imported_memory.h"
#include "device/memory/memory_pool.h"

using namespace heddle;
using namespace heddle::api;

namespace {

/// Memory is there at once, which is never too late; it is the freeing that waits for the stream.
cudaError_t allocate(MemoryPool &pool, void **pointer, size_t bytes) {
  if (!pointer)
    return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0)
    return cudaSuccess;
  *pointer = pool.allocate(bytes);
  if (!*pointer) {
    pool.device.synchronize(); // what is about to be freed may make room
    *pointer = pool.allocate(bytes);
  }
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

/// An observer is told of it in the stream's order, which the memory itself needs not wait for.
void tellAllocated(DeviceStream &stream, const void *base, size_t bytes) {
  if (base && isAllocationTold())
    stream.device->submit(stream, makeWork([=] { tellAllocationInOrder(base, bytes); }),
                          Start::AtOnceIfIdle);
}

/// Runs a body that uses a pool.
template <class Body> cudaError_t callPool(cudaMemPool_t handle, Body body) {
  return callPlatform([&](Platform &) {
    std::shared_ptr<MemoryPool> pool = MemoryPool::handles().find(handle);
    return pool ? body(pool) : cudaErrorInvalidValue;
  });
}

/// In a capture the graph allocates, at each launch.
cudaError_t allocateOn(DeviceStream &stream, MemoryPool &pool, void **pointer, size_t bytes) {
  if (cudaError_t error = Capture::admit(stream, true))
    return error;
  std::shared_ptr<Capture> capture = Capture::anywhere() ? stream.capture() : nullptr;
  if (!capture) {
    const cudaError_t error = allocate(pool, pointer, bytes);
    if (error == cudaSuccess)
      tellAllocated(stream, *pointer, bytes);
    return error;
  }
  if (!pointer)
    return cudaErrorInvalidValue;
  cudaMemAllocNodeParams parameters = {};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location = {cudaMemLocationTypeDevice, pool.device.ordinal};
  parameters.bytesize = bytes;
  cudaError_t error = capture->appendMade(
      stream, [&](const Graph &graph, std::span<const Edge> ends, OperationPointer &operation) {
        return GraphMemory::of(pool.device).allocate(graph, ends, parameters, operation);
      });
  *pointer = parameters.dptr;
  return error;
}

cudaError_t allocateIn(cudaStream_t handle, void **pointer, size_t bytes) {
  return callStream(handle, [&](DeviceStream &stream) {
    return allocateOn(stream, *MemoryPool::currentOf(*stream.device), pointer, bytes);
  });
}

cudaError_t allocateFrom(cudaMemPool_t pool, cudaStream_t handle, void **pointer, size_t bytes) {
  return callStream(handle, [&](DeviceStream &stream) {
    return callPool(pool, [&](auto &pool) {
      // What another process has is only imported, pointer by pointer.
      return pool->settings.imported_file >= 0 ? cudaErrorInvalidValue
                                               : allocateOn(stream, *pool, pointer, bytes);
    });
  });
}

cudaError_t freeCaptured(DeviceStream &stream, Capture &capture, const Allocation &allocation) {
  if (allocation.kind != MemoryKind::Graph)
    return cudaErrorInvalidValue; // memory that the graph does not know
  GraphMemory &memory = GraphMemory::of(Platform::instance().device(allocation.device));
  return capture.appendMade(
      stream, [&](const Graph &graph, std::span<const Edge>, OperationPointer &operation) {
        return memory.free(graph, allocation.base, operation);
      });
}

cudaError_t freeIn(cudaStream_t handle, void *pointer) {
  return callStream(handle, [&](DeviceStream &stream) {
    Memory &memory = stream.device->memory;
    if (!pointer)
      return cudaSuccess;
    std::optional<Allocation> found = memory.find(pointer);
    if (!found || found->base != pointer)
      return cudaErrorInvalidValue;
    if (cudaError_t error = Capture::admit(stream, true))
      return error;
    if (std::shared_ptr<Capture> capture = stream.capture())
      return freeCaptured(stream, *capture, *found);
    if (found->kind == MemoryKind::Graph) {
      GraphMemory &memory = GraphMemory::of(Platform::instance().device(found->device));
      Point point = stream.device->submit(stream, makeWork([] {}), Start::AtOnceIfIdle);
      return memory.freeOutside(pointer, point) ? cudaSuccess : cudaErrorInvalidValue;
    }
    if (found->kind != MemoryKind::Device && found->kind != MemoryKind::Imported)
      return cudaErrorNotSupported; // not from a pool of device memory
    auto work = makeWork([&memory, allocation = *found] {
      tellAllocationInOrder(allocation.base, allocation.size);
      if (allocation.kind == MemoryKind::Imported)
        closeImportedMemory(memory, allocation.base);
      else
        memory.release(allocation);
    });
    stream.device->submit(stream, std::move(work), Start::AtOnceIfIdle);
    return cudaSuccess;
  });
}

/// Runs a body with the device that the place is, if such a place can have such a pool.
template <class Body>
cudaError_t callPlace(const cudaMemLocation *place, cudaMemAllocationType type, Body body,
                      const char *name = __builtin_FUNCTION()) {
  return callPlatform(
      [&](Platform &platform) {
        if (!place)
          return cudaErrorInvalidValue;
        const bool on_host =
            place->type == cudaMemLocationTypeHost || place->type == cudaMemLocationTypeHostNuma;
        if (type == cudaMemAllocationTypeManaged &&
            (on_host || place->type == cudaMemLocationTypeDevice ||
             place->type == cudaMemLocationTypeNone))
          return notSupported("pools of managed memory");
        if (type != cudaMemAllocationTypePinned)
          return cudaErrorInvalidValue;
        if (on_host)
          return notSupported("memory pools of host memory");
        if (place->type != cudaMemLocationTypeDevice)
          return cudaErrorInvalidValue;
        if (place->id < 0 || place->id >= platform.deviceCount())
          return cudaErrorInvalidDevice;
        return body(place->id);
      },
      name);
}

/// Runs a body that answers with a pool of a device.
template <class Body> cudaError_t givePool(cudaMemPool_t *pool, int device, Body body) {
  return callPlatform([&](Platform &platform) {
    if (!pool)
      return cudaErrorInvalidValue;
    if (device < 0 || device >= platform.deviceCount())
      return cudaErrorInvalidDevice;
    std::shared_ptr<MemoryPool> found = body(platform.device(device));
    *pool = reinterpret_cast<cudaMemPool_t>(found.get());
    return cudaSuccess;
  });
}

} // namespace

HEDDLE_STREAM_CALL(cudaMallocAsync, (void **devPtr, size_t size, cudaStream_t stream),
                   allocateIn(stream, devPtr, size))
HEDDLE_STREAM_CALL(cudaMallocFromPoolAsync,
                   (void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream),
                   allocateFrom(memPool, stream, ptr, size))
HEDDLE_STREAM_CALL(cudaFreeAsync, (void *devPtr, cudaStream_t stream), freeIn(stream, devPtr))

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device) {
  return givePool(memPool, device, MemoryPool::defaultOf);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device) {
  return givePool(memPool, device, MemoryPool::currentOf);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool) {
  return callPool(memPool, [&](auto &pool) {
    if (pool->device.ordinal != device)
      return cudaErrorInvalidValue;
    MemoryPool::makeCurrent(pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *memPool, cudaMemLocation *location,
                                     cudaMemAllocationType type) {
  return callPlace(location, type,
                   [&](int device) { return givePool(memPool, device, MemoryPool::defaultOf); });
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *memPool, cudaMemLocation *location,
                              cudaMemAllocationType type) {
  return callPlace(location, type,
                   [&](int device) { return givePool(memPool, device, MemoryPool::currentOf); });
}

cudaError_t cudaMemSetMemPool(cudaMemLocation *location, cudaMemAllocationType type,
                              cudaMemPool_t memPool) {
  return callPlace(location, type,
                   [&](int device) { return cudaDeviceSetMemPool(device, memPool); });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const cudaMemPoolProps *props) {
  return callPlatform([&](Platform &platform) {
    if (!memPool || !props || props->allocType != cudaMemAllocationTypePinned)
      return cudaErrorInvalidValue;
    const bool shareable = props->handleTypes == cudaMemHandleTypePosixFileDescriptor;
    if (props->handleTypes != cudaMemHandleTypeNone && !shareable)
      return notSupported("memory pools shared by other means than file descriptors");
    if (props->location.type != cudaMemLocationTypeDevice)
      return notSupported("memory pools of host memory");
    int device = props->location.id;
    if (device < 0 || device >= platform.deviceCount())
      return cudaErrorInvalidValue;
    auto pool = std::make_shared<MemoryPool>(
        platform.device(device),
        PoolSettings{
            props->maxSize, shareable,
            // An H200, which has no such engine, takes this, and other bits of `usage`, too.
            (props->usage & unsigned(cudaMemPoolCreateUsageHwDecompress)) != 0});
    MemoryPool::handles().add(pool);
    *memPool = reinterpret_cast<cudaMemPool_t>(pool.get());
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool) {
  return callPool(memPool, [](auto &pool) {
    return MemoryPool::destroy(pool) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t) {
  return callPool(memPool, [](auto &) { return cudaSuccess; }); // it holds nothing back
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void *value) {
  return callPool(memPool, [&](auto &pool) {
    if (!value)
      return cudaErrorInvalidValue;
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      pool->reuse[attr] = *static_cast<int *>(value) != 0;
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      pool->release_threshold = *static_cast<uint64_t *>(value);
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh: // a pool reserves what is in use
    case cudaMemPoolAttrUsedMemHigh:
      if (*static_cast<uint64_t *>(value) != 0)
        return cudaErrorInvalidValue; // it can only be reset
      pool->resetMost();
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void *value) {
  return callPool(memPool, [&](auto &pool) {
    if (!value)
      return cudaErrorInvalidValue;
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      *static_cast<int *>(value) = pool->reuse[attr];
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      *static_cast<uint64_t *>(value) = pool->release_threshold;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      *static_cast<uint64_t *>(value) = pool->used().now;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      *static_cast<uint64_t *>(value) = pool->used().most;
      return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const cudaMemAccessDesc *descList,
                                 size_t count) {
  return callPool(memPool, [&](auto &pool) {
    if (count != 0 && !descList)
      return cudaErrorInvalidValue;
    const int devices = Platform::instance().deviceCount();
    for (size_t i = 0; i < count; ++i) {
      const cudaMemAccessDesc &wish = descList[i];
      const bool known =
          wish.flags == cudaMemAccessFlagsProtNone || wish.flags == cudaMemAccessFlagsProtReadWrite;
      if (wish.location.type != cudaMemLocationTypeDevice || !known)
        return cudaErrorInvalidValue;
      if (wish.location.id < 0 || wish.location.id >= devices)
        return cudaErrorInvalidDevice;
      if (wish.location.id == pool->device.ordinal && wish.flags == cudaMemAccessFlagsProtNone)
        return cudaErrorInvalidDevice; // its own device has access, always
    }
    for (size_t i = 0; i < count; ++i)
      pool->allow(descList[i].location.id, descList[i].flags);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                                 cudaMemLocation *location) {
  return callPool(memPool, [&](auto &pool) {
    if (!flags || !location || location->type != cudaMemLocationTypeDevice)
      return cudaErrorInvalidValue;
    if (location->id < 0 || location->id >= Platform::instance().deviceCount())
      return cudaErrorInvalidDevice;
    *flags = pool->access(location->id);
    return cudaSuccess;
  });
}
