// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudnn_adv.h: recurrent networks, attention, connectionist temporal classification.
#ifndef CUDNN_ADV_H_
#define CUDNN_ADV_H_

#include "cudnn_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

#define STATUS cudnnStatus_t CUDNNWINAPI
#define TENSOR const cudnnTensorDescriptor_t
#define RNN cudnnRNNDescriptor_t
#define DATA cudnnRNNDataDescriptor_t

STATUS cudnnAdvVersionCheck(void);
STATUS cudnnAdvInferVersionCheck(void);
STATUS cudnnAdvTrainVersionCheck(void);

STATUS cudnnCreateRNNDescriptor(RNN *rnnDesc);
STATUS cudnnDestroyRNNDescriptor(RNN rnnDesc);
STATUS cudnnSetRNNDescriptor_v8(RNN rnnDesc, cudnnRNNAlgo_t algo, cudnnRNNMode_t cellMode,
                                cudnnRNNBiasMode_t biasMode, cudnnDirectionMode_t dirMode,
                                cudnnRNNInputMode_t inputMode, cudnnDataType_t dataType,
                                cudnnDataType_t mathPrec, cudnnMathType_t mathType,
                                int32_t inputSize, int32_t hiddenSize, int32_t projSize,
                                int32_t numLayers, cudnnDropoutDescriptor_t dropoutDesc,
                                uint32_t auxFlags);
STATUS cudnnGetRNNDescriptor_v8(RNN rnnDesc, cudnnRNNAlgo_t *algo, cudnnRNNMode_t *cellMode,
                                cudnnRNNBiasMode_t *biasMode, cudnnDirectionMode_t *dirMode,
                                cudnnRNNInputMode_t *inputMode, cudnnDataType_t *dataType,
                                cudnnDataType_t *mathPrec, cudnnMathType_t *mathType,
                                int32_t *inputSize, int32_t *hiddenSize, int32_t *projSize,
                                int32_t *numLayers, cudnnDropoutDescriptor_t *dropoutDesc,
                                uint32_t *auxFlags);
STATUS cudnnRNNSetClip_v8(RNN rnnDesc, cudnnRNNClipMode_t clipMode,
                          cudnnNanPropagation_t clipNanOpt, double lclip, double rclip);
STATUS cudnnRNNGetClip_v8(RNN rnnDesc, cudnnRNNClipMode_t *clipMode,
                          cudnnNanPropagation_t *clipNanOpt, double *lclip, double *rclip);
STATUS cudnnRNNSetClip_v9(RNN rnnDesc, cudnnRNNClipMode_t clipMode, double lclip, double rclip);
STATUS cudnnRNNGetClip_v9(RNN rnnDesc, cudnnRNNClipMode_t *clipMode, double *lclip, double *rclip);

STATUS cudnnCreateRNNDataDescriptor(DATA *rnnDataDesc);
STATUS cudnnDestroyRNNDataDescriptor(DATA rnnDataDesc);
STATUS cudnnSetRNNDataDescriptor(DATA rnnDataDesc, cudnnDataType_t dataType,
                                 cudnnRNNDataLayout_t layout, int maxSeqLength, int batchSize,
                                 int vectorSize, const int seqLengthArray[], void *paddingFill);
STATUS cudnnGetRNNDataDescriptor(DATA rnnDataDesc, cudnnDataType_t *dataType,
                                 cudnnRNNDataLayout_t *layout, int *maxSeqLength, int *batchSize,
                                 int *vectorSize, int arrayLengthRequested, int seqLengthArray[],
                                 void *paddingFill);

STATUS cudnnBuildRNNDynamic(cudnnHandle_t handle, RNN rnnDesc, int miniBatch);
STATUS cudnnGetRNNTempSpaceSizes(cudnnHandle_t handle, RNN rnnDesc, cudnnForwardMode_t fwdMode,
                                 DATA xDesc, size_t *workSpaceSize, size_t *reserveSpaceSize);
STATUS cudnnGetRNNWeightSpaceSize(cudnnHandle_t handle, RNN rnnDesc, size_t *weightSpaceSize);
STATUS cudnnGetRNNWeightParams(cudnnHandle_t handle, RNN rnnDesc, int32_t pseudoLayer,
                               size_t weightSpaceSize, const void *weightSpace, int32_t linLayerID,
                               cudnnTensorDescriptor_t mDesc, void **mAddr,
                               cudnnTensorDescriptor_t bDesc, void **bAddr);
STATUS cudnnRNNForward(cudnnHandle_t handle, RNN rnnDesc, cudnnForwardMode_t fwdMode,
                       const int32_t devSeqLengths[], DATA xDesc, const void *x, DATA yDesc,
                       void *y, cudnnTensorDescriptor_t hDesc, const void *hx, void *hy,
                       cudnnTensorDescriptor_t cDesc, const void *cx, void *cy,
                       size_t weightSpaceSize, const void *weightSpace, size_t workSpaceSize,
                       void *workSpace, size_t reserveSpaceSize, void *reserveSpace);
