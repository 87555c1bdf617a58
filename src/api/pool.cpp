// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream-ordered allocation and memory pools.
#include "api/entry.h"
#include "device/memory_pool.h"

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

/// Runs a body that uses a pool.
template <class Body> cudaError_t callPool(cudaMemPool_t handle, Body body) {
  return callPlatform([&](Platform &) {
    std::shared_ptr<MemoryPool> pool = MemoryPool::handles().find(handle);
    return pool ? body(pool) : cudaErrorInvalidValue;
  });
}

cudaError_t allocateIn(cudaStream_t handle, void **pointer, size_t bytes) {
  return callStream(handle, [&](DeviceStream &stream) {
    return allocate(*MemoryPool::currentOf(*stream.device), pointer, bytes);
  });
}

cudaError_t allocateFrom(cudaMemPool_t pool, cudaStream_t handle, void **pointer, size_t bytes) {
  return callStream(handle, [&](DeviceStream &) {
    return callPool(pool, [&](auto &pool) { return allocate(*pool, pointer, bytes); });
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
    if (found->kind != MemoryKind::Device)
      return cudaErrorNotSupported; // not from a pool of device memory
    auto work = makeWork([&memory, allocation = *found] { memory.release(allocation); });
    stream.device->submit(stream, std::move(work), Start::AtOnceIfIdle);
    return cudaSuccess;
  });
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

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const cudaMemPoolProps *props) {
  return callPlatform([&](Platform &platform) {
    if (!memPool || !props || props->allocType != cudaMemAllocationTypePinned)
      return cudaErrorInvalidValue;
    if (props->handleTypes != cudaMemHandleTypeNone)
      return notSupported("memory pools shared between processes");
    if (props->location.type != cudaMemLocationTypeDevice)
      return notSupported("memory pools of host memory");
    int device = props->location.id;
    if (device < 0 || device >= platform.deviceCount())
      return cudaErrorInvalidValue;
    auto pool = std::make_shared<MemoryPool>(platform.device(device));
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
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      return notSupported("high-water marks of memory pools");
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
      *static_cast<uint64_t *>(value) = pool->used();
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      return notSupported("high-water marks of memory pools");
    }
    return cudaErrorInvalidValue;
  });
}
