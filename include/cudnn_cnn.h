// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudnn_cnn.h: convolutions.
#ifndef CUDNN_CNN_H_
#define CUDNN_CNN_H_

#include "cudnn_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

#define STATUS cudnnStatus_t CUDNNWINAPI
#define TENSOR const cudnnTensorDescriptor_t
#define FILTER const cudnnFilterDescriptor_t
#define CONVOLUTION const cudnnConvolutionDescriptor_t

STATUS cudnnCnnVersionCheck(void);
STATUS cudnnCnnInferVersionCheck(void);
STATUS cudnnCnnTrainVersionCheck(void);

STATUS cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *convDesc);
STATUS cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t convDesc);
STATUS cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t convDesc, int pad_h, int pad_w,
                                       int u, int v, int dilation_h, int dilation_w,
                                       cudnnConvolutionMode_t mode, cudnnDataType_t computeType);
STATUS cudnnGetConvolution2dDescriptor(CONVOLUTION convDesc, int *pad_h, int *pad_w, int *u, int *v,
                                       int *dilation_h, int *dilation_w,
                                       cudnnConvolutionMode_t *mode, cudnnDataType_t *computeType);
STATUS cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t convDesc, int arrayLength,
                                       const int padA[], const int filterStrideA[],
                                       const int dilationA[], cudnnConvolutionMode_t mode,
                                       cudnnDataType_t computeType);
STATUS cudnnGetConvolutionNdDescriptor(CONVOLUTION convDesc, int arrayLengthRequested,
                                       int *arrayLength, int padA[], int strideA[], int dilationA[],
                                       cudnnConvolutionMode_t *mode, cudnnDataType_t *computeType);
STATUS cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t convDesc, cudnnMathType_t mathType);
STATUS cudnnGetConvolutionMathType(cudnnConvolutionDescriptor_t convDesc,
                                   cudnnMathType_t *mathType);
STATUS cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t convDesc, int groupCount);
STATUS cudnnGetConvolutionGroupCount(cudnnConvolutionDescriptor_t convDesc, int *groupCount);
STATUS cudnnSetConvolutionReorderType(cudnnConvolutionDescriptor_t convDesc,
                                      cudnnReorderType_t reorderType);
STATUS cudnnGetConvolutionReorderType(cudnnConvolutionDescriptor_t convDesc,
                                      cudnnReorderType_t *reorderType);
STATUS cudnnGetConvolution2dForwardOutputDim(CONVOLUTION convDesc, TENSOR inputTensorDesc,
                                             FILTER filterDesc, int *n, int *c, int *h, int *w);
STATUS cudnnGetConvolutionNdForwardOutputDim(CONVOLUTION convDesc, TENSOR inputTensorDesc,
                                             FILTER filterDesc, int nbDims, int tensorOuputDimA[]);

STATUS cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t handle, int *count);
STATUS cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t handle, TENSOR srcDesc,
                                              FILTER filterDesc, CONVOLUTION convDesc,
                                              TENSOR destDesc, const int requestedAlgoCount,
                                              int *returnedAlgoCount,
                                              cudnnConvolutionFwdAlgoPerf_t *perfResults);
STATUS cudnnFindConvolutionForwardAlgorithm(cudnnHandle_t handle, TENSOR xDesc, FILTER wDesc,
                                            CONVOLUTION convDesc, TENSOR yDesc,
                                            const int requestedAlgoCount, int *returnedAlgoCount,
                                            cudnnConvolutionFwdAlgoPerf_t *perfResults);
STATUS cudnnFindConvolutionForwardAlgorithmEx(cudnnHandle_t handle, TENSOR xDesc, const void *x,
                                              FILTER wDesc, const void *w, CONVOLUTION convDesc,
                                              TENSOR yDesc, void *y, const int requestedAlgoCount,
                                              int *returnedAlgoCount,
                                              cudnnConvolutionFwdAlgoPerf_t *perfResults,
                                              void *workSpace, size_t workSpaceSizeInBytes);
