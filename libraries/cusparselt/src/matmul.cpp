// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans and products. There is one algorithm, so that a search finds it at once.
#include "compute.h"

#include "common/task.h"

#include <cuda_runtime_api.h>

using namespace heddle::cusparselt;

namespace {

/// A scalar that the host has at the call, or a vector that the device has later.
struct Factor {
  float value = 0;
  const float *vector = nullptr;

  Factor(const void *pointer, bool is_vector)
      : value(is_vector ? 0 : *static_cast<const float *>(pointer)),
        vector(is_vector ? static_cast<const float *>(pointer) : nullptr) {}
  const float *get() const { return vector ? vector : &value; }
};

cusparseStatus_t start(const char *call, const Matmul &matmul, const void *alpha, const void *a,
                       const void *b, const void *beta, const void *c, void *d,
                       const cudaStream_t *streams, int32_t count) {
  if (!alpha || !a || !b || !beta || !d || count < 0 || (count > 0 && !streams))
    return refuse(call, CUSPARSE_STATUS_INVALID_VALUE, "a pointer is null");
  const bool beta_vector = matmul.beta_vector != 0;
  const Factor first(alpha, matmul.alpha_vector != 0 || beta_vector), second(beta, beta_vector);
  if (!c && (beta_vector || second.value != 0))
    return refuse(call, CUSPARSE_STATUS_INVALID_VALUE, "C is null, but beta is not zero");
  const cudaStream_t stream = count > 0 ? streams[0] : nullptr;
  const cudaError_t error = heddle::library::submit(
      call, stream, [=] { compute(matmul, {a, b, c, d, first.get(), second.get()}); });
  return error == cudaSuccess
             ? CUSPARSE_STATUS_SUCCESS
             : refuse(call, CUSPARSE_STATUS_EXECUTION_FAILED, cudaGetErrorString(error));
}

} // namespace

cusparseStatus_t cusparseLtMatmulPlanInit(const cusparseLtHandle_t *handle,
                                          cusparseLtMatmulPlan_t *plan,
                                          const cusparseLtMatmulDescriptor_t *matmulDescr,
                                          const cusparseLtMatmulAlgSelection_t *algSelection) {
  NEED(handle);
  NEED_ALL(plan && of(matmulDescr) && of(algSelection));
  Plan made;
  made.matmul = *of(matmulDescr);
  put(plan, made);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtMatmulPlanDestroy(const cusparseLtMatmulPlan_t *plan) {
  return forget(__func__, plan);
}

cusparseStatus_t cusparseLtMatmulGetWorkspace(const cusparseLtHandle_t *handle,
                                              const cusparseLtMatmulPlan_t *plan,
                                              size_t *workspaceSize) {
  NEED(handle);
  NEED_ALL(of(plan) && workspaceSize);
  *workspaceSize = 0;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtMatmul(const cusparseLtHandle_t *handle,
                                  const cusparseLtMatmulPlan_t *plan, const void *alpha,
                                  const void *d_A, const void *d_B, const void *beta,
                                  const void *d_C, void *d_D, void *, cudaStream_t *streams,
                                  int32_t numStreams) {
  NEED(handle);
  NEED_ALL(of(plan));
  return start(__func__, of(plan)->matmul, alpha, d_A, d_B, beta, d_C, d_D, streams, numStreams);
}

cusparseStatus_t cusparseLtMatmulSearch(const cusparseLtHandle_t *handle,
                                        cusparseLtMatmulPlan_t *plan, const void *alpha,
                                        const void *d_A, const void *d_B, const void *beta,
                                        const void *d_C, void *d_D, void *, cudaStream_t *streams,
                                        int32_t numStreams) {
  NEED(handle);
  NEED_ALL(of(plan));
  return start(__func__, of(plan)->matmul, alpha, d_A, d_B, beta, d_C, d_D, streams, numStreams);
}
