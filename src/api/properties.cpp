// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program can ask about a device: the description of its GPU, as CUDA presents it.
#include "api/properties.h"
#include "api/entry.h"
#include "api/kernel_queries.h"
#include "engine/observe/observer.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>

using namespace heddle;
using namespace heddle::api;
using gpu::Gpu;

bool api::pageableMemoryAccess(bool of_gpu) {
  const engine::observe::Observer *observer = engine::observe::observer;
  return of_gpu || !observer || !observer->guardsDevices();
}

namespace {

struct Attribute {
  cudaDeviceAttr attribute;
  int (*value)(const Gpu &);
};

const Attribute attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, [](const Gpu &gpu) { return int(gpu.max_threads_per_block); }},
    {cudaDevAttrMaxBlockDimX, [](const Gpu &gpu) { return int(gpu.max_block_dim[0]); }},
    {cudaDevAttrMaxBlockDimY, [](const Gpu &gpu) { return int(gpu.max_block_dim[1]); }},
    {cudaDevAttrMaxBlockDimZ, [](const Gpu &gpu) { return int(gpu.max_block_dim[2]); }},
    {cudaDevAttrMaxGridDimX, [](const Gpu &gpu) { return int(gpu.max_grid_dim[0]); }},
    {cudaDevAttrMaxGridDimY, [](const Gpu &gpu) { return int(gpu.max_grid_dim[1]); }},
    {cudaDevAttrMaxGridDimZ, [](const Gpu &gpu) { return int(gpu.max_grid_dim[2]); }},
    {cudaDevAttrMaxSharedMemoryPerBlock, [](const Gpu &gpu) { return int(gpu.shared_per_block); }},
    {cudaDevAttrTotalConstantMemory, [](const Gpu &gpu) { return int(gpu.constant_memory_bytes); }},
    {cudaDevAttrWarpSize, [](const Gpu &gpu) { return int(gpu.warp_size); }},
    {cudaDevAttrMaxPitch, [](const Gpu &gpu) { return int(gpu.max_pitch_bytes); }},
    {cudaDevAttrMaxRegistersPerBlock, [](const Gpu &gpu) { return int(gpu.registers_per_block); }},
    {cudaDevAttrClockRate, [](const Gpu &gpu) { return int(gpu.clock_khz); }},
    {cudaDevAttrTextureAlignment, [](const Gpu &gpu) { return int(gpu.texture_alignment); }},
    {cudaDevAttrGpuOverlap, [](const Gpu &gpu) { return int(gpu.gpu_overlap); }},
    {cudaDevAttrMultiProcessorCount, [](const Gpu &gpu) { return int(gpu.multiprocessors); }},
    {cudaDevAttrKernelExecTimeout, [](const Gpu &gpu) { return int(gpu.kernel_exec_timeout); }},
    {cudaDevAttrIntegrated, [](const Gpu &gpu) { return int(gpu.integrated); }},
    {cudaDevAttrCanMapHostMemory, [](const Gpu &gpu) { return int(gpu.can_map_host_memory); }},
    {cudaDevAttrComputeMode, [](const Gpu &gpu) { return int(gpu.compute_mode); }},
    {cudaDevAttrMaxTexture1DWidth, [](const Gpu &gpu) { return int(gpu.max_texture_1d); }},
    {cudaDevAttrMaxTexture2DWidth, [](const Gpu &gpu) { return int(gpu.max_texture_2d[0]); }},
    {cudaDevAttrMaxTexture2DHeight, [](const Gpu &gpu) { return int(gpu.max_texture_2d[1]); }},
    {cudaDevAttrMaxTexture3DWidth, [](const Gpu &gpu) { return int(gpu.max_texture_3d[0]); }},
    {cudaDevAttrMaxTexture3DHeight, [](const Gpu &gpu) { return int(gpu.max_texture_3d[1]); }},
    {cudaDevAttrMaxTexture3DDepth, [](const Gpu &gpu) { return int(gpu.max_texture_3d[2]); }},
    {cudaDevAttrMaxTexture2DLayeredWidth,
     [](const Gpu &gpu) { return int(gpu.max_texture_2d_layered[0]); }},
    {cudaDevAttrMaxTexture2DLayeredHeight,
     [](const Gpu &gpu) { return int(gpu.max_texture_2d_layered[1]); }},
    {cudaDevAttrMaxTexture2DLayeredLayers,
     [](const Gpu &gpu) { return int(gpu.max_texture_2d_layered[2]); }},
    {cudaDevAttrSurfaceAlignment, [](const Gpu &gpu) { return int(gpu.surface_alignment); }},
    {cudaDevAttrConcurrentKernels, [](const Gpu &gpu) { return int(gpu.concurrent_kernels); }},
    {cudaDevAttrEccEnabled, [](const Gpu &gpu) { return int(gpu.ecc_enabled); }},
    {cudaDevAttrPciDeviceId, [](const Gpu &gpu) { return int(gpu.pci_device_id); }},
    {cudaDevAttrTccDriver, [](const Gpu &gpu) { return int(gpu.tcc_driver); }},
    {cudaDevAttrMemoryClockRate, [](const Gpu &gpu) { return int(gpu.memory_clock_khz); }},
    {cudaDevAttrGlobalMemoryBusWidth, [](const Gpu &gpu) { return int(gpu.memory_bus_bits); }},
    {cudaDevAttrL2CacheSize, [](const Gpu &gpu) { return int(gpu.l2_bytes); }},
    {cudaDevAttrMaxThreadsPerMultiProcessor,
     [](const Gpu &gpu) { return int(gpu.max_threads_per_multiprocessor); }},
    {cudaDevAttrAsyncEngineCount, [](const Gpu &gpu) { return int(gpu.async_engines); }},
    {cudaDevAttrUnifiedAddressing, [](const Gpu &gpu) { return int(gpu.unified_addressing); }},
    {cudaDevAttrMaxTexture1DLayeredWidth,
     [](const Gpu &gpu) { return int(gpu.max_texture_1d_layered[0]); }},
    {cudaDevAttrMaxTexture1DLayeredLayers,
     [](const Gpu &gpu) { return int(gpu.max_texture_1d_layered[1]); }},
    {cudaDevAttrMaxTexture2DGatherWidth,
     [](const Gpu &gpu) { return int(gpu.max_texture_2d_gather[0]); }},
    {cudaDevAttrMaxTexture2DGatherHeight,
     [](const Gpu &gpu) { return int(gpu.max_texture_2d_gather[1]); }},
    {cudaDevAttrMaxTexture3DWidthAlt,
     [](const Gpu &gpu) { return int(gpu.max_texture_3d_alternate[0]); }},
    {cudaDevAttrMaxTexture3DHeightAlt,
     [](const Gpu &gpu) { return int(gpu.max_texture_3d_alternate[1]); }},
    {cudaDevAttrMaxTexture3DDepthAlt,
     [](const Gpu &gpu) { return int(gpu.max_texture_3d_alternate[2]); }},
    {cudaDevAttrPciDomainId, [](const Gpu &gpu) { return int(gpu.pci_domain_id); }},
    {cudaDevAttrTexturePitchAlignment,
     [](const Gpu &gpu) { return int(gpu.texture_pitch_alignment); }},
    {cudaDevAttrMaxTextureCubemapWidth,
     [](const Gpu &gpu) { return int(gpu.max_texture_cubemap); }},
    {cudaDevAttrMaxTextureCubemapLayeredWidth,
     [](const Gpu &gpu) { return int(gpu.max_texture_cubemap_layered[0]); }},
    {cudaDevAttrMaxTextureCubemapLayeredLayers,
     [](const Gpu &gpu) { return int(gpu.max_texture_cubemap_layered[1]); }},
    {cudaDevAttrMaxSurface1DWidth, [](const Gpu &gpu) { return int(gpu.max_surface_1d); }},
    {cudaDevAttrMaxSurface2DWidth, [](const Gpu &gpu) { return int(gpu.max_surface_2d[0]); }},
    {cudaDevAttrMaxSurface2DHeight, [](const Gpu &gpu) { return int(gpu.max_surface_2d[1]); }},
    {cudaDevAttrMaxSurface3DWidth, [](const Gpu &gpu) { return int(gpu.max_surface_3d[0]); }},
    {cudaDevAttrMaxSurface3DHeight, [](const Gpu &gpu) { return int(gpu.max_surface_3d[1]); }},
    {cudaDevAttrMaxSurface3DDepth, [](const Gpu &gpu) { return int(gpu.max_surface_3d[2]); }},
    {cudaDevAttrMaxSurface1DLayeredWidth,
     [](const Gpu &gpu) { return int(gpu.max_surface_1d_layered[0]); }},
    {cudaDevAttrMaxSurface1DLayeredLayers,
     [](const Gpu &gpu) { return int(gpu.max_surface_1d_layered[1]); }},
    {cudaDevAttrMaxSurface2DLayeredWidth,
     [](const Gpu &gpu) { return int(gpu.max_surface_2d_layered[0]); }},
    {cudaDevAttrMaxSurface2DLayeredHeight,
     [](const Gpu &gpu) { return int(gpu.max_surface_2d_layered[1]); }},
    {cudaDevAttrMaxSurface2DLayeredLayers,
     [](const Gpu &gpu) { return int(gpu.max_surface_2d_layered[2]); }},
    {cudaDevAttrMaxSurfaceCubemapWidth,
     [](const Gpu &gpu) { return int(gpu.max_surface_cubemap); }},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth,
     [](const Gpu &gpu) { return int(gpu.max_surface_cubemap_layered[0]); }},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers,
     [](const Gpu &gpu) { return int(gpu.max_surface_cubemap_layered[1]); }},
    {cudaDevAttrMaxTexture1DLinearWidth,
     [](const Gpu &gpu) { return int(gpu.max_texture_1d_linear); }},
    {cudaDevAttrMaxTexture2DLinearWidth,
     [](const Gpu &gpu) { return int(gpu.max_texture_2d_linear[0]); }},
    {cudaDevAttrMaxTexture2DLinearHeight,
     [](const Gpu &gpu) { return int(gpu.max_texture_2d_linear[1]); }},
    {cudaDevAttrMaxTexture2DLinearPitch,
     [](const Gpu &gpu) { return int(gpu.max_texture_2d_linear[2]); }},
    {cudaDevAttrMaxTexture2DMipmappedWidth,
     [](const Gpu &gpu) { return int(gpu.max_texture_2d_mipmap[0]); }},
    {cudaDevAttrMaxTexture2DMipmappedHeight,
     [](const Gpu &gpu) { return int(gpu.max_texture_2d_mipmap[1]); }},
    {cudaDevAttrComputeCapabilityMajor, [](const Gpu &gpu) { return int(gpu.compute_major); }},
    {cudaDevAttrComputeCapabilityMinor, [](const Gpu &gpu) { return int(gpu.compute_minor); }},
    {cudaDevAttrMaxTexture1DMipmappedWidth,
     [](const Gpu &gpu) { return int(gpu.max_texture_1d_mipmap); }},
    {cudaDevAttrStreamPrioritiesSupported,
     [](const Gpu &gpu) { return int(gpu.stream_priorities); }},
    {cudaDevAttrGlobalL1CacheSupported, [](const Gpu &gpu) { return int(gpu.global_l1_cache); }},
    {cudaDevAttrLocalL1CacheSupported, [](const Gpu &gpu) { return int(gpu.local_l1_cache); }},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor,
     [](const Gpu &gpu) { return int(gpu.shared_per_multiprocessor); }},
    {cudaDevAttrMaxRegistersPerMultiprocessor,
     [](const Gpu &gpu) { return int(gpu.registers_per_multiprocessor); }},
    {cudaDevAttrManagedMemory, [](const Gpu &gpu) { return int(gpu.managed_memory); }},
    {cudaDevAttrIsMultiGpuBoard, [](const Gpu &gpu) { return int(gpu.multi_gpu_board); }},
    {cudaDevAttrMultiGpuBoardGroupID,
     [](const Gpu &gpu) { return int(gpu.multi_gpu_board_group); }},
    {cudaDevAttrHostNativeAtomicSupported,
     [](const Gpu &gpu) { return int(gpu.host_native_atomics); }},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio,
     [](const Gpu &gpu) { return int(gpu.single_to_double_ratio); }},
    {cudaDevAttrPageableMemoryAccess,
     [](const Gpu &gpu) { return int(pageableMemoryAccess(gpu.pageable_memory_access)); }},
    {cudaDevAttrConcurrentManagedAccess,
     [](const Gpu &gpu) { return int(gpu.concurrent_managed_access); }},
    {cudaDevAttrComputePreemptionSupported,
     [](const Gpu &gpu) { return int(gpu.compute_preemption); }},
    {cudaDevAttrCanUseHostPointerForRegisteredMem,
     [](const Gpu &gpu) { return int(gpu.host_pointer_for_registered_memory); }},
    {cudaDevAttrReserved92, [](const Gpu &gpu) { return int(gpu.stream_memory_operations); }},
    {cudaDevAttrReserved93, [](const Gpu &gpu) { return int(gpu.stream_memory_operations); }},
    {cudaDevAttrReserved94, [](const Gpu &gpu) { return int(gpu.stream_memory_operations); }},
    {cudaDevAttrCooperativeLaunch, [](const Gpu &gpu) { return int(gpu.cooperative_launch); }},
    {cudaDevAttrCooperativeMultiDeviceLaunch,
     [](const Gpu &gpu) { return int(gpu.cooperative_multi_device_launch); }},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin,
     [](const Gpu &gpu) { return int(gpu.shared_per_block_optin); }},
    {cudaDevAttrCanFlushRemoteWrites,
     [](const Gpu &gpu) { return int(gpu.can_flush_remote_writes); }},
    {cudaDevAttrHostRegisterSupported, [](const Gpu &gpu) { return int(gpu.host_register); }},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables,
     [](const Gpu &gpu) {
       return int(pageableMemoryAccess(gpu.pageable_memory_access_uses_host_page_tables));
     }},
    {cudaDevAttrDirectManagedMemAccessFromHost,
     [](const Gpu &gpu) { return int(gpu.direct_managed_access_from_host); }},
    {cudaDevAttrMaxBlocksPerMultiprocessor,
     [](const Gpu &gpu) { return int(gpu.max_blocks_per_multiprocessor); }},
    {cudaDevAttrMaxPersistingL2CacheSize,
     [](const Gpu &gpu) { return int(gpu.persisting_l2_bytes); }},
    {cudaDevAttrMaxAccessPolicyWindowSize,
     [](const Gpu &gpu) { return int(gpu.access_policy_window_bytes); }},
    {cudaDevAttrReservedSharedMemoryPerBlock,
     [](const Gpu &gpu) { return int(gpu.shared_reserved_per_block); }},
    {cudaDevAttrSparseCudaArraySupported, [](const Gpu &gpu) { return int(gpu.sparse_arrays); }},
    {cudaDevAttrHostRegisterReadOnlySupported,
     [](const Gpu &gpu) { return int(gpu.host_register_read_only); }},
    {cudaDevAttrTimelineSemaphoreInteropSupported,
     [](const Gpu &gpu) { return int(gpu.timeline_semaphore_interop); }},
    {cudaDevAttrMemoryPoolsSupported, [](const Gpu &gpu) { return int(gpu.memory_pools); }},
    {cudaDevAttrGPUDirectRDMASupported, [](const Gpu &gpu) { return int(gpu.gpu_direct_rdma); }},
    {cudaDevAttrGPUDirectRDMAFlushWritesOptions,
     [](const Gpu &gpu) { return int(gpu.gpu_direct_rdma_flush_options); }},
    {cudaDevAttrGPUDirectRDMAWritesOrdering,
     [](const Gpu &gpu) { return int(gpu.gpu_direct_rdma_ordering); }},
    {cudaDevAttrMemoryPoolSupportedHandleTypes,
     [](const Gpu &gpu) { return int(gpu.memory_pool_handle_types); }},
    {cudaDevAttrClusterLaunch, [](const Gpu &gpu) { return int(gpu.cluster_launch); }},
    {cudaDevAttrDeferredMappingCudaArraySupported,
     [](const Gpu &gpu) { return int(gpu.deferred_mapping_arrays); }},
    {cudaDevAttrIpcEventSupport, [](const Gpu &gpu) { return int(gpu.ipc_events); }},
    {cudaDevAttrMemSyncDomainCount, [](const Gpu &gpu) { return int(gpu.memory_sync_domains); }},
    {cudaDevAttrNumaConfig, [](const Gpu &gpu) { return int(gpu.numa_config); }},
    {cudaDevAttrNumaId, [](const Gpu &gpu) { return int(gpu.numa_id); }},
    {cudaDevAttrMpsEnabled, [](const Gpu &gpu) { return int(gpu.mps_enabled); }},
    {cudaDevAttrHostNumaId, [](const Gpu &gpu) { return int(gpu.host_numa_id); }},
    {cudaDevAttrD3D12CigSupported, [](const Gpu &) { return 0; }},
    {cudaDevAttrVulkanCigSupported, [](const Gpu &) { return 0; }},
    {cudaDevAttrGpuPciDeviceId, [](const Gpu &gpu) { return int(gpu.pci_hardware_id); }},
    {cudaDevAttrGpuPciSubsystemId, [](const Gpu &) { return 0; }},
    // Pools of host memory are not there (memory/pool.cpp).
    {cudaDevAttrHostNumaMemoryPoolsSupported, [](const Gpu &) { return 0; }},
    {cudaDevAttrHostNumaMultinodeIpcSupported, [](const Gpu &) { return 0; }},
    {cudaDevAttrHostMemoryPoolsSupported, [](const Gpu &) { return 0; }},
    {cudaDevAttrOnlyPartialHostNativeAtomicSupported, [](const Gpu &) { return 0; }},
};