STATUS cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t handle, TENSOR xDesc, FILTER wDesc,
                                               CONVOLUTION convDesc, TENSOR yDesc,
                                               cudnnConvolutionFwdAlgo_t algo, size_t *sizeInBytes);
STATUS cudnnConvolutionForward(cudnnHandle_t handle, const void *alpha, TENSOR xDesc, const void *x,
                               FILTER wDesc, const void *w, CONVOLUTION convDesc,
                               cudnnConvolutionFwdAlgo_t algo, void *workSpace,
                               size_t workSpaceSizeInBytes, const void *beta, TENSOR yDesc,
                               void *y);
STATUS cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void *alpha1, TENSOR xDesc, const void *x, FILTER wDesc,
    const void *w, CONVOLUTION convDesc, cudnnConvolutionFwdAlgo_t algo, void *workSpace,
    size_t workSpaceSizeInBytes, const void *alpha2, TENSOR zDesc, const void *z, TENSOR biasDesc,
    const void *bias, const cudnnActivationDescriptor_t activationDesc, TENSOR yDesc, void *y);
STATUS cudnnIm2Col(cudnnHandle_t handle, TENSOR xDesc, const void *x, FILTER wDesc,
                   CONVOLUTION convDesc, void *colBuffer);
STATUS cudnnReorderFilterAndBias(cudnnHandle_t handle, FILTER filterDesc,
                                 cudnnReorderType_t reorderType, const void *filterData,
                                 void *reorderedFilterData, int reorderBias, const void *biasData,
                                 void *reorderedBiasData);

STATUS cudnnGetConvolutionBackwardDataAlgorithmMaxCount(cudnnHandle_t handle, int *count);
STATUS cudnnGetConvolutionBackwardDataAlgorithm_v7(cudnnHandle_t handle, FILTER filterDesc,
                                                   TENSOR diffDesc, CONVOLUTION convDesc,
                                                   TENSOR gradDesc, const int requestedAlgoCount,
                                                   int *returnedAlgoCount,
                                                   cudnnConvolutionBwdDataAlgoPerf_t *perfResults);
STATUS cudnnFindConvolutionBackwardDataAlgorithm(cudnnHandle_t handle, FILTER wDesc, TENSOR dyDesc,
                                                 CONVOLUTION convDesc, TENSOR dxDesc,
                                                 const int requestedAlgoCount,
                                                 int *returnedAlgoCount,
                                                 cudnnConvolutionBwdDataAlgoPerf_t *perfResults);
STATUS cudnnFindConvolutionBackwardDataAlgorithmEx(cudnnHandle_t handle, FILTER wDesc,
                                                   const void *w, TENSOR dyDesc, const void *dy,
                                                   CONVOLUTION convDesc, TENSOR dxDesc, void *dx,
                                                   const int requestedAlgoCount,
                                                   int *returnedAlgoCount,
                                                   cudnnConvolutionBwdDataAlgoPerf_t *perfResults,
                                                   void *workSpace, size_t workSpaceSizeInBytes);
STATUS cudnnGetConvolutionBackwardDataWorkspaceSize(cudnnHandle_t handle, FILTER wDesc,
                                                    TENSOR dyDesc, CONVOLUTION convDesc,
                                                    TENSOR dxDesc,
                                                    cudnnConvolutionBwdDataAlgo_t algo,
                                                    size_t *sizeInBytes);
STATUS cudnnConvolutionBackwardData(cudnnHandle_t handle, const void *alpha, FILTER wDesc,
                                    const void *w, TENSOR dyDesc, const void *dy,
                                    CONVOLUTION convDesc, cudnnConvolutionBwdDataAlgo_t algo,
                                    void *workSpace, size_t workSpaceSizeInBytes, const void *beta,
                                    TENSOR dxDesc, void *dx);
