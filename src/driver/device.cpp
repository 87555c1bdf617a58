// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which devices there are and what they are. A CUdevice is the runtime's device number.
#include "driver/entry.h"

#include <cstring>

using namespace heddle::driver;

namespace {

/// Runs `ask` and keeps its error out of the runtime's last error.
template <class Ask> CUresult ask(Ask question) {
  return call([&] {
    const cudaError_t error = question();
    if (error != cudaSuccess)
      cudaGetLastError();
    return result(error);
  });
}

CUresult properties(CUdevice device, cudaDeviceProp &found) {
  return ask([&] { return cudaGetDeviceProperties(&found, device); });
}

CUresult attribute(int *value, cudaDeviceAttr which, CUdevice device) {
  return ask([&] { return cudaDeviceGetAttribute(value, which, device); });
}

} // namespace

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  return call([&] {
    int count = 0;
    if (!device)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = cuDeviceGetCount(&count))
      return error;
    if (ordinal < 0 || ordinal >= count)
      return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetCount(int *count) {
  return ask([&] { return cudaGetDeviceCount(count); });
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  cudaDeviceProp found;
  if (const CUresult error = properties(device, found))
    return error;
  if (!name || length <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  std::strncpy(name, found.name, size_t(length) - 1);
  name[length - 1] = 0;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  cudaDeviceProp found;
  if (const CUresult error = properties(device, found))
    return error;
  if (!uuid)
    return CUDA_ERROR_INVALID_VALUE;
  *uuid = found.uuid;
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  cudaDeviceProp found;
  if (const CUresult error = properties(device, found))
    return error;
  if (!bytes)
    return CUDA_ERROR_INVALID_VALUE;
  *bytes = found.totalGlobalMem;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device) {
  switch (which) {
  // What only the driver has an attribute for: parts of the driver API that are not there.
  case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER:
  case CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED: {
    int known_device = 0;
    if (const CUresult error = attribute(&known_device, cudaDevAttrWarpSize, device))
      return error;
    if (!value)
      return CUDA_ERROR_INVALID_VALUE;
    *value = 0;
    return CUDA_SUCCESS;
  }
  default:
    return attribute(value, static_cast<cudaDeviceAttr>(which), device);
  }
}

CUresult cuDeviceGetProperties(CUdevprop *result, CUdevice device) {
  cudaDeviceProp found;
  if (const CUresult error = properties(device, found))
    return error;
  if (!result)
    return CUDA_ERROR_INVALID_VALUE;
  result->maxThreadsPerBlock = found.maxThreadsPerBlock;
  for (int i = 0; i < 3; ++i) {
    result->maxThreadsDim[i] = found.maxThreadsDim[i];
    result->maxGridSize[i] = found.maxGridSize[i];
  }
  result->sharedMemPerBlock = int(found.sharedMemPerBlock);
  result->totalConstantMemory = int(found.totalConstMem);
  result->SIMDWidth = found.warpSize;
  result->memPitch = int(found.memPitch);
  result->regsPerBlock = found.regsPerBlock;
  result->clockRate = found.clockRate;
  result->textureAlign = int(found.textureAlignment);
  return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  if (const CUresult error = attribute(major, cudaDevAttrComputeCapabilityMajor, device))
    return error;
  return attribute(minor, cudaDevAttrComputeCapabilityMinor, device);
}

CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device) {
  return ask([&] { return cudaDeviceGetPCIBusId(id, length, device); });
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
  return ask([&] { return cudaDeviceGetByPCIBusId(device, id); });
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  return ask([&] { return cudaDeviceCanAccessPeer(can, device, peer); });
}

// The context is the runtime's: that of the device which the thread has chosen, or of device 0.
CUresult cuMemGetInfo(size_t *free, size_t *total) {
  return ask([&] { return free && total ? cudaMemGetInfo(free, total) : cudaErrorInvalidValue; });
}
