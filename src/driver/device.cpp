// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which devices there are and what they are. A CUdevice is the runtime's device number.
#include "driver/entry.h"
#include "driver/texture/formats.h"

#include <cstring>

using namespace heddle;
using namespace heddle::driver;

namespace {

CUresult properties(CUdevice device, cudaDeviceProp &found) {
  return driver::callDevice(device,
                            [&](Device &) { return cudaGetDeviceProperties(&found, device); });
}

CUresult attribute(int *value, cudaDeviceAttr which, CUdevice device) {
  return driver::callDevice(device,
                            [&](Device &) { return cudaDeviceGetAttribute(value, which, device); });
}

struct OwnAttribute {
  CUdevice_attribute attribute;
  int (*value)(const gpu::Gpu &);
};

/// What only the driver API has an attribute for.
const OwnAttribute own_attributes[] = {
    {CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, [](const gpu::Gpu &) { return 1; }},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED,
     [](const gpu::Gpu &) { return 1; }},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED, [](const gpu::Gpu &) { return 0; }},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED,
     [](const gpu::Gpu &) { return 0; }},
    {CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, [](const gpu::Gpu &) { return 0; }},
    {CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED,
     [](const gpu::Gpu &) { return 0; }},
    {CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER, [](const gpu::Gpu &) { return 1; }},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, [](const gpu::Gpu &) { return 1; }},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, [](const gpu::Gpu &) { return 1; }},
    {CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, [](const gpu::Gpu &) { return 0; }},
    {CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, [](const gpu::Gpu &) { return 0; }},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED, [](const gpu::Gpu &) { return 0; }},
    {CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS, [](const gpu::Gpu &) { return 0; }},
    {CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, [](const gpu::Gpu &) { return 0; }},
    {CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK, [](const gpu::Gpu &) { return 0; }},
    {CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH, [](const gpu::Gpu &) { return 0; }},
    {CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
     [](const gpu::Gpu &) { return 1; }},
    {CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
     [](const gpu::Gpu &) { return 1; }},
    {CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED, [](const gpu::Gpu &) { return 0; }},
};

CUresult uuidOf(CUuuid *uuid, CUdevice device) {
  cudaDeviceProp found;
  if (const CUresult error = properties(device, found))
    return error;
  if (!uuid)
    return CUDA_ERROR_INVALID_VALUE;
  *uuid = found.uuid;
  return CUDA_SUCCESS;
}

} // namespace

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  return call([&] {
    if (!device)
      return CUDA_ERROR_INVALID_VALUE;
    if (ordinal < 0 || ordinal >= Platform::instance().deviceCount())
      return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetCount(int *count) {
  return call([&] {
    if (!count)
      return CUDA_ERROR_INVALID_VALUE;
    *count = Platform::instance().deviceCount();
    return CUDA_SUCCESS;
  });
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

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) { return uuidOf(uuid, device); }
CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) { return uuidOf(uuid, device); }

// Of Windows.
CUresult cuDeviceGetLuid(char *, unsigned *, CUdevice device) {
  return driver::callDevice(device, [](Device &) { return CUDA_ERROR_NOT_SUPPORTED; });
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  return driver::callDevice(device, [&](Device &device) {
    if (!bytes)
      return CUDA_ERROR_INVALID_VALUE;
    *bytes = device.gpu.global_memory_bytes;
    return CUDA_SUCCESS;
  });
}
HEDDLE_OLDER_NAME("cuDeviceTotalMem", "cuDeviceTotalMem_v2")

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *texels, CUarray_format format,
                                            unsigned channels, CUdevice device) {
  return driver::callDevice(device, [&](Device &) {
    cudaChannelFormatDesc desc;
    if (!channelFormat(format, channels, desc))
      return cudaErrorInvalidValue;
    return cudaDeviceGetTexture1DLinearMaxWidth(texels, &desc, device);
  });
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device) {
  for (const OwnAttribute &own : own_attributes)
    if (own.attribute == which)
      return driver::callDevice(device, [&](Device &device) {
        if (!value)
          return CUDA_ERROR_INVALID_VALUE;
        *value = own.value(device.gpu);
        return CUDA_SUCCESS;
      });
  const engine::observe::ApiCall this_call(__func__);
  return attribute(value, static_cast<cudaDeviceAttr>(which), device);
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
  return call([&] { return cudaDeviceGetPCIBusId(id, length, device); });
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
  return call([&] { return cudaDeviceGetByPCIBusId(device, id); });
}

CUresult cuDeviceGetExecAffinitySupport(int *supported, CUexecAffinityType type, CUdevice device) {
  return driver::callDevice(device, [&](Device &) {
    if (!supported || unsigned(type) >= CU_EXEC_AFFINITY_TYPE_MAX)
      return CUDA_ERROR_INVALID_VALUE;
    *supported = 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                    CUflushGPUDirectRDMAWritesScope scope) {
  return callContext([&] {
    return cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget(target),
                                              cudaFlushGPUDirectRDMAWritesScope(scope));
  });
}

// ---- Pools --------------------------------------------------------------------------------------

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return driver::callDevice(device, [&](Device &) { return cudaDeviceSetMemPool(device, pool); });
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
  return driver::callDevice(device, [&](Device &) { return cudaDeviceGetMemPool(pool, device); });
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  return driver::callDevice(device,
                            [&](Device &) { return cudaDeviceGetDefaultMemPool(pool, device); });
}

// ---- Peers --------------------------------------------------------------------------------------

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  return call([&] { return cudaDeviceCanAccessPeer(can, device, peer); });
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice source,
                                 CUdevice destination) {
  return call([&] {
    return cudaDeviceGetP2PAttribute(value, cudaDeviceP2PAttr(attribute), source, destination);
  });
}
