// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention by descriptors of its own, which is not there: the backend API's graphs of products of
// matrices compute it. Each call says so.
#include "core.h"

using namespace heddle::cudnn;

namespace {
cudnnStatus_t notThere(const char *function) {
  return call(function, [] {
    supported(false, "attention by descriptors is not supported; the backend API has its products");
  });
}
} // namespace

#define NOT_THERE(Name, ...)                                                                       \
  cudnnStatus_t Name(__VA_ARGS__) { return notThere(__func__); }

NOT_THERE(cudnnCreateSeqDataDescriptor, cudnnSeqDataDescriptor_t *)
NOT_THERE(cudnnDestroySeqDataDescriptor, cudnnSeqDataDescriptor_t)
NOT_THERE(cudnnSetSeqDataDescriptor, cudnnSeqDataDescriptor_t, cudnnDataType_t, int, const int *,
          const cudnnSeqDataAxis_t *, size_t, const int *, void *)
NOT_THERE(cudnnGetSeqDataDescriptor, const cudnnSeqDataDescriptor_t, cudnnDataType_t *, int *, int,
          int *, cudnnSeqDataAxis_t *, size_t *, size_t, int *, void *)
NOT_THERE(cudnnCreateAttnDescriptor, cudnnAttnDescriptor_t *)
NOT_THERE(cudnnDestroyAttnDescriptor, cudnnAttnDescriptor_t)
NOT_THERE(cudnnSetAttnDescriptor, cudnnAttnDescriptor_t, unsigned, int, double, cudnnDataType_t,
          cudnnDataType_t, cudnnMathType_t, cudnnDropoutDescriptor_t, cudnnDropoutDescriptor_t, int,
          int, int, int, int, int, int, int, int, int, int)
NOT_THERE(cudnnGetAttnDescriptor, cudnnAttnDescriptor_t, unsigned *, int *, double *,
          cudnnDataType_t *, cudnnDataType_t *, cudnnMathType_t *, cudnnDropoutDescriptor_t *,
          cudnnDropoutDescriptor_t *, int *, int *, int *, int *, int *, int *, int *, int *, int *,
          int *, int *)
NOT_THERE(cudnnGetMultiHeadAttnBuffers, cudnnHandle_t, const cudnnAttnDescriptor_t, size_t *,
          size_t *, size_t *)
NOT_THERE(cudnnGetMultiHeadAttnWeights, cudnnHandle_t, const cudnnAttnDescriptor_t,
          cudnnMultiHeadAttnWeightKind_t, size_t, const void *, cudnnTensorDescriptor_t, void **)
NOT_THERE(cudnnMultiHeadAttnForward, cudnnHandle_t, const cudnnAttnDescriptor_t, int, const int *,
          const int *, const int *, const int *, const cudnnSeqDataDescriptor_t, const void *,
          const void *, const cudnnSeqDataDescriptor_t, const void *,
          const cudnnSeqDataDescriptor_t, const void *, const cudnnSeqDataDescriptor_t, void *,
          size_t, const void *, size_t, void *, size_t, void *)
NOT_THERE(cudnnMultiHeadAttnBackwardData, cudnnHandle_t, const cudnnAttnDescriptor_t, const int *,
          const int *, const int *, const int *, const cudnnSeqDataDescriptor_t, const void *,
          const cudnnSeqDataDescriptor_t, void *, const void *, const cudnnSeqDataDescriptor_t,
          void *, const void *, const cudnnSeqDataDescriptor_t, void *, const void *, size_t,
          const void *, size_t, void *, size_t, void *)
NOT_THERE(cudnnMultiHeadAttnBackwardWeights, cudnnHandle_t, const cudnnAttnDescriptor_t,
          cudnnWgradMode_t, const cudnnSeqDataDescriptor_t, const void *,
          const cudnnSeqDataDescriptor_t, const void *, const cudnnSeqDataDescriptor_t,
          const void *, const cudnnSeqDataDescriptor_t, const void *, size_t, const void *, void *,
          size_t, void *, size_t, void *)
