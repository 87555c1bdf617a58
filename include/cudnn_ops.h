// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudnn_ops.h: cuDNN's tensors and the operations of layers that are no convolutions.
#ifndef CUDNN_OPS_H_
#define CUDNN_OPS_H_

#include "cudnn_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

#define STATUS cudnnStatus_t CUDNNWINAPI
#define TENSOR const cudnnTensorDescriptor_t
#define FILTER const cudnnFilterDescriptor_t

STATUS cudnnOpsVersionCheck(void);
STATUS cudnnOpsInferVersionCheck(void);
STATUS cudnnOpsTrainVersionCheck(void);

STATUS cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *tensorDesc);
STATUS cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensorDesc);
STATUS cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensorDesc, cudnnTensorFormat_t format,
                                  cudnnDataType_t dataType, int n, int c, int h, int w);
STATUS cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t tensorDesc, cudnnDataType_t dataType,
                                    int n, int c, int h, int w, int nStride, int cStride,
                                    int hStride, int wStride);
STATUS cudnnGetTensor4dDescriptor(TENSOR tensorDesc, cudnnDataType_t *dataType, int *n, int *c,
                                  int *h, int *w, int *nStride, int *cStride, int *hStride,
                                  int *wStride);
STATUS cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t tensorDesc, cudnnDataType_t dataType,
                                  int nbDims, const int dimA[], const int strideA[]);
STATUS cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t tensorDesc, cudnnTensorFormat_t format,
                                    cudnnDataType_t dataType, int nbDims, const int dimA[]);
STATUS cudnnGetTensorNdDescriptor(TENSOR tensorDesc, int nbDimsRequested, cudnnDataType_t *dataType,
                                  int *nbDims, int dimA[], int strideA[]);
STATUS cudnnGetTensorSizeInBytes(TENSOR tensorDesc, size_t *size);

STATUS cudnnInitTransformDest(const cudnnTensorTransformDescriptor_t transformDesc, TENSOR srcDesc,
                              cudnnTensorDescriptor_t destDesc, size_t *destSizeInBytes);
STATUS cudnnCreateTensorTransformDescriptor(cudnnTensorTransformDescriptor_t *transformDesc);
STATUS cudnnDestroyTensorTransformDescriptor(cudnnTensorTransformDescriptor_t transformDesc);
STATUS cudnnSetTensorTransformDescriptor(cudnnTensorTransformDescriptor_t transformDesc,
                                         const uint32_t nbDims,
                                         const cudnnTensorFormat_t destFormat,
                                         const int32_t padBeforeA[], const int32_t padAfterA[],
                                         const uint32_t foldA[],
                                         const cudnnFoldingDirection_t direction);
STATUS cudnnGetTensorTransformDescriptor(cudnnTensorTransformDescriptor_t transformDesc,
                                         uint32_t nbDimsRequested, cudnnTensorFormat_t *destFormat,
                                         int32_t padBeforeA[], int32_t padAfterA[],
                                         uint32_t foldA[], cudnnFoldingDirection_t *direction);
STATUS cudnnTransformTensor(cudnnHandle_t handle, const void *alpha, TENSOR xDesc, const void *x,
                            const void *beta, TENSOR yDesc, void *y);
STATUS cudnnTransformTensorEx(cudnnHandle_t handle,
                              const cudnnTensorTransformDescriptor_t transDesc, const void *alpha,
                              TENSOR srcDesc, const void *srcData, const void *beta,
                              TENSOR destDesc, void *destData);
STATUS cudnnTransformFilter(cudnnHandle_t handle, const cudnnTensorTransformDescriptor_t transDesc,
                            const void *alpha, FILTER srcDesc, const void *srcData,
                            const void *beta, FILTER destDesc, void *destData);

STATUS cudnnAddTensor(cudnnHandle_t handle, const void *alpha, TENSOR aDesc, const void *A,
                      const void *beta, TENSOR cDesc, void *C);
STATUS cudnnSetTensor(cudnnHandle_t handle, TENSOR yDesc, void *y, const void *valuePtr);
STATUS cudnnScaleTensor(cudnnHandle_t handle, TENSOR yDesc, void *y, const void *alpha);

STATUS cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t *opTensorDesc);
STATUS cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t opTensorDesc);
STATUS cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t opTensorDesc,
                                  cudnnOpTensorOp_t opTensorOp, cudnnDataType_t opTensorCompType,
                                  cudnnNanPropagation_t opTensorNanOpt);
STATUS cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t opTensorDesc,
                                  cudnnOpTensorOp_t *opTensorOp, cudnnDataType_t *opTensorCompType,
                                  cudnnNanPropagation_t *opTensorNanOpt);
