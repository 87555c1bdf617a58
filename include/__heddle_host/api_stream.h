// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime API: streams, events, stream capture and external semaphores.
#ifndef HEDDLE_HOST_API_STREAM_H
#define HEDDLE_HOST_API_STREAM_H

#ifndef HEDDLE_HOST_API
#error "Include <cuda_runtime_api.h> instead."
#endif

// ---- Streams ------------------------------------------------------------------------------------
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags HEDDLE_DEFAULT(0));
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void *userData, unsigned int flags);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr,
                                     size_t length HEDDLE_DEFAULT(0),
                                     unsigned int flags HEDDLE_DEFAULT(cudaMemAttachSingle));
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *streamId);
cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   cudaLaunchAttributeValue *value);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value);
cudaError_t cudaCtxResetPersistingL2Cache(void);

// ---- Capturing a stream into a graph ------------------------------------------------------------
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *dependencyData,
                                          size_t numDependencies, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
#if __HEDDLE_CUDA__ < 13
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id HEDDLE_DEFAULT(NULL),
                                     cudaGraph_t *graph HEDDLE_DEFAULT(NULL),
                                     const cudaGraphNode_t **dependencies HEDDLE_DEFAULT(NULL),
                                     size_t *numDependencies HEDDLE_DEFAULT(NULL));
#endif
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id HEDDLE_DEFAULT(NULL),
                                        cudaGraph_t *graph HEDDLE_DEFAULT(NULL),
                                        const cudaGraphNode_t **dependencies HEDDLE_DEFAULT(NULL),
                                        const cudaGraphEdgeData **edgeData HEDDLE_DEFAULT(NULL),
                                        size_t *numDependencies HEDDLE_DEFAULT(NULL));
#if __HEDDLE_CUDA__ < 13
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                size_t numDependencies,
                                                unsigned int flags HEDDLE_DEFAULT(0));
#endif
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream,
                                                   cudaGraphNode_t *dependencies,
                                                   const cudaGraphEdgeData *dependencyData,
                                                   size_t numDependencies,
                                                   unsigned int flags HEDDLE_DEFAULT(0));

// ---- Events -------------------------------------------------------------------------------------
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream HEDDLE_DEFAULT(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream HEDDLE_DEFAULT(0),
                                     unsigned int flags HEDDLE_DEFAULT(0));
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);

// ---- External semaphores ------------------------------------------------------------------------
cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t *semaphore,
                                        const struct cudaExternalSemaphoreHandleDesc *desc);
cudaError_t
cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t *semaphores,
                                  const struct cudaExternalSemaphoreSignalParams *params,
                                  unsigned int count, cudaStream_t stream HEDDLE_DEFAULT(0));
cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t *semaphores,
                                            const struct cudaExternalSemaphoreWaitParams *params,
                                            unsigned int count,
                                            cudaStream_t stream HEDDLE_DEFAULT(0));
cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t semaphore);

#endif
