// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory, events and pools that several processes use: cudaIpc* and the pools' exports.
#include "api/entry.h"
#include "device/interprocess/imported_memory.h"
#include "device/memory/memory_pool.h"

#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace heddle;
using namespace heddle::api;

namespace {

/// CUDA's handles are bytes to their users.
template <class Handle> void pack(Handle &handle, const SharedPlace &place) {
  std::memset(&handle, 0, sizeof handle);
  std::memcpy(&handle, &place, sizeof place);
}

template <class Handle> SharedPlace unpack(const Handle &handle) {
  SharedPlace place;
  std::memcpy(&place, &handle, sizeof place);
  return place;
}

/// The device memory that begins at a pointer.
std::optional<Allocation> deviceMemoryAt(Platform &platform, const void *pointer) {
  std::optional<Allocation> found = platform.current().memory.find(pointer);
  return found && found->kind == MemoryKind::Device ? found : std::nullopt;
}

std::shared_ptr<MemoryPool> poolOf(cudaMemPool_t handle) {
  return MemoryPool::handles().find(handle);
}

} // namespace

// ---- Memory -------------------------------------------------------------------------------------

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr) {
  return callDevice([&](Device &) {
    Platform &platform = Platform::instance();
    const std::optional<Allocation> found = deviceMemoryAt(platform, devPtr);
    if (!handle || !found || found->base != devPtr)
      return cudaErrorInvalidValue;
    SharedPlace place;
    const cudaError_t error = exportMemory(platform.device(found->device), *found, place);
    if (!error)
      pack(*handle, place);
    return error;
  });
}

cudaError_t cudaIpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle, unsigned flags) {
  return callDevice([&](Device &device) {
    const SharedPlace place = unpack(handle);
    (void)flags; // about peers, which have access; a GPU's driver does not check them (seen)
    if (!devPtr)
      return cudaErrorInvalidValue;
    if (place.mark == SharedPlace::expected_mark && place.file.process == getpid())
      return cudaErrorDeviceUninitialized; // memory is not for the process that it comes from
    return importMemory(device, place, -1, *devPtr);
  });
}

cudaError_t cudaIpcCloseMemHandle(void *devPtr) {
  return callDevice([&](Device &device) {
    const std::optional<Allocation> found = device.memory.find(devPtr);
    if (!found || found->kind != MemoryKind::Imported)
      return cudaErrorInvalidValue;
    if (cudaError_t error = Platform::instance().device(found->device).synchronize())
      return error;
    return closeImportedMemory(device.memory, devPtr);
  });
}

// ---- Events -------------------------------------------------------------------------------------

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
  return callEvent(event, [&](Event &event) {
    if (!handle)
      return cudaErrorInvalidValue;
    if (!event.shared)
      return cudaErrorInvalidResourceHandle;
    pack(*handle, {SharedPlace::expected_mark, event.shared->file(), 0, 0});
    return cudaSuccess;
  });
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
  return callDevice([&](Device &device) {
    const SharedPlace place = unpack(handle);
    if (!event || place.mark != SharedPlace::expected_mark || place.size != 0)
      return cudaErrorInvalidValue;
    std::shared_ptr<SharedEvent> shared = SharedEvent::open(place.file);
    if (!shared)
      return cudaErrorMapBufferObjectFailed;
    auto made = std::make_shared<Event>(device, cudaEventDisableTiming | cudaEventInterprocess,
                                        std::move(shared));
    Event::handles().add(made);
    *event = reinterpret_cast<cudaEvent_t>(made.get());
    return cudaSuccess;
  });
}

// ---- Pools --------------------------------------------------------------------------------------

cudaError_t cudaMemPoolExportToShareableHandle(void *shareableHandle, cudaMemPool_t memPool,
                                               cudaMemAllocationHandleType handleType,
                                               unsigned flags) {
  return callDevice([&](Device &) {
    std::shared_ptr<MemoryPool> pool = poolOf(memPool);
    if (!pool || !shareableHandle || flags != 0 || !pool->settings.shareable ||
        handleType != cudaMemHandleTypePosixFileDescriptor)
      return cudaErrorInvalidValue;
    // The file is the device's: an importer finds in it what is exported pointer by pointer.
    const std::optional<Arena::Shared> shared =
        pool->device.memory.share({nullptr, 0, MemoryKind::Device, pool->device.ordinal});
    const int descriptor = shared ? fcntl(shared->descriptor, F_DUPFD_CLOEXEC, 0) : -1;
    if (descriptor < 0)
      return cudaErrorOperatingSystem;
    *static_cast<int *>(shareableHandle) = descriptor;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *memPool, void *shareableHandle,
                                                 cudaMemAllocationHandleType handleType,
                                                 unsigned flags) {
  return callDevice([&](Device &device) {
    const int given = int(reinterpret_cast<intptr_t>(shareableHandle));
    if (!memPool || flags != 0 || handleType != cudaMemHandleTypePosixFileDescriptor)
      return cudaErrorInvalidValue;
    const int descriptor = fcntl(given, F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0)
      return cudaErrorInvalidValue;
    auto pool = std::make_shared<MemoryPool>(device, PoolSettings{0, false, false, descriptor});
    MemoryPool::handles().add(pool);
    *memPool = reinterpret_cast<cudaMemPool_t>(pool.get());
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData *exportData, void *ptr) {
  return callDevice([&](Device &) {
    Platform &platform = Platform::instance();
    const std::optional<Allocation> found = deviceMemoryAt(platform, ptr);
    // Memory of a pool has the pool's number in its flags; cudaMalloc's has none.
    if (!exportData || !found || found->base != ptr || found->flags == 0)
      return cudaErrorInvalidValue;
    SharedPlace place;
    const cudaError_t error = exportMemory(platform.device(found->device), *found, place);
    if (!error)
      pack(*exportData, place);
    return error;
  });
}

cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t memPool,
                                     cudaMemPoolPtrExportData *exportData) {
  return callDevice([&](Device &) {
    std::shared_ptr<MemoryPool> pool = poolOf(memPool);
    if (!pool || !ptr || !exportData || pool->settings.imported_file < 0)
      return cudaErrorInvalidValue;
    const SharedPlace place = unpack(*exportData);
    if (describeSharedFile(pool->settings.imported_file).inode != place.file.inode)
      return cudaErrorInvalidValue; // of another pool
    return importMemory(pool->device, place, pool->settings.imported_file, *ptr);
  });
}
