// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudnn_graph.h: handles and errors of cuDNN, and the backend API, which runs graphs of operations.
#ifndef CUDNN_GRAPH_H_
#define CUDNN_GRAPH_H_

#include <cuda_runtime_api.h>
#include <library_types.h>
#include <stddef.h>
#include <stdint.h>

#include "cudnn_version.h"

#ifndef CUDNNWINAPI
#define CUDNNWINAPI
#endif

#include "__cudnn/attributes.h"
#include "__cudnn/backend.h"
#include "__cudnn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

size_t CUDNNWINAPI cudnnGetVersion(void);
size_t CUDNNWINAPI cudnnGetMaxDeviceVersion(void);
size_t CUDNNWINAPI cudnnGetCudartVersion(void);
const char *CUDNNWINAPI cudnnGetErrorString(cudnnStatus_t status);
void CUDNNWINAPI cudnnGetLastErrorString(char *message, size_t max_size);
cudnnStatus_t CUDNNWINAPI cudnnQueryRuntimeError(cudnnHandle_t handle, cudnnStatus_t *rstatus,
                                                 cudnnErrQueryMode_t mode, cudnnRuntimeTag_t *tag);
cudnnStatus_t CUDNNWINAPI cudnnGetProperty(libraryPropertyType type, int *value);
cudnnStatus_t CUDNNWINAPI cudnnGraphVersionCheck(void);
cudnnStatus_t CUDNNWINAPI cudnnCreate(cudnnHandle_t *handle);
cudnnStatus_t CUDNNWINAPI cudnnDestroy(cudnnHandle_t handle);
cudnnStatus_t CUDNNWINAPI cudnnSetStream(cudnnHandle_t handle, cudaStream_t streamId);
cudnnStatus_t CUDNNWINAPI cudnnGetStream(cudnnHandle_t handle, cudaStream_t *streamId);
cudnnStatus_t CUDNNWINAPI cudnnSetCallback(unsigned mask, void *udata, cudnnCallback_t fptr);
cudnnStatus_t CUDNNWINAPI cudnnGetCallback(unsigned *mask, void **udata, cudnnCallback_t *fptr);

cudnnStatus_t CUDNNWINAPI cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t descriptorType,
                                                       cudnnBackendDescriptor_t *descriptor);
cudnnStatus_t CUDNNWINAPI cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor);
cudnnStatus_t CUDNNWINAPI cudnnBackendInitialize(cudnnBackendDescriptor_t descriptor);
cudnnStatus_t CUDNNWINAPI cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor);
cudnnStatus_t CUDNNWINAPI cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor,
                                                   cudnnBackendAttributeName_t attributeName,
                                                   cudnnBackendAttributeType_t attributeType,
                                                   int64_t elementCount,
                                                   const void *arrayOfElements);
cudnnStatus_t CUDNNWINAPI cudnnBackendGetAttribute(const cudnnBackendDescriptor_t descriptor,
                                                   cudnnBackendAttributeName_t attributeName,
                                                   cudnnBackendAttributeType_t attributeType,
                                                   int64_t requestedElementCount,
                                                   int64_t *elementCount, void *arrayOfElements);
cudnnStatus_t CUDNNWINAPI cudnnBackendExecute(cudnnHandle_t handle,
                                              cudnnBackendDescriptor_t executionPlan,
                                              cudnnBackendDescriptor_t variantPack);

#ifdef __cplusplus
}
#endif

#endif