template <class Field, class Value> void assign(Field &field, const Value &value) {
  field = static_cast<Field>(value);
}

template <size_t count> void assign(int (&field)[count], const std::array<int, count> &value) {
  std::copy(value.begin(), value.end(), field);
}

/// CUDA 13's cudaDeviceProp.
struct Properties13 {
#define HEDDLE_PROPERTIES_OF 13
#include <__heddle_host/device_properties.inc>
#undef HEDDLE_PROPERTIES_OF
};
static_assert(sizeof(Properties13) == 1008);

template <class Properties> void describeTextures(const Gpu &gpu, Properties &p) {
  assign(p.maxTexture1D, gpu.max_texture_1d);
  assign(p.maxTexture1DMipmap, gpu.max_texture_1d_mipmap);
  assign(p.maxTextureCubemap, gpu.max_texture_cubemap);
  assign(p.maxSurface1D, gpu.max_surface_1d);
  assign(p.maxSurfaceCubemap, gpu.max_surface_cubemap);
  assign(p.maxTexture2D, gpu.max_texture_2d);
  assign(p.maxTexture2DMipmap, gpu.max_texture_2d_mipmap);
  assign(p.maxTexture2DLinear, gpu.max_texture_2d_linear);
  assign(p.maxTexture2DGather, gpu.max_texture_2d_gather);
  assign(p.maxTexture3D, gpu.max_texture_3d);
  assign(p.maxTexture3DAlt, gpu.max_texture_3d_alternate);
  assign(p.maxTexture1DLayered, gpu.max_texture_1d_layered);
  assign(p.maxTexture2DLayered, gpu.max_texture_2d_layered);
  assign(p.maxTextureCubemapLayered, gpu.max_texture_cubemap_layered);
  assign(p.maxSurface2D, gpu.max_surface_2d);
  assign(p.maxSurface3D, gpu.max_surface_3d);
  assign(p.maxSurface1DLayered, gpu.max_surface_1d_layered);
  assign(p.maxSurface2DLayered, gpu.max_surface_2d_layered);
  assign(p.maxSurfaceCubemapLayered, gpu.max_surface_cubemap_layered);
}