STATUS cudnnOpTensor(cudnnHandle_t handle, const cudnnOpTensorDescriptor_t opTensorDesc,
                     const void *alpha1, TENSOR aDesc, const void *A, const void *alpha2,
                     TENSOR bDesc, const void *B, const void *beta, TENSOR cDesc, void *C);

STATUS cudnnCreateReduceTensorDescriptor(cudnnReduceTensorDescriptor_t *reduceTensorDesc);
STATUS cudnnDestroyReduceTensorDescriptor(cudnnReduceTensorDescriptor_t reduceTensorDesc);
STATUS cudnnSetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                      cudnnReduceTensorOp_t reduceTensorOp,
                                      cudnnDataType_t reduceTensorCompType,
                                      cudnnNanPropagation_t reduceTensorNanOpt,
                                      cudnnReduceTensorIndices_t reduceTensorIndices,
                                      cudnnIndicesType_t reduceTensorIndicesType);
STATUS cudnnGetReduceTensorDescriptor(const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                      cudnnReduceTensorOp_t *reduceTensorOp,
                                      cudnnDataType_t *reduceTensorCompType,
                                      cudnnNanPropagation_t *reduceTensorNanOpt,
                                      cudnnReduceTensorIndices_t *reduceTensorIndices,
                                      cudnnIndicesType_t *reduceTensorIndicesType);
STATUS cudnnGetReductionIndicesSize(cudnnHandle_t handle,
                                    const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                    TENSOR aDesc, TENSOR cDesc, size_t *sizeInBytes);
STATUS cudnnGetReductionWorkspaceSize(cudnnHandle_t handle,
                                      const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                      TENSOR aDesc, TENSOR cDesc, size_t *sizeInBytes);
STATUS cudnnReduceTensor(cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                         void *indices, size_t indicesSizeInBytes, void *workspace,
                         size_t workspaceSizeInBytes, const void *alpha, TENSOR aDesc,
                         const void *A, const void *beta, TENSOR cDesc, void *C);

STATUS cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *filterDesc);
STATUS cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filterDesc);
STATUS cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filterDesc, cudnnDataType_t dataType,
                                  cudnnTensorFormat_t format, int k, int c, int h, int w);
STATUS cudnnGetFilter4dDescriptor(FILTER filterDesc, cudnnDataType_t *dataType,
                                  cudnnTensorFormat_t *format, int *k, int *c, int *h, int *w);
STATUS cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t filterDesc, cudnnDataType_t dataType,
                                  cudnnTensorFormat_t format, int nbDims, const int filterDimA[]);
STATUS cudnnGetFilterNdDescriptor(FILTER filterDesc, int nbDimsRequested, cudnnDataType_t *dataType,
                                  cudnnTensorFormat_t *format, int *nbDims, int filterDimA[]);
STATUS cudnnGetFilterSizeInBytes(FILTER filterDesc, size_t *size);

STATUS cudnnSoftmaxForward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo,
                           cudnnSoftmaxMode_t mode, const void *alpha, TENSOR xDesc, const void *x,
                           const void *beta, TENSOR yDesc, void *y);
STATUS cudnnSoftmaxBackward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo,
                            cudnnSoftmaxMode_t mode, const void *alpha, TENSOR yDesc, const void *y,
                            TENSOR dyDesc, const void *dy, const void *beta, TENSOR dxDesc,
                            void *dx);

STATUS cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t *poolingDesc);
STATUS cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t poolingDesc);
STATUS cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t poolingDesc, cudnnPoolingMode_t mode,
                                   cudnnNanPropagation_t maxpoolingNanOpt, int windowHeight,
                                   int windowWidth, int verticalPadding, int horizontalPadding,
                                   int verticalStride, int horizontalStride);
STATUS cudnnGetPooling2dDescriptor(const cudnnPoolingDescriptor_t poolingDesc,
                                   cudnnPoolingMode_t *mode,
                                   cudnnNanPropagation_t *maxpoolingNanOpt, int *windowHeight,
                                   int *windowWidth, int *verticalPadding, int *horizontalPadding,
                                   int *verticalStride, int *horizontalStride);
STATUS cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t poolingDesc,
                                   const cudnnPoolingMode_t mode,
                                   const cudnnNanPropagation_t maxpoolingNanOpt, int nbDims,
                                   const int windowDimA[], const int paddingA[],
                                   const int strideA[]);
STATUS cudnnGetPoolingNdDescriptor(const cudnnPoolingDescriptor_t poolingDesc, int nbDimsRequested,
                                   cudnnPoolingMode_t *mode,
                                   cudnnNanPropagation_t *maxpoolingNanOpt, int *nbDims,
                                   int windowDimA[], int paddingA[], int strideA[]);
STATUS cudnnGetPoolingNdForwardOutputDim(const cudnnPoolingDescriptor_t poolingDesc,
                                         TENSOR inputTensorDesc, int nbDims,
                                         int outputTensorDimA[]);
