// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation, sharing between processes, pools, managed memory: the runtime's.
#include "driver/entry.h"

using namespace heddle;
using namespace heddle::driver;

namespace {

/// Where the runtime gives nothing for no bytes, the driver says that this is an error.
template <class Body>
CUresult allocate(const void *pointer, size_t bytes, Body body,
                  const char *name = __builtin_FUNCTION()) {
  return callContext([&] { return pointer && bytes ? body() : cudaErrorInvalidValue; }, name);
}

/// The device that a pointer's memory lies on, or else the context's.
std::optional<Allocation> allocationAt(const Context &context, CUdeviceptr pointer) {
  return context.device.memory.find(at(pointer));
}

} // namespace

CUresult cuMemGetInfo(size_t *free, size_t *total) {
  size_t unused = 0; // either may be left out
  return callContext(
      [&] { return cudaMemGetInfo(free ? free : &unused, total ? total : &unused); });
}
HEDDLE_OLDER_NAME("cuMemGetInfo", "cuMemGetInfo_v2")

// ---- Device memory ------------------------------------------------------------------------------

CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
  return allocate(pointer, bytes, [&] { return cudaMalloc(into(pointer), bytes); });
}
HEDDLE_OLDER_NAME("cuMemAlloc", "cuMemAlloc_v2")

CUresult cuMemAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height,
                         unsigned elementSize) {
  return allocate(pointer, width && height, [&] {
    if (elementSize != 4 && elementSize != 8 && elementSize != 16)
      return cudaErrorInvalidValue;
    return cudaMallocPitch(into(pointer), pitch, width, height);
  });
}
HEDDLE_OLDER_NAME("cuMemAllocPitch", "cuMemAllocPitch_v2")

CUresult cuMemFree(CUdeviceptr pointer) {
  return callContext([&] { return cudaFree(at(pointer)); });
}
HEDDLE_OLDER_NAME("cuMemFree", "cuMemFree_v2")

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr pointer) {
  return callContext([&](Context &context) {
    const std::optional<Allocation> found = allocationAt(context, pointer);
    if (!found)
      return CUDA_ERROR_NOT_FOUND;
    if (base)
      *base = reinterpret_cast<CUdeviceptr>(found->base);
    if (size)
      *size = found->size;
    return CUDA_SUCCESS;
  });
}
HEDDLE_OLDER_NAME("cuMemGetAddressRange", "cuMemGetAddressRange_v2")

// ---- Host memory --------------------------------------------------------------------------------

CUresult cuMemAllocHost(void **pointer, size_t bytes) {
  return allocate(pointer, bytes, [&] { return cudaMallocHost(pointer, bytes); });
}
HEDDLE_OLDER_NAME("cuMemAllocHost", "cuMemAllocHost_v2")

CUresult cuMemFreeHost(void *pointer) {
  return callContext([&] { return cudaFreeHost(pointer); });
}

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  return allocate(pointer, bytes, [&] { return cudaHostAlloc(pointer, bytes, flags); });
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned flags) {
  return callContext([&] { return cudaHostGetDevicePointer(into(device), host, flags); });
}
HEDDLE_OLDER_NAME("cuMemHostGetDevicePointer", "cuMemHostGetDevicePointer_v2")

CUresult cuMemHostGetFlags(unsigned *flags, void *pointer) {
  return callContext([&] { return cudaHostGetFlags(flags, pointer); });
}

CUresult cuMemHostRegister(void *pointer, size_t bytes, unsigned flags) {
  return callContext([&] { return cudaHostRegister(pointer, bytes, flags); });
}
HEDDLE_OLDER_NAME("cuMemHostRegister", "cuMemHostRegister_v2")

CUresult cuMemHostUnregister(void *pointer) {
  return callContext([&] { return cudaHostUnregister(pointer); });
}

CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned flags) {
  return allocate(pointer, bytes, [&] { return cudaMallocManaged(into(pointer), bytes, flags); });
}

// ---- Between processes --------------------------------------------------------------------------

CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event) {
  return callContext([&] {
    return event ? cudaIpcGetEventHandle(as<cudaIpcEventHandle_t>(handle), event)
                 : cudaErrorInvalidValue;
  });
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle) {
  return callContext(
      [&] { return cudaIpcOpenEventHandle(event, *as<cudaIpcEventHandle_t>(&handle)); });
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr pointer) {
  return callContext(
      [&] { return cudaIpcGetMemHandle(as<cudaIpcMemHandle_t>(handle), at(pointer)); });
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *pointer, CUipcMemHandle handle, unsigned flags) {
  return callContext(
      [&] { return cudaIpcOpenMemHandle(into(pointer), *as<cudaIpcMemHandle_t>(&handle), flags); });
}
HEDDLE_OLDER_NAME("cuIpcOpenMemHandle", "cuIpcOpenMemHandle_v2")

CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
  return callContext([&] { return cudaIpcCloseMemHandle(at(pointer)); });
}

// ---- Pools --------------------------------------------------------------------------------------

HEDDLE_DRIVER_STREAM_CALL(cuMemAllocAsync, (CUdeviceptr * pointer, size_t bytes, CUstream stream),
                          allocate(pointer, bytes,
                                   [&] { return cudaMallocAsync(into(pointer), bytes, stream); }))
HEDDLE_DRIVER_STREAM_CALL(cuMemAllocFromPoolAsync,
                          (CUdeviceptr * pointer, size_t bytes, CUmemoryPool pool, CUstream stream),
                          allocate(pointer, bytes, [&] {
                            return cudaMallocFromPoolAsync(into(pointer), bytes, pool, stream);
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuMemFreeAsync, (CUdeviceptr pointer, CUstream stream),
                          callContext([&] { return cudaFreeAsync(at(pointer), stream); }))

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
  return call([&] { return cudaMemPoolCreate(pool, as<const cudaMemPoolProps>(properties)); });
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return call([&] { return cudaMemPoolDestroy(pool); });
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytesToKeep) {
  return call([&] { return cudaMemPoolTrimTo(pool, bytesToKeep); });
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  return call([&] { return cudaMemPoolSetAttribute(pool, cudaMemPoolAttr(attribute), value); });
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  return call([&] { return cudaMemPoolGetAttribute(pool, cudaMemPoolAttr(attribute), value); });
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *access, size_t count) {
  return call(
      [&] { return cudaMemPoolSetAccess(pool, as<const cudaMemAccessDesc>(access), count); });
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location) {
  return call([&] {
    return cudaMemPoolGetAccess(as<cudaMemAccessFlags>(flags), pool, as<cudaMemLocation>(location));
  });
}

CUresult cuMemPoolExportToShareableHandle(void *handle, CUmemoryPool pool,
                                          CUmemAllocationHandleType type,
                                          unsigned long long flags) {
  return callContext([&] {
    return cudaMemPoolExportToShareableHandle(handle, pool, cudaMemAllocationHandleType(type),
                                              unsigned(flags));
  });
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool, void *handle,
                                            CUmemAllocationHandleType type,
                                            unsigned long long flags) {
  return callContext([&] {
    return cudaMemPoolImportFromShareableHandle(pool, handle, cudaMemAllocationHandleType(type),
                                                unsigned(flags));
  });
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *data, CUdeviceptr pointer) {
  return callContext(
      [&] { return cudaMemPoolExportPointer(as<cudaMemPoolPtrExportData>(data), at(pointer)); });
}

CUresult cuMemPoolImportPointer(CUdeviceptr *pointer, CUmemoryPool pool,
                                CUmemPoolPtrExportData *data) {
  return callContext([&] {
    return cudaMemPoolImportPointer(into(pointer), pool, as<cudaMemPoolPtrExportData>(data));
  });
}

// ---- Managed memory -----------------------------------------------------------------------------

HEDDLE_DRIVER_STREAM_CALL(cuMemPrefetchAsync,
                          (CUdeviceptr pointer, size_t bytes, CUdevice device, CUstream stream),
                          callContext([&] {
                            return cudaMemPrefetchAsync(at(pointer), bytes, device, stream);
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuMemPrefetchAsync_v2,
                          (CUdeviceptr pointer, size_t bytes, CUmemLocation location,
                           unsigned flags, CUstream stream),
                          callContext([&] {
                            return cudaMemPrefetchAsync_v2(
                                at(pointer), bytes, *as<cudaMemLocation>(&location), flags, stream);
                          }))

CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUdevice device) {
  return callContext(
      [&] { return cudaMemAdvise(at(pointer), bytes, cudaMemoryAdvise(advice), device); });
}

CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t bytes, CUmem_advise advice,
                        CUmemLocation location) {
  return callContext([&] {
    return cudaMemAdvise_v2(at(pointer), bytes, cudaMemoryAdvise(advice),
                            *as<cudaMemLocation>(&location));
  });
}

CUresult cuMemRangeGetAttribute(void *value, size_t size, CUmem_range_attribute attribute,
                                CUdeviceptr pointer, size_t bytes) {
  return callContext([&] {
    return cudaMemRangeGetAttribute(value, size, cudaMemRangeAttribute(attribute), at(pointer),
                                    bytes);
  });
}

CUresult cuMemRangeGetAttributes(void **values, size_t *sizes, CUmem_range_attribute *attributes,
                                 size_t count, CUdeviceptr pointer, size_t bytes) {
  return callContext([&] {
    return cudaMemRangeGetAttributes(values, sizes, as<cudaMemRangeAttribute>(attributes), count,
                                     at(pointer), bytes);
  });
}
