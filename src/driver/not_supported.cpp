// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What joins the driver API to other programming interfaces, or belongs to hardware that there is
// none of: each call says so and returns CUDA_ERROR_NOT_SUPPORTED.
#include "driver/entry.h"

using namespace heddle::driver;

namespace {

CUresult lacking(const char *what) {
  return call([&] { return notSupported(what); });
}

constexpr const char *external_memory = "memory of other programming interfaces";
constexpr const char *external_semaphores = "semaphores of other programming interfaces";
constexpr const char *multicast = "multicast objects";
constexpr const char *notifications = "notifications of memory pressure";
constexpr const char *tensor_maps = "tensor maps";

} // namespace

// ---- Memory and semaphores of others ------------------------------------------------------------

CUresult cuImportExternalMemory(CUexternalMemory *, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *) {
  return lacking(external_memory);
}
CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr *, CUexternalMemory,
                                         const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *) {
  return lacking(external_memory);
}
CUresult
cuExternalMemoryGetMappedMipmappedArray(CUmipmappedArray *, CUexternalMemory,
                                        const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *) {
  return lacking(external_memory);
}
CUresult cuDestroyExternalMemory(CUexternalMemory) { return lacking(external_memory); }
CUresult cuImportExternalSemaphore(CUexternalSemaphore *,
                                   const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *) {
  return lacking(external_semaphores);
}
HEDDLE_DRIVER_STREAM_CALL(cuSignalExternalSemaphoresAsync,
                          (const CUexternalSemaphore *,
                           const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *, unsigned,
                           CUstream stream),
                          ((void)stream, lacking(external_semaphores)))
HEDDLE_DRIVER_STREAM_CALL(cuWaitExternalSemaphoresAsync,
                          (const CUexternalSemaphore *, const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *,
                           unsigned, CUstream stream),
                          ((void)stream, lacking(external_semaphores)))
CUresult cuDestroyExternalSemaphore(CUexternalSemaphore) { return lacking(external_semaphores); }

CUresult cuGraphAddExternalSemaphoresSignalNode(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                                                const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *) {
  return lacking(external_semaphores);
}
CUresult cuGraphAddExternalSemaphoresWaitNode(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                                              const CUDA_EXT_SEM_WAIT_NODE_PARAMS *) {
  return lacking(external_semaphores);
}
CUresult cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode,
                                                      CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *) {
  return lacking(external_semaphores);
}
CUresult cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode,
                                                      const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *) {
  return lacking(external_semaphores);
}
CUresult cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode, CUDA_EXT_SEM_WAIT_NODE_PARAMS *) {
  return lacking(external_semaphores);
}
CUresult cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode,
                                                    const CUDA_EXT_SEM_WAIT_NODE_PARAMS *) {
  return lacking(external_semaphores);
}
CUresult cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec, CUgraphNode,
                                                          const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *) {
  return lacking(external_semaphores);
}
CUresult cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec, CUgraphNode,
                                                        const CUDA_EXT_SEM_WAIT_NODE_PARAMS *) {
  return lacking(external_semaphores);
}

// ---- Hardware -----------------------------------------------------------------------------------

CUresult cuMulticastCreate(CUmemGenericAllocationHandle *, const CUmulticastObjectProp *) {
  return lacking(multicast);
}
CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle, CUdevice) { return lacking(multicast); }
CUresult cuMulticastBindMem(CUmemGenericAllocationHandle, size_t, CUmemGenericAllocationHandle,
                            size_t, size_t, unsigned long long) {
  return lacking(multicast);
}
CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle, size_t, CUdeviceptr, size_t,
                             unsigned long long) {
  return lacking(multicast);
}
CUresult cuMulticastUnbind(CUmemGenericAllocationHandle, CUdevice, size_t, size_t) {
  return lacking(multicast);
}
CUresult cuMulticastGetGranularity(size_t *, const CUmulticastObjectProp *,
                                   CUmulticastGranularity_flags) {
  return lacking(multicast);
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                                const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                                const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return lacking(tensor_maps);
}
CUresult cuTensorMapEncodeIm2col(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                                 const cuuint64_t *, const cuuint64_t *, const int *, const int *,
                                 cuuint32_t, cuuint32_t, const cuuint32_t *, CUtensorMapInterleave,
                                 CUtensorMapSwizzle, CUtensorMapL2promotion,
                                 CUtensorMapFloatOOBfill) {
  return lacking(tensor_maps);
}
CUresult cuTensorMapReplaceAddress(CUtensorMap *, void *) { return lacking(tensor_maps); }

CUresult cuDeviceGetNvSciSyncAttributes(void *, CUdevice, int) {
  return lacking("NvSci synchronisation");
}
CUresult cuDeviceRegisterAsyncNotification(CUdevice, CUasyncCallback, void *,
                                           CUasyncCallbackHandle *) {
  return lacking(notifications);
}
CUresult cuDeviceUnregisterAsyncNotification(CUdevice, CUasyncCallbackHandle) {
  return lacking(notifications);
}
CUresult cuMemGetHandleForAddressRange(void *, CUdeviceptr, size_t, CUmemRangeHandleType,
                                       unsigned long long) {
  return lacking("memory for other devices (DMA-BUF)");
}
HEDDLE_DRIVER_STREAM_CALL(cuMemMapArrayAsync, (CUarrayMapInfo *, unsigned, CUstream stream),
                          ((void)stream, lacking("sparse arrays")))
CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *, unsigned, unsigned) {
  return lacking("cooperative launches on several devices");
}
CUresult cuLibraryGetUnifiedFunction(void **, CUlibrary, const char *) {
  return lacking("function pointers for host and device");
}
CUresult cuGetExportTable(const void **, const CUuuid *) {
  return lacking(
      "private tables of the driver, which NVIDIA's runtime asks for where it is part of a "
      "program (libcudart_static.a, as in CuPy's wheels); programs that are linked with "
      "libcudart.so run");
}
