// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What joins CUDA to other programming interfaces (Vulkan, NvSci) or to parts of NVIDIA's
// driver that Heddle does not have: each call says so and returns cudaErrorNotSupported.
#include "api/entry.h"

using namespace heddle;
using namespace heddle::api;

namespace {

cudaError_t lacking(const char *what) {
  return callPlatform([&](Platform &) { return notSupported(what); });
}

constexpr const char *external_memory = "memory of other programming interfaces";
constexpr const char *external_semaphores = "semaphores of other programming interfaces";

} // namespace

// ---- Memory and semaphores of others ------------------------------------------------------------

cudaError_t cudaImportExternalMemory(cudaExternalMemory_t *, const cudaExternalMemoryHandleDesc *) {
  return lacking(external_memory);
}
cudaError_t cudaExternalMemoryGetMappedBuffer(void **, cudaExternalMemory_t,
                                              const cudaExternalMemoryBufferDesc *) {
  return lacking(external_memory);
}
cudaError_t
cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t *, cudaExternalMemory_t,
                                          const cudaExternalMemoryMipmappedArrayDesc *) {
  return lacking(external_memory);
}
cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t) { return lacking(external_memory); }

cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t *,
                                        const cudaExternalSemaphoreHandleDesc *) {
  return lacking(external_semaphores);
}
HEDDLE_STREAM_CALL(cudaSignalExternalSemaphoresAsync_v2,
                   (const cudaExternalSemaphore_t *, const cudaExternalSemaphoreSignalParams *,
                    unsigned, cudaStream_t stream),
                   ((void)stream, lacking(external_semaphores)))
HEDDLE_STREAM_CALL(cudaWaitExternalSemaphoresAsync_v2,
                   (const cudaExternalSemaphore_t *, const cudaExternalSemaphoreWaitParams *,
                    unsigned, cudaStream_t stream),
                   ((void)stream, lacking(external_semaphores)))
cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t) {
  return lacking(external_semaphores);
}

// ---- Parts of the driver ------------------------------------------------------------------------

cudaError_t cudaDeviceGetNvSciSyncAttributes(void *, int, int) {
  return lacking("NvSci synchronisation");
}
cudaError_t cudaDeviceRegisterAsyncNotification(int, cudaAsyncCallback, void *,
                                                cudaAsyncCallbackHandle_t *) {
  return lacking("notifications of memory pressure");
}
cudaError_t cudaDeviceUnregisterAsyncNotification(int, cudaAsyncCallbackHandle_t) {
  return lacking("notifications of memory pressure");
}
cudaError_t cudaGetExportTable(const void **, const cudaUUID_t *) {
  return lacking("private tables of functions");
}
cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams *, unsigned, unsigned) {
  return lacking("cooperative launches on several devices");
}