/// What CUDA 13 has removed.
template <class Properties> void describeRemoved(const Gpu &gpu, Properties &p) {
  assign(p.maxTexture1DLinear, gpu.max_texture_1d_linear);
  assign(p.clockRate, gpu.clock_khz);
  assign(p.deviceOverlap, gpu.gpu_overlap);
  assign(p.kernelExecTimeoutEnabled, gpu.kernel_exec_timeout);
  assign(p.computeMode, gpu.compute_mode);
  assign(p.memoryClockRate, gpu.memory_clock_khz);
  assign(p.singleToDoublePrecisionPerfRatio, gpu.single_to_double_ratio);
  assign(p.cooperativeMultiDeviceLaunch, gpu.cooperative_multi_device_launch);
}

/// What only CUDA 13's have.
void describeOwn(const Gpu &, cudaDeviceProp &) {}
void describeOwn(const Gpu &gpu, Properties13 &p) {
  assign(p.deviceNumaConfig, gpu.numa_config);
  assign(p.deviceNumaId, gpu.numa_id);
  assign(p.mpsEnabled, gpu.mps_enabled);
  assign(p.hostNumaId, gpu.host_numa_id);
  assign(p.gpuPciDeviceID, gpu.pci_hardware_id);
}

template <class Properties> void describe(const Gpu &gpu, int ordinal, Properties &p) {
  p = {};
  describeOwn(gpu, p);
  describeRemoved(gpu, p);
  snprintf(p.name, sizeof p.name, "%s", gpu.name.c_str());
  const auto uuid = gpu::uuid(gpu, ordinal);
  memcpy(p.uuid.bytes, uuid.data(), uuid.size());
  describeTextures(gpu, p);
  p.pciBusID = gpu::pciBus(gpu, ordinal);
  assign(p.sharedMemPerBlock, gpu.shared_per_block);
  assign(p.totalGlobalMem, gpu.global_memory_bytes);
  assign(p.regsPerBlock, gpu.registers_per_block);
  assign(p.warpSize, gpu.warp_size);
  assign(p.memPitch, gpu.max_pitch_bytes);
  assign(p.maxThreadsPerBlock, gpu.max_threads_per_block);
  assign(p.totalConstMem, gpu.constant_memory_bytes);
  assign(p.major, gpu.compute_major);
  assign(p.minor, gpu.compute_minor);
  assign(p.textureAlignment, gpu.texture_alignment);
  assign(p.texturePitchAlignment, gpu.texture_pitch_alignment);
  assign(p.multiProcessorCount, gpu.multiprocessors);
  assign(p.integrated, gpu.integrated);
  assign(p.canMapHostMemory, gpu.can_map_host_memory);
  assign(p.surfaceAlignment, gpu.surface_alignment);
  assign(p.concurrentKernels, gpu.concurrent_kernels);
  assign(p.ECCEnabled, gpu.ecc_enabled);
  assign(p.pciDeviceID, gpu.pci_device_id);
  assign(p.pciDomainID, gpu.pci_domain_id);
  assign(p.tccDriver, gpu.tcc_driver);
  assign(p.asyncEngineCount, gpu.async_engines);
  assign(p.unifiedAddressing, gpu.unified_addressing);
  assign(p.memoryBusWidth, gpu.memory_bus_bits);
  assign(p.l2CacheSize, gpu.l2_bytes);
  assign(p.persistingL2CacheMaxSize, gpu.persisting_l2_bytes);
  assign(p.maxThreadsPerMultiProcessor, gpu.max_threads_per_multiprocessor);
  assign(p.streamPrioritiesSupported, gpu.stream_priorities);
  assign(p.globalL1CacheSupported, gpu.global_l1_cache);
  assign(p.localL1CacheSupported, gpu.local_l1_cache);
  assign(p.sharedMemPerMultiprocessor, gpu.shared_per_multiprocessor);
  assign(p.regsPerMultiprocessor, gpu.registers_per_multiprocessor);
  assign(p.managedMemory, gpu.managed_memory);
  assign(p.isMultiGpuBoard, gpu.multi_gpu_board);
  assign(p.multiGpuBoardGroupID, gpu.multi_gpu_board_group);
  assign(p.hostNativeAtomicSupported, gpu.host_native_atomics);
  assign(p.pageableMemoryAccess, pageableMemoryAccess(gpu.pageable_memory_access));
  assign(p.concurrentManagedAccess, gpu.concurrent_managed_access);
  assign(p.computePreemptionSupported, gpu.compute_preemption);
  assign(p.canUseHostPointerForRegisteredMem, gpu.host_pointer_for_registered_memory);
  assign(p.cooperativeLaunch, gpu.cooperative_launch);
  assign(p.sharedMemPerBlockOptin, gpu.shared_per_block_optin);
  assign(p.pageableMemoryAccessUsesHostPageTables,
         pageableMemoryAccess(gpu.pageable_memory_access_uses_host_page_tables));
  assign(p.directManagedMemAccessFromHost, gpu.direct_managed_access_from_host);
  assign(p.maxBlocksPerMultiProcessor, gpu.max_blocks_per_multiprocessor);
  assign(p.accessPolicyMaxWindowSize, gpu.access_policy_window_bytes);
  assign(p.reservedSharedMemPerBlock, gpu.shared_reserved_per_block);
  assign(p.hostRegisterSupported, gpu.host_register);
  assign(p.sparseCudaArraySupported, gpu.sparse_arrays);
  assign(p.hostRegisterReadOnlySupported, gpu.host_register_read_only);
  assign(p.timelineSemaphoreInteropSupported, gpu.timeline_semaphore_interop);
  assign(p.memoryPoolsSupported, gpu.memory_pools);
  assign(p.gpuDirectRDMASupported, gpu.gpu_direct_rdma);
  assign(p.gpuDirectRDMAFlushWritesOptions, gpu.gpu_direct_rdma_flush_options);
  assign(p.gpuDirectRDMAWritesOrdering, gpu.gpu_direct_rdma_ordering);
  assign(p.memoryPoolSupportedHandleTypes, gpu.memory_pool_handle_types);
  assign(p.deferredMappingCudaArraySupported, gpu.deferred_mapping_arrays);
  assign(p.ipcEventSupported, gpu.ipc_events);
  assign(p.clusterLaunch, gpu.cluster_launch);
  assign(p.unifiedFunctionPointers, gpu.unified_function_pointers);
  assign(p.maxThreadsDim, gpu.max_block_dim);
  assign(p.maxGridSize, gpu.max_grid_dim);
}