STATUS cudnnGetPooling2dForwardOutputDim(const cudnnPoolingDescriptor_t poolingDesc,
                                         TENSOR inputTensorDesc, int *n, int *c, int *h, int *w);
STATUS cudnnPoolingForward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t poolingDesc,
                           const void *alpha, TENSOR xDesc, const void *x, const void *beta,
                           TENSOR yDesc, void *y);
STATUS cudnnPoolingBackward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t poolingDesc,
                            const void *alpha, TENSOR yDesc, const void *y, TENSOR dyDesc,
                            const void *dy, TENSOR xDesc, const void *x, const void *beta,
                            TENSOR dxDesc, void *dx);

STATUS cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t *activationDesc);
STATUS cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t activationDesc);
STATUS cudnnSetActivationDescriptor(cudnnActivationDescriptor_t activationDesc,
                                    cudnnActivationMode_t mode, cudnnNanPropagation_t reluNanOpt,
                                    double coef);
STATUS cudnnGetActivationDescriptor(const cudnnActivationDescriptor_t activationDesc,
                                    cudnnActivationMode_t *mode, cudnnNanPropagation_t *reluNanOpt,
                                    double *coef);
STATUS cudnnSetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t activationDesc,
                                             double swish_beta);
STATUS cudnnGetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t activationDesc,
                                             double *swish_beta);
STATUS cudnnActivationForward(cudnnHandle_t handle, cudnnActivationDescriptor_t activationDesc,
                              const void *alpha, TENSOR xDesc, const void *x, const void *beta,
                              TENSOR yDesc, void *y);
STATUS cudnnActivationBackward(cudnnHandle_t handle, cudnnActivationDescriptor_t activationDesc,
                               const void *alpha, TENSOR yDesc, const void *y, TENSOR dyDesc,
                               const void *dy, TENSOR xDesc, const void *x, const void *beta,
                               TENSOR dxDesc, void *dx);

STATUS cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t *dropoutDesc);
STATUS cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc);
STATUS cudnnDropoutGetStatesSize(cudnnHandle_t handle, size_t *sizeInBytes);
STATUS cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t xdesc, size_t *sizeInBytes);
STATUS cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc, cudnnHandle_t handle,
                                 float dropout, void *states, size_t stateSizeInBytes,
                                 unsigned long long seed);
STATUS cudnnRestoreDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc, cudnnHandle_t handle,
                                     float dropout, void *states, size_t stateSizeInBytes,
                                     unsigned long long seed);
STATUS cudnnGetDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc, cudnnHandle_t handle,
                                 float *dropout, void **states, unsigned long long *seed);
STATUS cudnnDropoutForward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t dropoutDesc,
                           TENSOR xdesc, const void *x, TENSOR ydesc, void *y, void *reserveSpace,
                           size_t reserveSpaceSizeInBytes);
STATUS cudnnDropoutBackward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t dropoutDesc,
                            TENSOR dydesc, const void *dy, TENSOR dxdesc, void *dx,
                            void *reserveSpace, size_t reserveSpaceSizeInBytes);

STATUS cudnnCreateSpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t *stDesc);
STATUS cudnnDestroySpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t stDesc);
STATUS cudnnSetSpatialTransformerNdDescriptor(cudnnSpatialTransformerDescriptor_t stDesc,
                                              cudnnSamplerType_t samplerType,
                                              cudnnDataType_t dataType, const int nbDims,
                                              const int dimA[]);
STATUS cudnnSpatialTfGridGeneratorForward(cudnnHandle_t handle,
                                          const cudnnSpatialTransformerDescriptor_t stDesc,
                                          const void *theta, void *grid);
STATUS cudnnSpatialTfGridGeneratorBackward(cudnnHandle_t handle,
                                           const cudnnSpatialTransformerDescriptor_t stDesc,
                                           const void *dgrid, void *dtheta);
STATUS cudnnSpatialTfSamplerForward(cudnnHandle_t handle,
                                    cudnnSpatialTransformerDescriptor_t stDesc, const void *alpha,
                                    TENSOR xDesc, const void *x, const void *grid, const void *beta,
                                    cudnnTensorDescriptor_t yDesc, void *y);
STATUS cudnnSpatialTfSamplerBackward(cudnnHandle_t handle,
                                     cudnnSpatialTransformerDescriptor_t stDesc, const void *alpha,
                                     TENSOR xDesc, const void *x, const void *beta, TENSOR dxDesc,
                                     void *dx, const void *alphaDgrid, TENSOR dyDesc,
                                     const void *dy, const void *grid, const void *betaDgrid,
                                     void *dgrid);

#undef STATUS
#undef TENSOR
#undef FILTER

#ifdef __cplusplus
}
#endif

#include "__cudnn/normalization.h"

#endif