STATUS cudnnGetFoldedConvBackwardDataDescriptors(
    const cudnnHandle_t handle, FILTER filterDesc, TENSOR diffDesc, CONVOLUTION convDesc,
    TENSOR gradDesc, const cudnnTensorFormat_t transformFormat,
    cudnnFilterDescriptor_t foldedFilterDesc, cudnnTensorDescriptor_t paddedDiffDesc,
    cudnnConvolutionDescriptor_t foldedConvDesc, cudnnTensorDescriptor_t foldedGradDesc,
    cudnnTensorTransformDescriptor_t filterFoldTransDesc,
    cudnnTensorTransformDescriptor_t diffPadTransDesc,
    cudnnTensorTransformDescriptor_t gradFoldTransDesc,
    cudnnTensorTransformDescriptor_t gradUnfoldTransDesc);

STATUS cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(cudnnHandle_t handle, int *count);
STATUS
cudnnGetConvolutionBackwardFilterAlgorithm_v7(cudnnHandle_t handle, TENSOR srcDesc, TENSOR diffDesc,
                                              CONVOLUTION convDesc, FILTER gradDesc,
                                              const int requestedAlgoCount, int *returnedAlgoCount,
                                              cudnnConvolutionBwdFilterAlgoPerf_t *perfResults);
STATUS
cudnnFindConvolutionBackwardFilterAlgorithm(cudnnHandle_t handle, TENSOR xDesc, TENSOR dyDesc,
                                            CONVOLUTION convDesc, FILTER dwDesc,
                                            const int requestedAlgoCount, int *returnedAlgoCount,
                                            cudnnConvolutionBwdFilterAlgoPerf_t *perfResults);
STATUS cudnnFindConvolutionBackwardFilterAlgorithmEx(
    cudnnHandle_t handle, TENSOR xDesc, const void *x, TENSOR dyDesc, const void *y,
    CONVOLUTION convDesc, FILTER dwDesc, void *dw, const int requestedAlgoCount,
    int *returnedAlgoCount, cudnnConvolutionBwdFilterAlgoPerf_t *perfResults, void *workSpace,
    size_t workSpaceSizeInBytes);
STATUS cudnnGetConvolutionBackwardFilterWorkspaceSize(cudnnHandle_t handle, TENSOR xDesc,
                                                      TENSOR dyDesc, CONVOLUTION convDesc,
                                                      FILTER gradDesc,
                                                      cudnnConvolutionBwdFilterAlgo_t algo,
                                                      size_t *sizeInBytes);
STATUS cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void *alpha, TENSOR xDesc,
                                      const void *x, TENSOR dyDesc, const void *dy,
                                      CONVOLUTION convDesc, cudnnConvolutionBwdFilterAlgo_t algo,
                                      void *workSpace, size_t workSpaceSizeInBytes,
                                      const void *beta, FILTER dwDesc, void *dw);
STATUS cudnnConvolutionBackwardBias(cudnnHandle_t handle, const void *alpha, TENSOR dyDesc,
                                    const void *dy, const void *beta, TENSOR dbDesc, void *db);

// Calls of version 7, which programs still make.
STATUS cudnnGetConvolutionForwardAlgorithm(cudnnHandle_t handle, TENSOR xDesc, FILTER wDesc,
                                           CONVOLUTION convDesc, TENSOR yDesc,
                                           cudnnConvolutionFwdPreference_t preference,
                                           size_t memoryLimitInBytes,
                                           cudnnConvolutionFwdAlgo_t *algo);
STATUS cudnnGetConvolutionBackwardDataAlgorithm(cudnnHandle_t handle, FILTER wDesc, TENSOR dyDesc,
                                                CONVOLUTION convDesc, TENSOR dxDesc,
                                                cudnnConvolutionBwdDataPreference_t preference,
                                                size_t memoryLimitInBytes,
                                                cudnnConvolutionBwdDataAlgo_t *algo);
STATUS cudnnGetConvolutionBackwardFilterAlgorithm(cudnnHandle_t handle, TENSOR xDesc, TENSOR dyDesc,
                                                  CONVOLUTION convDesc, FILTER dwDesc,
                                                  cudnnConvolutionBwdFilterPreference_t preference,
                                                  size_t memoryLimitInBytes,
                                                  cudnnConvolutionBwdFilterAlgo_t *algo);

#undef STATUS
#undef TENSOR
#undef FILTER
#undef CONVOLUTION

#ifdef __cplusplus
}
#endif

#endif
