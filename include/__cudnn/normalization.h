// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The normalisations of cudnn_ops.h: across channels, by batches, by version 8's general calls.
#ifndef __HEDDLE_CUDNN_NORMALIZATION_H__
#define __HEDDLE_CUDNN_NORMALIZATION_H__

#ifdef __cplusplus
extern "C" {
#endif

#define STATUS cudnnStatus_t CUDNNWINAPI
#define TENSOR const cudnnTensorDescriptor_t

STATUS cudnnCreateLRNDescriptor(cudnnLRNDescriptor_t *normDesc);
STATUS cudnnDestroyLRNDescriptor(cudnnLRNDescriptor_t lrnDesc);
STATUS cudnnSetLRNDescriptor(cudnnLRNDescriptor_t normDesc, unsigned lrnN, double lrnAlpha,
                             double lrnBeta, double lrnK);
STATUS cudnnGetLRNDescriptor(cudnnLRNDescriptor_t normDesc, unsigned *lrnN, double *lrnAlpha,
                             double *lrnBeta, double *lrnK);
STATUS cudnnLRNCrossChannelForward(cudnnHandle_t handle, cudnnLRNDescriptor_t normDesc,
                                   cudnnLRNMode_t lrnMode, const void *alpha, TENSOR xDesc,
                                   const void *x, const void *beta, TENSOR yDesc, void *y);
STATUS cudnnLRNCrossChannelBackward(cudnnHandle_t handle, cudnnLRNDescriptor_t normDesc,
                                    cudnnLRNMode_t lrnMode, const void *alpha, TENSOR yDesc,
                                    const void *y, TENSOR dyDesc, const void *dy, TENSOR xDesc,
                                    const void *x, const void *beta, TENSOR dxDesc, void *dx);
STATUS cudnnDivisiveNormalizationForward(cudnnHandle_t handle, cudnnLRNDescriptor_t normDesc,
                                         cudnnDivNormMode_t mode, const void *alpha, TENSOR xDesc,
                                         const void *x, const void *means, void *temp, void *temp2,
                                         const void *beta, TENSOR yDesc, void *y);
STATUS cudnnDivisiveNormalizationBackward(cudnnHandle_t handle, cudnnLRNDescriptor_t normDesc,
                                          cudnnDivNormMode_t mode, const void *alpha, TENSOR xDesc,
                                          const void *x, const void *means, const void *dy,
                                          void *temp, void *temp2, const void *beta,
                                          TENSOR dXdMeansDesc, void *dx, void *dMeans);

STATUS cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t derivedBnDesc, TENSOR xDesc,
                                     cudnnBatchNormMode_t mode);
STATUS cudnnBatchNormalizationForwardInference(cudnnHandle_t handle, cudnnBatchNormMode_t mode,
                                               const void *alpha, const void *beta, TENSOR xDesc,
                                               const void *x, TENSOR yDesc, void *y,
                                               TENSOR bnScaleBiasMeanVarDesc, const void *bnScale,
                                               const void *bnBias, const void *estimatedMean,
                                               const void *estimatedVariance, double epsilon);
STATUS cudnnBatchNormalizationForwardTraining(cudnnHandle_t handle, cudnnBatchNormMode_t mode,
                                              const void *alpha, const void *beta, TENSOR xDesc,
                                              const void *x, TENSOR yDesc, void *y,
                                              TENSOR bnScaleBiasMeanVarDesc, const void *bnScale,
                                              const void *bnBias, double exponentialAverageFactor,
                                              void *resultRunningMean, void *resultRunningVariance,
                                              double epsilon, void *resultSaveMean,
                                              void *resultSaveInvVariance);
STATUS cudnnBatchNormalizationBackward(cudnnHandle_t handle, cudnnBatchNormMode_t mode,
                                       const void *alphaDataDiff, const void *betaDataDiff,
                                       const void *alphaParamDiff, const void *betaParamDiff,
                                       TENSOR xDesc, const void *x, TENSOR dyDesc, const void *dy,
                                       TENSOR dxDesc, void *dx, TENSOR dBnScaleBiasDesc,
                                       const void *bnScale, void *dBnScaleResult,
                                       void *dBnBiasResult, double epsilon, const void *savedMean,
                                       const void *savedInvVariance);
STATUS cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t bnOps, TENSOR xDesc,
    TENSOR zDesc, TENSOR yDesc, TENSOR bnScaleBiasMeanVarDesc,
    const cudnnActivationDescriptor_t activationDesc, size_t *sizeInBytes);
STATUS cudnnGetBatchNormalizationBackwardExWorkspaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t bnOps, TENSOR xDesc,
    TENSOR yDesc, TENSOR dyDesc, TENSOR dzDesc, TENSOR dxDesc, TENSOR dBnScaleBiasDesc,
    const cudnnActivationDescriptor_t activationDesc, size_t *sizeInBytes);
STATUS cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t bnOps,
    const cudnnActivationDescriptor_t activationDesc, TENSOR xDesc, size_t *sizeInBytes);