/// In a forked process, too, in which nothing else works (measured on an H200).
template <class Properties> cudaError_t tellProperties(Properties *properties, int device) {
  return call([&] {
    if (const cudaError_t error = Platform::forked() ? cudaSuccess : platformStatus())
      return error;
    Platform &platform = Platform::instance();
    if (!properties)
      return cudaErrorInvalidValue;
    if (device < 0 || device >= platform.deviceCount())
      return cudaErrorInvalidDevice;
    describe(platform.device(device).gpu, platform.device(device).board, *properties);
    return cudaSuccess;
  });
}

/// How well a device matches what cudaChooseDevice was asked for: a property that was not set
/// (zero) does not count, the first ones count most.
long score(const cudaDeviceProp &wanted, const cudaDeviceProp &has) {
  long score = 0;
  auto count = [&](bool asked, bool met) { score = score * 2 + (!asked || met); };
  count(wanted.major, wanted.major * 10 + wanted.minor <= has.major * 10 + has.minor);
  count(wanted.totalGlobalMem, wanted.totalGlobalMem <= has.totalGlobalMem);
  count(wanted.sharedMemPerBlock, wanted.sharedMemPerBlock <= has.sharedMemPerBlock);
  count(wanted.multiProcessorCount, wanted.multiProcessorCount <= has.multiProcessorCount);
  count(wanted.clockRate, wanted.clockRate <= has.clockRate);
  count(wanted.maxThreadsPerBlock, wanted.maxThreadsPerBlock <= has.maxThreadsPerBlock);
  return score;
}

} // namespace

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *prop, int device) {
  return tellProperties(prop, device);
}