STATUS cudnnRNNBackwardData_v8(cudnnHandle_t handle, RNN rnnDesc, const int32_t devSeqLengths[],
                               DATA yDesc, const void *y, const void *dy, DATA xDesc, void *dx,
                               cudnnTensorDescriptor_t hDesc, const void *hx, const void *dhy,
                               void *dhx, cudnnTensorDescriptor_t cDesc, const void *cx,
                               const void *dcy, void *dcx, size_t weightSpaceSize,
                               const void *weightSpace, size_t workSpaceSize, void *workSpace,
                               size_t reserveSpaceSize, void *reserveSpace);
STATUS cudnnRNNBackwardWeights_v8(cudnnHandle_t handle, RNN rnnDesc, cudnnWgradMode_t addGrad,
                                  const int32_t devSeqLengths[], DATA xDesc, const void *x,
                                  cudnnTensorDescriptor_t hDesc, const void *hx, DATA yDesc,
                                  const void *y, size_t weightSpaceSize, void *dweightSpace,
                                  size_t workSpaceSize, void *workSpace, size_t reserveSpaceSize,
                                  void *reserveSpace);

STATUS cudnnCreateSeqDataDescriptor(cudnnSeqDataDescriptor_t *seqDataDesc);
STATUS cudnnDestroySeqDataDescriptor(cudnnSeqDataDescriptor_t seqDataDesc);
STATUS cudnnSetSeqDataDescriptor(cudnnSeqDataDescriptor_t seqDataDesc, cudnnDataType_t dataType,
                                 int nbDims, const int dimA[], const cudnnSeqDataAxis_t axes[],
                                 size_t seqLengthArraySize, const int seqLengthArray[],
                                 void *paddingFill);
STATUS cudnnGetSeqDataDescriptor(const cudnnSeqDataDescriptor_t seqDataDesc,
                                 cudnnDataType_t *dataType, int *nbDims, int nbDimsRequested,
                                 int dimA[], cudnnSeqDataAxis_t axes[], size_t *seqLengthArraySize,
                                 size_t seqLengthSizeRequested, int seqLengthArray[],
                                 void *paddingFill);
STATUS cudnnCreateAttnDescriptor(cudnnAttnDescriptor_t *attnDesc);
STATUS cudnnDestroyAttnDescriptor(cudnnAttnDescriptor_t attnDesc);
STATUS cudnnSetAttnDescriptor(cudnnAttnDescriptor_t attnDesc, unsigned attnMode, int nHeads,
                              double smScaler, cudnnDataType_t dataType,
                              cudnnDataType_t computePrec, cudnnMathType_t mathType,
                              cudnnDropoutDescriptor_t attnDropoutDesc,
                              cudnnDropoutDescriptor_t postDropoutDesc, int qSize, int kSize,
                              int vSize, int qProjSize, int kProjSize, int vProjSize, int oProjSize,
                              int qoMaxSeqLength, int kvMaxSeqLength, int maxBatchSize,
                              int maxBeamSize);
STATUS cudnnGetAttnDescriptor(cudnnAttnDescriptor_t attnDesc, unsigned *attnMode, int *nHeads,
                              double *smScaler, cudnnDataType_t *dataType,
                              cudnnDataType_t *computePrec, cudnnMathType_t *mathType,
                              cudnnDropoutDescriptor_t *attnDropoutDesc,
                              cudnnDropoutDescriptor_t *postDropoutDesc, int *qSize, int *kSize,
                              int *vSize, int *qProjSize, int *kProjSize, int *vProjSize,
                              int *oProjSize, int *qoMaxSeqLength, int *kvMaxSeqLength,
                              int *maxBatchSize, int *maxBeamSize);
STATUS cudnnGetMultiHeadAttnBuffers(cudnnHandle_t handle, const cudnnAttnDescriptor_t attnDesc,
                                    size_t *weightSizeInBytes, size_t *workSpaceSizeInBytes,
                                    size_t *reserveSpaceSizeInBytes);
STATUS cudnnGetMultiHeadAttnWeights(cudnnHandle_t handle, const cudnnAttnDescriptor_t attnDesc,
                                    cudnnMultiHeadAttnWeightKind_t wKind, size_t weightSizeInBytes,
                                    const void *weights, cudnnTensorDescriptor_t wDesc,
                                    void **wAddr);
STATUS cudnnMultiHeadAttnForward(cudnnHandle_t handle, const cudnnAttnDescriptor_t attnDesc,
                                 int currIdx, const int loWinIdx[], const int hiWinIdx[],
                                 const int devSeqLengthsQO[], const int devSeqLengthsKV[],
                                 const cudnnSeqDataDescriptor_t qDesc, const void *queries,
                                 const void *residuals, const cudnnSeqDataDescriptor_t kDesc,
                                 const void *keys, const cudnnSeqDataDescriptor_t vDesc,
                                 const void *values, const cudnnSeqDataDescriptor_t oDesc,
                                 void *out, size_t weightSizeInBytes, const void *weights,
                                 size_t workSpaceSizeInBytes, void *workSpace,
                                 size_t reserveSpaceSizeInBytes, void *reserveSpace);
