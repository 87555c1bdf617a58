// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Virtual memory management: addresses, physical memory, mappings (device/memory/virtual_memory.h).
#include "device/memory/virtual_memory.h"
#include "driver/entry.h"

#include <fcntl.h>

using namespace heddle;
using namespace heddle::driver;

namespace {

bool isDevice(int number) { return number >= 0 && number < Platform::instance().deviceCount(); }

/// What memory of these properties would be: on a device, or the host's.
CUresult check(const CUmemAllocationProp *properties) {
  if (!properties || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return CUDA_ERROR_INVALID_VALUE;
  switch (properties->location.type) {
  case CU_MEM_LOCATION_TYPE_DEVICE:
    if (!isDevice(properties->location.id))
      return CUDA_ERROR_INVALID_DEVICE;
    break;
  case CU_MEM_LOCATION_TYPE_HOST:
  case CU_MEM_LOCATION_TYPE_HOST_NUMA:
  case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
    break;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
  constexpr unsigned posix = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  if (unsigned(properties->requestedHandleTypes) & ~posix)
    return notSupported("handles of memory that are no file descriptors");
  return CUDA_SUCCESS;
}

/// Where access is asked about or set: a device's number, or -1 for the host.
bool placeOf(const CUmemLocation &location, int &place) {
  place = location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : -1;
  return location.type == CU_MEM_LOCATION_TYPE_DEVICE
             ? isDevice(location.id)
             : location.type == CU_MEM_LOCATION_TYPE_HOST ||
                   location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA;
}

VirtualMemory &memory() { return VirtualMemory::instance(); }

} // namespace

CUresult cuMemAddressReserve(CUdeviceptr *pointer, size_t size, size_t alignment,
                             CUdeviceptr address, unsigned long long flags) {
  return call([&] {
    uintptr_t found = 0;
    if (!pointer || flags != 0)
      return cudaErrorInvalidValue;
    if (cudaError_t error =
            memory().reserve(Platform::instance().memory(), size, alignment, address, found))
      return error;
    *pointer = found;
    return cudaSuccess;
  });
}

CUresult cuMemAddressFree(CUdeviceptr pointer, size_t size) {
  return call([&] { return memory().unreserve(pointer, size); });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                     const CUmemAllocationProp *properties, unsigned long long flags) {
  return call([&]() -> CUresult {
    if (!handle || flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = check(properties))
      return error;
    return result(memory().create(Platform::instance().memory(), size, *properties, *handle));
  });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return call([&] { return memory().release(handle); });
}

CUresult cuMemMap(CUdeviceptr pointer, size_t size, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  return call([&] {
    return flags == 0 ? memory().map(pointer, size, offset, handle) : cudaErrorInvalidValue;
  });
}

CUresult cuMemUnmap(CUdeviceptr pointer, size_t size) {
  return call([&] { return memory().unmap(pointer, size); });
}

CUresult cuMemSetAccess(CUdeviceptr pointer, size_t size, const CUmemAccessDesc *access,
                        size_t count) {
  return call([&] {
    if (!access || count == 0)
      return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      int place = 0;
      const CUmemAccess_flags flags = access[i].flags;
      if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
          flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
        return cudaErrorInvalidValue;
      if (!placeOf(access[i].location, place))
        return access[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE ? cudaErrorInvalidDevice
                                                                      : cudaErrorInvalidValue;
      if (cudaError_t error = memory().setAccess(pointer, size, place, flags))
        return error;
    }
    return cudaSuccess;
  });
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
                        CUdeviceptr pointer) {
  return call([&] {
    int place = 0;
    CUmemAccess_flags found;
    if (!flags || !location || !placeOf(*location, place))
      return cudaErrorInvalidValue;
    if (cudaError_t error = memory().getAccess(pointer, place, found))
      return error;
    *flags = found;
    return cudaSuccess;
  });
}

CUresult cuMemExportToShareableHandle(void *shareable, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags) {
  return call([&] {
    const std::shared_ptr<PhysicalMemory> found = memory().find(handle);
    if (!shareable || !found || flags != 0 || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR ||
        !(found->properties.requestedHandleTypes & type))
      return cudaErrorInvalidValue;
    const int file = fcntl(found->file, F_DUPFD_CLOEXEC, 0);
    if (file < 0)
      return cudaErrorOperatingSystem;
    *static_cast<int *>(shareable) = file;
    return cudaSuccess;
  });
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shareable,
                                        CUmemAllocationHandleType type) {
  return call([&] {
    if (!handle || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
      return cudaErrorInvalidValue;
    // The descriptor is in the pointer itself.
    const int file = int(reinterpret_cast<intptr_t>(shareable));
    return memory().import(Platform::instance().memory(), file, *handle);
  });
}

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags option) {
  return call([&]() -> CUresult {
    if (!granularity || unsigned(option) > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = check(properties))
      return error;
    *granularity = VirtualMemory::granularity;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                CUmemGenericAllocationHandle handle) {
  return call([&] {
    const std::shared_ptr<PhysicalMemory> found = memory().find(handle);
    if (!properties || !found)
      return cudaErrorInvalidValue;
    *properties = found->properties;
    return cudaSuccess;
  });
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address) {
  return call([&] {
    return handle ? memory().retain(reinterpret_cast<uintptr_t>(address), *handle)
                  : cudaErrorInvalidValue;
  });
}
