// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime API: devices, errors, kernel attributes, occupancy and launches.
#ifndef HEDDLE_HOST_API_DEVICE_H
#define HEDDLE_HOST_API_DEVICE_H

#ifndef HEDDLE_HOST_API
#error "Include <cuda_runtime_api.h> instead."
#endif

// ---- Errors and versions ------------------------------------------------------------------------
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);

// ---- Devices ------------------------------------------------------------------------------------
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaSetValidDevices(int *devices, int count);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int *flags);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId);
cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int length, int device);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                                 const struct cudaChannelFormatDesc *format,
                                                 int device);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *cacheConfig);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority);
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                               enum cudaFlushGPUDirectRDMAWritesScope scope);
cudaError_t cudaDeviceGetNvSciSyncAttributes(void *attributes, int device, int flags);
cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback callback,
                                                void *userData, cudaAsyncCallbackHandle_t *handle);
cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t handle);

cudaError_t cudaDeviceCanAccessPeer(int *canAccess, int device, int peerDevice);
cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peerDevice);
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int srcDevice,
                                      int dstDevice);

// The names that CUDA 4 replaced by cudaDevice...; old programs still use them.
HEDDLE_REMOVED_IN_13 cudaError_t cudaThreadExit(void);
HEDDLE_REMOVED_IN_13 cudaError_t cudaThreadSynchronize(void);
HEDDLE_REMOVED_IN_13 cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
HEDDLE_REMOVED_IN_13 cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit);
HEDDLE_REMOVED_IN_13 cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *cacheConfig);
HEDDLE_REMOVED_IN_13 cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache cacheConfig);

// ---- Kernels ------------------------------------------------------------------------------------
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *func);
cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value);
cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig);
cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config);
cudaError_t cudaFuncGetName(const char **name, const void *func);
cudaError_t cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset, size_t *size);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol);
cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *entryFunction);
HEDDLE_REMOVED_IN_13 cudaError_t cudaSetDoubleForDevice(double *value);
HEDDLE_REMOVED_IN_13 cudaError_t cudaSetDoubleForHost(double *value);

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func,
                                                          int blockSize, size_t dynamicSmemBytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func,
                                                                   int blockSize,
                                                                   size_t dynamicSmemBytes,
                                                                   unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemBytes, const void *func,
                                                      int numBlocks, int blockSize);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func,
                                                 const cudaLaunchConfig_t *launchConfig);
cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, const void *func,
                                           const cudaLaunchConfig_t *launchConfig);

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                             size_t sharedMem, cudaStream_t stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args);
cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream);
HEDDLE_REMOVED_IN_13 cudaError_t cudaLaunchCooperativeKernelMultiDevice(
    struct cudaLaunchParams *launchParamsList, unsigned int numDevices,
    unsigned int flags HEDDLE_DEFAULT(0));
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData);

// ---- Profiler, driver entry points --------------------------------------------------------------
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

cudaError_t
cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                        enum cudaDriverEntryPointQueryResult *status HEDDLE_DEFAULT(NULL));
/* Of CUDA 12.5: the form that programs for this version of CUDA mean. */
cudaError_t
cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned int cudaVersion,
                                 unsigned long long flags,
                                 enum cudaDriverEntryPointQueryResult *status HEDDLE_DEFAULT(NULL));
cudaError_t cudaGetExportTable(const void **table, const cudaUUID_t *id);

#endif