STATUS cudnnBatchNormalizationForwardTrainingEx(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t bnOps, const void *alpha,
    const void *beta, TENSOR xDesc, const void *xData, TENSOR zDesc, const void *zData,
    TENSOR yDesc, void *yData, TENSOR bnScaleBiasMeanVarDesc, const void *bnScale,
    const void *bnBias, double exponentialAverageFactor, void *resultRunningMean,
    void *resultRunningVariance, double epsilon, void *resultSaveMean, void *resultSaveInvVariance,
    cudnnActivationDescriptor_t activationDesc, void *workspace, size_t workSpaceSizeInBytes,
    void *reserveSpace, size_t reserveSpaceSizeInBytes);
STATUS cudnnBatchNormalizationBackwardEx(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t bnOps,
    const void *alphaDataDiff, const void *betaDataDiff, const void *alphaParamDiff,
    const void *betaParamDiff, TENSOR xDesc, const void *xData, TENSOR yDesc, const void *yData,
    TENSOR dyDesc, const void *dyData, TENSOR dzDesc, void *dzData, TENSOR dxDesc, void *dxData,
    TENSOR dBnScaleBiasDesc, const void *bnScaleData, const void *bnBiasData, void *dBnScaleData,
    void *dBnBiasData, double epsilon, const void *savedMean, const void *savedInvVariance,
    cudnnActivationDescriptor_t activationDesc, void *workSpace, size_t workSpaceSizeInBytes,
    void *reserveSpace, size_t reserveSpaceSizeInBytes);

STATUS cudnnDeriveNormTensorDescriptor(cudnnTensorDescriptor_t derivedNormScaleBiasDesc,
                                       cudnnTensorDescriptor_t derivedNormMeanVarDesc, TENSOR xDesc,
                                       cudnnNormMode_t mode, int groupCnt);
STATUS cudnnNormalizationForwardInference(cudnnHandle_t handle, cudnnNormMode_t mode,
                                          cudnnNormOps_t normOps, cudnnNormAlgo_t algo,
                                          const void *alpha, const void *beta, TENSOR xDesc,
                                          const void *x, TENSOR normScaleBiasDesc,
                                          const void *normScale, const void *normBias,
                                          TENSOR normMeanVarDesc, const void *estimatedMean,
                                          const void *estimatedVariance, TENSOR zDesc,
                                          const void *z, cudnnActivationDescriptor_t activationDesc,
                                          TENSOR yDesc, void *y, double epsilon, int groupCnt);
STATUS cudnnGetNormalizationForwardTrainingWorkspaceSize(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t normOps, cudnnNormAlgo_t algo,
    TENSOR xDesc, TENSOR zDesc, TENSOR yDesc, TENSOR normScaleBiasDesc,
    const cudnnActivationDescriptor_t activationDesc, TENSOR normMeanVarDesc, size_t *sizeInBytes,
    int groupCnt);
STATUS cudnnGetNormalizationBackwardWorkspaceSize(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t normOps, cudnnNormAlgo_t algo,
    TENSOR xDesc, TENSOR yDesc, TENSOR dyDesc, TENSOR dzDesc, TENSOR dxDesc,
    TENSOR dNormScaleBiasDesc, const cudnnActivationDescriptor_t activationDesc,
    TENSOR normMeanVarDesc, size_t *sizeInBytes, int groupCnt);
STATUS
cudnnGetNormalizationTrainingReserveSpaceSize(cudnnHandle_t handle, cudnnNormMode_t mode,
                                              cudnnNormOps_t normOps, cudnnNormAlgo_t algo,
                                              const cudnnActivationDescriptor_t activationDesc,
                                              TENSOR xDesc, size_t *sizeInBytes, int groupCnt);
STATUS cudnnNormalizationForwardTraining(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t normOps, cudnnNormAlgo_t algo,
    const void *alpha, const void *beta, TENSOR xDesc, const void *xData, TENSOR normScaleBiasDesc,
    const void *normScale, const void *normBias, double exponentialAverageFactor,
    TENSOR normMeanVarDesc, void *resultRunningMean, void *resultRunningVariance, double epsilon,
    void *resultSaveMean, void *resultSaveInvVariance, cudnnActivationDescriptor_t activationDesc,
    TENSOR zDesc, const void *zData, TENSOR yDesc, void *yData, void *workspace,
    size_t workSpaceSizeInBytes, void *reserveSpace, size_t reserveSpaceSizeInBytes, int groupCnt);
STATUS cudnnNormalizationBackward(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t normOps, cudnnNormAlgo_t algo,
    const void *alphaDataDiff, const void *betaDataDiff, const void *alphaParamDiff,
    const void *betaParamDiff, TENSOR xDesc, const void *xData, TENSOR yDesc, const void *yData,
    TENSOR dyDesc, const void *dyData, TENSOR dzDesc, void *dzData, TENSOR dxDesc, void *dxData,
    TENSOR dNormScaleBiasDesc, const void *normScaleData, const void *normBiasData,
    void *dNormScaleData, void *dNormBiasData, double epsilon, TENSOR normMeanVarDesc,
    const void *savedMean, const void *savedInvVariance, cudnnActivationDescriptor_t activationDesc,
    void *workSpace, size_t workSpaceSizeInBytes, void *reserveSpace,
    size_t reserveSpaceSizeInBytes, int groupCnt);

#undef STATUS
#undef TENSOR

#ifdef __cplusplus
}
#endif

#endif
