// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that prune, check and compress.
#include "structure.h"

#include "common/task.h"

#include <cuda_runtime_api.h>

using namespace heddle::cusparselt;

namespace {

cusparseStatus_t submit(const char *call, cudaStream_t stream, heddle::library::Task task) {
  const cudaError_t error = heddle::library::submit(call, stream, std::move(task));
  return error == cudaSuccess
             ? CUSPARSE_STATUS_SUCCESS
             : refuse(call, CUSPARSE_STATUS_EXECUTION_FAILED, cudaGetErrorString(error));
}

bool isOperation(cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE || op == CUSPARSE_OPERATION_TRANSPOSE;
}

Lines linesOf(const Matmul &matmul) {
  return heddle::cusparselt::linesOf(matmul.structuredMatrix(), matmul.sparseIsA(),
                                     matmul.structuredOperation());
}

cusparseStatus_t startPrune(const char *call, const Lines &lines, const void *in, void *out,
                            cusparseLtPruneAlg_t how, cudaStream_t stream) {
  if (!in || !out || (how != CUSPARSELT_PRUNE_SPMMA_TILE && how != CUSPARSELT_PRUNE_SPMMA_STRIP))
    return refuse(call, CUSPARSE_STATUS_INVALID_VALUE,
                  "a matrix is null, or there is no such algorithm");
  return submit(call, stream, [=] { prune(lines, how, in, out); });
}

cusparseStatus_t startCheck(const char *call, const Lines &lines, const void *in, int *valid,
                            cudaStream_t stream) {
  if (!in || !valid)
    return refuse(call, CUSPARSE_STATUS_INVALID_VALUE, "a pointer is null");
  return submit(call, stream, [=] { *valid = isStructured(lines, in) ? 0 : 1; });
}

cusparseStatus_t startCompress(const char *call, const Lines &lines, const void *dense,
                               void *compressed, cudaStream_t stream) {
  if (!dense || !compressed)
    return refuse(call, CUSPARSE_STATUS_INVALID_VALUE, "a matrix is null");
  return submit(call, stream, [=] { compress(lines, dense, compressed); });
}

/// The sizes do not depend on which way the sum runs.
void tellSizes(const Matrix &matrix, size_t *compressed, size_t *buffer) {
  const Lines lines = heddle::cusparselt::linesOf(matrix, true, CUSPARSE_OPERATION_NON_TRANSPOSE);
  *compressed = size_t(lines.storedBatches()) * lines.compressedBytes();
  *buffer = 0;
}

} // namespace

cusparseStatus_t cusparseLtSpMMAPrune(const cusparseLtHandle_t *handle,
                                      const cusparseLtMatmulDescriptor_t *matmulDescr,
                                      const void *d_in, void *d_out, cusparseLtPruneAlg_t pruneAlg,
                                      cudaStream_t stream) {
  NEED(handle);
  NEED_ALL(of(matmulDescr));
  return startPrune(__func__, linesOf(*of(matmulDescr)), d_in, d_out, pruneAlg, stream);
}

cusparseStatus_t cusparseLtSpMMAPrune2(const cusparseLtHandle_t *handle,
                                       const cusparseLtMatDescriptor_t *sparseMatDescr,
                                       int isSparseA, cusparseOperation_t op, const void *d_in,
                                       void *d_out, cusparseLtPruneAlg_t pruneAlg,
                                       cudaStream_t stream) {
  NEED(handle);
  NEED_ALL(of(sparseMatDescr) && of(sparseMatDescr)->structured && isOperation(op));
  const Lines lines = heddle::cusparselt::linesOf(*of(sparseMatDescr), isSparseA != 0, op);
  return startPrune(__func__, lines, d_in, d_out, pruneAlg, stream);
}

cusparseStatus_t cusparseLtSpMMAPruneCheck(const cusparseLtHandle_t *handle,
                                           const cusparseLtMatmulDescriptor_t *matmulDescr,
                                           const void *d_in, int *valid, cudaStream_t stream) {
  NEED(handle);
  NEED_ALL(of(matmulDescr));
  return startCheck(__func__, linesOf(*of(matmulDescr)), d_in, valid, stream);
}

cusparseStatus_t cusparseLtSpMMAPruneCheck2(const cusparseLtHandle_t *handle,
                                            const cusparseLtMatDescriptor_t *sparseMatDescr,
                                            int isSparseA, cusparseOperation_t op, const void *d_in,
                                            int *d_valid, cudaStream_t stream) {
  NEED(handle);
  NEED_ALL(of(sparseMatDescr) && of(sparseMatDescr)->structured && isOperation(op));
  const Lines lines = heddle::cusparselt::linesOf(*of(sparseMatDescr), isSparseA != 0, op);
  return startCheck(__func__, lines, d_in, d_valid, stream);
}

cusparseStatus_t cusparseLtSpMMACompressedSize(const cusparseLtHandle_t *handle,
                                               const cusparseLtMatmulPlan_t *plan,
                                               size_t *compressedSize,
                                               size_t *compressedBufferSize) {
  NEED(handle);
  NEED_ALL(of(plan) && compressedSize && compressedBufferSize);
  tellSizes(of(plan)->matmul.structuredMatrix(), compressedSize, compressedBufferSize);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtSpMMACompressedSize2(const cusparseLtHandle_t *handle,
                                                const cusparseLtMatDescriptor_t *sparseMatDescr,
                                                size_t *compressedSize,
                                                size_t *compressedBufferSize) {
  NEED(handle);
  NEED_ALL(of(sparseMatDescr) && of(sparseMatDescr)->structured && compressedSize &&
           compressedBufferSize);
  tellSizes(*of(sparseMatDescr), compressedSize, compressedBufferSize);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtSpMMACompress(const cusparseLtHandle_t *handle,
                                         const cusparseLtMatmulPlan_t *plan, const void *d_dense,
                                         void *d_compressed, void *, cudaStream_t stream) {
  NEED(handle);
  NEED_ALL(of(plan));
  return startCompress(__func__, linesOf(of(plan)->matmul), d_dense, d_compressed, stream);
}

cusparseStatus_t cusparseLtSpMMACompress2(const cusparseLtHandle_t *handle,
                                          const cusparseLtMatDescriptor_t *sparseMatDescr,
                                          int isSparseA, cusparseOperation_t op,
                                          const void *d_dense, void *d_compressed, void *,
                                          cudaStream_t stream) {
  NEED(handle);
  NEED_ALL(of(sparseMatDescr) && of(sparseMatDescr)->structured && isOperation(op));
  const Lines lines = heddle::cusparselt::linesOf(*of(sparseMatDescr), isSparseA != 0, op);
  return startCompress(__func__, lines, d_dense, d_compressed, stream);
}
