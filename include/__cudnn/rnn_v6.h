// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recurrent networks by the calls of versions 6 and 7, which version 8 still had and version 9 has
// not. Included by cudnn_adv.h, inside its macros.

STATUS cudnnSetRNNDescriptor_v6(cudnnHandle_t handle, RNN rnnDesc, const int hiddenSize,
                                const int numLayers, cudnnDropoutDescriptor_t dropoutDesc,
                                cudnnRNNInputMode_t inputMode, cudnnDirectionMode_t direction,
                                cudnnRNNMode_t cellMode, cudnnRNNAlgo_t algo,
                                cudnnDataType_t mathPrec);
STATUS cudnnGetRNNDescriptor_v6(cudnnHandle_t handle, RNN rnnDesc, int *hiddenSize, int *numLayers,
                                cudnnDropoutDescriptor_t *dropoutDesc,
                                cudnnRNNInputMode_t *inputMode, cudnnDirectionMode_t *direction,
                                cudnnRNNMode_t *cellMode, cudnnRNNAlgo_t *algo,
                                cudnnDataType_t *mathPrec);
STATUS cudnnSetRNNMatrixMathType(RNN rnnDesc, cudnnMathType_t mType);
STATUS cudnnGetRNNMatrixMathType(RNN rnnDesc, cudnnMathType_t *mType);
STATUS cudnnSetRNNBiasMode(RNN rnnDesc, cudnnRNNBiasMode_t biasMode);
STATUS cudnnGetRNNBiasMode(RNN rnnDesc, cudnnRNNBiasMode_t *biasMode);
STATUS cudnnSetRNNProjectionLayers(cudnnHandle_t handle, RNN rnnDesc, const int recProjSize,
                                   const int outProjSize);
STATUS cudnnGetRNNProjectionLayers(cudnnHandle_t handle, const RNN rnnDesc, int *recProjSize,
                                   int *outProjSize);
STATUS cudnnSetRNNPaddingMode(RNN rnnDesc, unsigned paddingMode);
STATUS cudnnGetRNNPaddingMode(RNN rnnDesc, unsigned *paddingMode);
STATUS cudnnRNNSetClip(cudnnHandle_t handle, RNN rnnDesc, cudnnRNNClipMode_t clipMode,
                       cudnnNanPropagation_t clipNanOpt, double lclip, double rclip);
STATUS cudnnRNNGetClip(cudnnHandle_t handle, RNN rnnDesc, cudnnRNNClipMode_t *clipMode,
                       cudnnNanPropagation_t *clipNanOpt, double *lclip, double *rclip);
STATUS cudnnGetRNNWorkspaceSize(cudnnHandle_t handle, const RNN rnnDesc, const int seqLength,
                                TENSOR *xDesc, size_t *sizeInBytes);
STATUS cudnnGetRNNTrainingReserveSize(cudnnHandle_t handle, const RNN rnnDesc, const int seqLength,
                                      TENSOR *xDesc, size_t *sizeInBytes);
STATUS cudnnGetRNNParamsSize(cudnnHandle_t handle, const RNN rnnDesc, TENSOR xDesc,
                             size_t *sizeInBytes, cudnnDataType_t dataType);
STATUS cudnnGetRNNLinLayerMatrixParams(cudnnHandle_t handle, const RNN rnnDesc,
                                       const int pseudoLayer, TENSOR xDesc,
                                       const cudnnFilterDescriptor_t wDesc, const void *w,
                                       const int linLayerID,
                                       cudnnFilterDescriptor_t linLayerMatDesc, void **linLayerMat);
STATUS cudnnGetRNNLinLayerBiasParams(cudnnHandle_t handle, const RNN rnnDesc, const int pseudoLayer,
                                     TENSOR xDesc, const cudnnFilterDescriptor_t wDesc,
                                     const void *w, const int linLayerID,
                                     cudnnFilterDescriptor_t linLayerBiasDesc, void **linLayerBias);
STATUS cudnnRNNForwardInference(cudnnHandle_t handle, const RNN rnnDesc, const int seqLength,
                                TENSOR *xDesc, const void *x, TENSOR hxDesc, const void *hx,
                                TENSOR cxDesc, const void *cx, const cudnnFilterDescriptor_t wDesc,
                                const void *w, TENSOR *yDesc, void *y, TENSOR hyDesc, void *hy,
                                TENSOR cyDesc, void *cy, void *workSpace,
                                size_t workSpaceSizeInBytes);
STATUS cudnnRNNForwardTraining(cudnnHandle_t handle, const RNN rnnDesc, const int seqLength,
                               TENSOR *xDesc, const void *x, TENSOR hxDesc, const void *hx,
                               TENSOR cxDesc, const void *cx, const cudnnFilterDescriptor_t wDesc,
                               const void *w, TENSOR *yDesc, void *y, TENSOR hyDesc, void *hy,
                               TENSOR cyDesc, void *cy, void *workSpace,
                               size_t workSpaceSizeInBytes, void *reserveSpace,
                               size_t reserveSpaceSizeInBytes);
STATUS cudnnRNNBackwardData(cudnnHandle_t handle, const RNN rnnDesc, const int seqLength,
                            TENSOR *yDesc, const void *y, TENSOR *dyDesc, const void *dy,
                            TENSOR dhyDesc, const void *dhy, TENSOR dcyDesc, const void *dcy,
                            const cudnnFilterDescriptor_t wDesc, const void *w, TENSOR hxDesc,
                            const void *hx, TENSOR cxDesc, const void *cx, TENSOR *dxDesc, void *dx,
                            TENSOR dhxDesc, void *dhx, TENSOR dcxDesc, void *dcx, void *workSpace,
                            size_t workSpaceSizeInBytes, void *reserveSpace,
                            size_t reserveSpaceSizeInBytes);
STATUS cudnnRNNBackwardWeights(cudnnHandle_t handle, const RNN rnnDesc, const int seqLength,
                               TENSOR *xDesc, const void *x, TENSOR hxDesc, const void *hx,
                               TENSOR *yDesc, const void *y, const void *workSpace,
                               size_t workSpaceSizeInBytes, const cudnnFilterDescriptor_t dwDesc,
                               void *dw, const void *reserveSpace, size_t reserveSpaceSizeInBytes);