STATUS cudnnMultiHeadAttnBackwardData(
    cudnnHandle_t handle, const cudnnAttnDescriptor_t attnDesc, const int loWinIdx[],
    const int hiWinIdx[], const int devSeqLengthsDQDO[], const int devSeqLengthsDKDV[],
    const cudnnSeqDataDescriptor_t doDesc, const void *dout, const cudnnSeqDataDescriptor_t dqDesc,
    void *dqueries, const void *queries, const cudnnSeqDataDescriptor_t dkDesc, void *dkeys,
    const void *keys, const cudnnSeqDataDescriptor_t dvDesc, void *dvalues, const void *values,
    size_t weightSizeInBytes, const void *weights, size_t workSpaceSizeInBytes, void *workSpace,
    size_t reserveSpaceSizeInBytes, void *reserveSpace);
STATUS cudnnMultiHeadAttnBackwardWeights(
    cudnnHandle_t handle, const cudnnAttnDescriptor_t attnDesc, cudnnWgradMode_t addGrad,
    const cudnnSeqDataDescriptor_t qDesc, const void *queries, const cudnnSeqDataDescriptor_t kDesc,
    const void *keys, const cudnnSeqDataDescriptor_t vDesc, const void *values,
    const cudnnSeqDataDescriptor_t doDesc, const void *dout, size_t weightSizeInBytes,
    const void *weights, void *dweights, size_t workSpaceSizeInBytes, void *workSpace,
    size_t reserveSpaceSizeInBytes, void *reserveSpace);

STATUS cudnnCreateCTCLossDescriptor(cudnnCTCLossDescriptor_t *ctcLossDesc);
STATUS cudnnDestroyCTCLossDescriptor(cudnnCTCLossDescriptor_t ctcLossDesc);
STATUS cudnnSetCTCLossDescriptor(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t compType);
STATUS cudnnSetCTCLossDescriptorEx(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t compType,
                                   cudnnLossNormalizationMode_t normMode,
                                   cudnnNanPropagation_t gradMode);
STATUS cudnnSetCTCLossDescriptor_v8(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t compType,
                                    cudnnLossNormalizationMode_t normMode,
                                    cudnnNanPropagation_t gradMode, int maxLabelLength);
STATUS cudnnSetCTCLossDescriptor_v9(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t compType,
                                    cudnnLossNormalizationMode_t normMode,
                                    cudnnCTCGradMode_t ctcGradMode, int maxLabelLength);
STATUS cudnnGetCTCLossDescriptor(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t *compType);
STATUS cudnnGetCTCLossDescriptorEx(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t *compType,
                                   cudnnLossNormalizationMode_t *normMode,
                                   cudnnNanPropagation_t *gradMode);
STATUS cudnnGetCTCLossDescriptor_v8(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t *compType,
                                    cudnnLossNormalizationMode_t *normMode,
                                    cudnnNanPropagation_t *gradMode, int *maxLabelLength);
STATUS cudnnGetCTCLossDescriptor_v9(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t *compType,
                                    cudnnLossNormalizationMode_t *normMode,
                                    cudnnCTCGradMode_t *ctcGradMode, int *maxLabelLength);
STATUS cudnnGetCTCLossWorkspaceSize(cudnnHandle_t handle, TENSOR probsDesc, TENSOR gradientsDesc,
                                    const int *labels, const int *labelLengths,
                                    const int *inputLengths, cudnnCTCLossAlgo_t algo,
                                    cudnnCTCLossDescriptor_t ctcLossDesc, size_t *sizeInBytes);
STATUS cudnnGetCTCLossWorkspaceSize_v8(cudnnHandle_t handle, cudnnCTCLossAlgo_t algo,
                                       cudnnCTCLossDescriptor_t ctcLossDesc, TENSOR probsDesc,
                                       TENSOR gradientsDesc, size_t *sizeInBytes);
STATUS cudnnCTCLoss(cudnnHandle_t handle, TENSOR probsDesc, const void *probs,
                    const int hostLabels[], const int hostLabelLengths[],
                    const int hostInputLengths[], void *costs, TENSOR gradientsDesc,
                    void *gradients, cudnnCTCLossAlgo_t algo, cudnnCTCLossDescriptor_t ctcLossDesc,
                    void *workspace, size_t workSpaceSizeInBytes);
STATUS cudnnCTCLoss_v8(cudnnHandle_t handle, cudnnCTCLossAlgo_t algo,
                       cudnnCTCLossDescriptor_t ctcLossDesc, TENSOR probsDesc, const void *probs,
                       const int labels[], const int labelLengths[], const int inputLengths[],
                       void *costs, TENSOR gradientsDesc, void *gradients,
                       size_t workSpaceSizeInBytes, void *workspace);

#include "__cudnn/rnn_v6.h"

#undef STATUS
#undef TENSOR
#undef RNN
#undef DATA

#ifdef __cplusplus
}
#endif

#endif