extern "C" HEDDLE_EXPORT cudaError_t heddle13_cudaGetDeviceProperties(Properties13 *prop,
                                                                      int device) {
  return tellProperties(prop, device);
}

cudaError_t api::attributeOf(Platform &platform, int device, cudaDeviceAttr attr, int *value) {
  if (!value)
    return cudaErrorInvalidValue;
  if (device < 0 || device >= platform.deviceCount())
    return cudaErrorInvalidDevice;
  const Gpu &gpu = platform.device(device).gpu;
  if (attr == cudaDevAttrPciBusId) { // each virtual device has a slot of its own
    *value = gpu::pciBus(gpu, platform.device(device).board);
    return cudaSuccess;
  }
  auto it = std::find_if(std::begin(attributes), std::end(attributes),
                         [&](const Attribute &entry) { return entry.attribute == attr; });
  if (it == std::end(attributes))
    return cudaErrorInvalidValue;
  *value = it->value(gpu);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int device) {
  return callPlatform(
      [&](Platform &platform) { return attributeOf(platform, device, attr, value); });
}

cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *prop) {
  return callPlatform([&](Platform &platform) {
    if (!device || !prop)
      return cudaErrorInvalidValue;
    long best = -1;
    for (int i = 0; i < platform.deviceCount(); ++i) {
      cudaDeviceProp candidate;
      describe(platform.device(i).gpu, platform.device(i).board, candidate);
      if (long value = score(*prop, candidate); value > best) {
        best = value;
        *device = i;
      }
    }
    return cudaSuccess;
  });
}
