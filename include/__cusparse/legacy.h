// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that CUDA 9 to 11 had and CUDA 12 has not, for programs that have not been changed
// since. Part of cusparse.h; see classic.h.

#define X(P, T, R)                                                                                 \
  cusparseStatus_t CUSPARSEAPI cusparse##P##axpyi(cusparseHandle_t handle, int nnz,                \
                                                  const T *alpha, const T *xVal, const int *xInd,  \
                                                  T *y, cusparseIndexBase_t idxBase);              \
  cusparseStatus_t CUSPARSEAPI cusparse##P##doti(cusparseHandle_t handle, int nnz, const T *xVal,  \
                                                 const int *xInd, const T *y, T *result,           \
                                                 cusparseIndexBase_t idxBase);                     \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gthr(cusparseHandle_t handle, int nnz, const T *y,     \
                                                 T *xVal, const int *xInd,                         \
                                                 cusparseIndexBase_t idxBase);                     \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gthrz(cusparseHandle_t handle, int nnz, T *y, T *xVal, \
                                                  const int *xInd, cusparseIndexBase_t idxBase);   \
  cusparseStatus_t CUSPARSEAPI cusparse##P##sctr(cusparseHandle_t handle, int nnz, const T *xVal,  \
                                                 const int *xInd, T *y,                            \
                                                 cusparseIndexBase_t idxBase);                     \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrmv(                                                 \
      cusparseHandle_t handle, cusparseOperation_t transA, int m, int n, int nnz, const T *alpha,  \
      const cusparseMatDescr_t descrA, const T *csrValA, const int *csrRowPtrA,                    \
      const int *csrColIndA, const T *x, const T *beta, T *y);                                     \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrmv_mp(                                              \
      cusparseHandle_t handle, cusparseOperation_t transA, int m, int n, int nnz, const T *alpha,  \
      const cusparseMatDescr_t descrA, const T *csrValA, const int *csrRowPtrA,                    \
      const int *csrColIndA, const T *x, const T *beta, T *y);                                     \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrmm(                                                 \
      cusparseHandle_t handle, cusparseOperation_t transA, int m, int n, int k, int nnz,           \
      const T *alpha, const cusparseMatDescr_t descrA, const T *csrValA, const int *csrRowPtrA,    \
      const int *csrColIndA, const T *B, int ldb, const T *beta, T *C, int ldc);                   \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrmm2(                                                \
      cusparseHandle_t handle, cusparseOperation_t transA, cusparseOperation_t transB, int m,      \
      int n, int k, int nnz, const T *alpha, const cusparseMatDescr_t descrA, const T *csrValA,    \
      const int *csrRowPtrA, const int *csrColIndA, const T *B, int ldb, const T *beta, T *C,      \
      int ldc);                                                                                    \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gemmi(                                                 \
      cusparseHandle_t handle, int m, int n, int k, int nnz, const T *alpha, const T *A, int lda,  \
      const T *cscValB, const int *cscColPtrB, const int *cscRowIndB, const T *beta, T *C,         \
      int ldc);                                                                                    \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrsv2_bufferSize(                                     \
      cusparseHandle_t handle, cusparseOperation_t transA, int m, int nnz,                         \
      const cusparseMatDescr_t descrA, T *csrValA, const int *csrRowPtrA, const int *csrColIndA,   \
      csrsv2Info_t info, int *bufferSize);                                                         \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrsv2_bufferSizeExt(                                  \
      cusparseHandle_t handle, cusparseOperation_t transA, int m, int nnz,                         \
      const cusparseMatDescr_t descrA, T *csrValA, const int *csrRowPtrA, const int *csrColIndA,   \
      csrsv2Info_t info, size_t *bufferSize);                                                      \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrsv2_analysis(                                       \
      cusparseHandle_t handle, cusparseOperation_t transA, int m, int nnz,                         \
      const cusparseMatDescr_t descrA, const T *csrValA, const int *csrRowPtrA,                    \
      const int *csrColIndA, csrsv2Info_t info, cusparseSolvePolicy_t policy, void *buffer);       \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrsv2_solve(                                          \
      cusparseHandle_t handle, cusparseOperation_t transA, int m, int nnz, const T *alpha,         \
      const cusparseMatDescr_t descrA, const T *csrValA, const int *csrRowPtrA,                    \
      const int *csrColIndA, csrsv2Info_t info, const T *f, T *x, cusparseSolvePolicy_t policy,    \
      void *buffer);                                                                               \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrsm2_bufferSizeExt(                                  \
      cusparseHandle_t handle, int algo, cusparseOperation_t transA, cusparseOperation_t transB,   \
      int m, int nrhs, int nnz, const T *alpha, const cusparseMatDescr_t descrA, const T *csrValA, \
      const int *csrRowPtrA, const int *csrColIndA, const T *B, int ldb, csrsm2Info_t info,        \
      cusparseSolvePolicy_t policy, size_t *bufferSize);                                           \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrsm2_analysis(                                       \
      cusparseHandle_t handle, int algo, cusparseOperation_t transA, cusparseOperation_t transB,   \
      int m, int nrhs, int nnz, const T *alpha, const cusparseMatDescr_t descrA, const T *csrValA, \
      const int *csrRowPtrA, const int *csrColIndA, const T *B, int ldb, csrsm2Info_t info,        \
      cusparseSolvePolicy_t policy, void *buffer);                                                 \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrsm2_solve(                                          \
      cusparseHandle_t handle, int algo, cusparseOperation_t transA, cusparseOperation_t transB,   \
      int m, int nrhs, int nnz, const T *alpha, const cusparseMatDescr_t descrA, const T *csrValA, \
      const int *csrRowPtrA, const int *csrColIndA, T *B, int ldb, csrsm2Info_t info,              \
      cusparseSolvePolicy_t policy, void *buffer);                                                 \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrgemm(                                               \
      cusparseHandle_t handle, cusparseOperation_t transA, cusparseOperation_t transB, int m,      \
      int n, int k, const cusparseMatDescr_t descrA, int nnzA, const T *csrValA,                   \
      const int *csrRowPtrA, const int *csrColIndA, const cusparseMatDescr_t descrB, int nnzB,     \
      const T *csrValB, const int *csrRowPtrB, const int *csrColIndB,                              \
      const cusparseMatDescr_t descrC, T *csrValC, const int *csrRowPtrC, int *csrColIndC);        \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrgemm2_bufferSizeExt(                                \
      cusparseHandle_t handle, int m, int n, int k, const T *alpha,                                \
      const cusparseMatDescr_t descrA, int nnzA, const int *csrRowPtrA, const int *csrColIndA,     \
      const cusparseMatDescr_t descrB, int nnzB, const int *csrRowPtrB, const int *csrColIndB,     \
      const T *beta, const cusparseMatDescr_t descrD, int nnzD, const int *csrRowPtrD,             \
      const int *csrColIndD, csrgemm2Info_t info, size_t *bufferSize);                             \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrgemm2(                                              \
      cusparseHandle_t handle, int m, int n, int k, const T *alpha,                                \
      const cusparseMatDescr_t descrA, int nnzA, const T *csrValA, const int *csrRowPtrA,          \
      const int *csrColIndA, const cusparseMatDescr_t descrB, int nnzB, const T *csrValB,          \
      const int *csrRowPtrB, const int *csrColIndB, const T *beta,                                 \
      const cusparseMatDescr_t descrD, int nnzD, const T *csrValD, const int *csrRowPtrD,          \
      const int *csrColIndD, const cusparseMatDescr_t descrC, T *csrValC, const int *csrRowPtrC,   \
      int *csrColIndC, const csrgemm2Info_t info, void *buffer);                                   \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrgeam(                                               \
      cusparseHandle_t handle, int m, int n, const T *alpha, const cusparseMatDescr_t descrA,      \
      int nnzA, const T *csrValA, const int *csrRowPtrA, const int *csrColIndA, const T *beta,     \
      const cusparseMatDescr_t descrB, int nnzB, const T *csrValB, const int *csrRowPtrB,          \
      const int *csrColIndB, const cusparseMatDescr_t descrC, T *csrValC, int *csrRowPtrC,         \
      int *csrColIndC);                                                                            \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csr2csc(                                               \
      cusparseHandle_t handle, int m, int n, int nnz, const T *csrVal, const int *csrRowPtr,       \
      const int *csrColInd, T *cscVal, int *cscRowInd, int *cscColPtr,                             \
      cusparseAction_t copyValues, cusparseIndexBase_t idxBase);                                   \
  cusparseStatus_t CUSPARSEAPI cusparse##P##dense2csr(                                             \
      cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA, const T *A, int lda, \
      const int *nnzPerRow, T *csrValA, int *csrRowPtrA, int *csrColIndA);                         \
  cusparseStatus_t CUSPARSEAPI cusparse##P##dense2csc(                                             \
      cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA, const T *A, int lda, \
      const int *nnzPerCol, T *cscValA, int *cscRowIndA, int *cscColPtrA);                         \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csr2dense(                                             \
      cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA, const T *csrValA,    \
      const int *csrRowPtrA, const int *csrColIndA, T *A, int lda);                                \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csc2dense(                                             \
      cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA, const T *cscValA,    \
      const int *cscRowIndA, const int *cscColPtrA, T *A, int lda);                                \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gtsv(                                                  \
      cusparseHandle_t handle, int m, int n, const T *dl, const T *d, const T *du, T *B, int ldb); \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gtsv_nopivot(                                          \
      cusparseHandle_t handle, int m, int n, const T *dl, const T *d, const T *du, T *B, int ldb); \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gtsvStridedBatch(                                      \
      cusparseHandle_t handle, int m, const T *dl, const T *d, const T *du, T *x, int batchCount,  \
      int batchStride);
__HEDDLE_SDCZ(X)
#undef X

#define X(P, T)                                                                                    \
  cusparseStatus_t CUSPARSEAPI cusparse##P##dotci(cusparseHandle_t handle, int nnz, const T *xVal, \
                                                  const int *xInd, const T *y, T *result,          \
                                                  cusparseIndexBase_t idxBase);
X(C, cuComplex)
X(Z, cuDoubleComplex)
#undef X
#define X(P, T)                                                                                    \
  cusparseStatus_t CUSPARSEAPI cusparse##P##roti(cusparseHandle_t handle, int nnz, T *xVal,        \
                                                 const int *xInd, T *y, const T *c, const T *s,    \
                                                 cusparseIndexBase_t idxBase);
X(S, float)
X(D, double)
#undef X
cusparseStatus_t CUSPARSEAPI cusparseXcsrsv2_zeroPivot(cusparseHandle_t handle, csrsv2Info_t info,
                                                       int *position);
cusparseStatus_t CUSPARSEAPI cusparseXcsrsm2_zeroPivot(cusparseHandle_t handle, csrsm2Info_t info,
                                                       int *position);
cusparseStatus_t CUSPARSEAPI cusparseXcsrgemmNnz(
    cusparseHandle_t handle, cusparseOperation_t transA, cusparseOperation_t transB, int m, int n,
    int k, const cusparseMatDescr_t descrA, int nnzA, const int *csrRowPtrA, const int *csrColIndA,
    const cusparseMatDescr_t descrB, int nnzB, const int *csrRowPtrB, const int *csrColIndB,
    const cusparseMatDescr_t descrC, int *csrRowPtrC, int *nnzTotal);
cusparseStatus_t CUSPARSEAPI cusparseXcsrgemm2Nnz(
    cusparseHandle_t handle, int m, int n, int k, const cusparseMatDescr_t descrA, int nnzA,
    const int *csrRowPtrA, const int *csrColIndA, const cusparseMatDescr_t descrB, int nnzB,
    const int *csrRowPtrB, const int *csrColIndB, const cusparseMatDescr_t descrD, int nnzD,
    const int *csrRowPtrD, const int *csrColIndD, const cusparseMatDescr_t descrC, int *csrRowPtrC,
    int *nnzTotal, const csrgemm2Info_t info, void *buffer);
cusparseStatus_t CUSPARSEAPI cusparseXcsrgeamNnz(cusparseHandle_t handle, int m, int n,
                                                 const cusparseMatDescr_t descrA, int nnzA,
                                                 const int *csrRowPtrA, const int *csrColIndA,
                                                 const cusparseMatDescr_t descrB, int nnzB,
                                                 const int *csrRowPtrB, const int *csrColIndB,
                                                 const cusparseMatDescr_t descrC, int *csrRowPtrC,
                                                 int *nnzTotal);
cusparseStatus_t CUSPARSEAPI cusparseCsrmvEx_bufferSize(
    cusparseHandle_t handle, cusparseAlgMode_t alg, cusparseOperation_t transA, int m, int n,
    int nnz, const void *alpha, cudaDataType alphaType, const cusparseMatDescr_t descrA,
    const void *csrValA, cudaDataType csrValAType, const int *csrRowPtrA, const int *csrColIndA,
    const void *x, cudaDataType xType, const void *beta, cudaDataType betaType, void *y,
    cudaDataType yType, cudaDataType executionType, size_t *bufferSize);
cusparseStatus_t CUSPARSEAPI cusparseCsrmvEx(
    cusparseHandle_t handle, cusparseAlgMode_t alg, cusparseOperation_t transA, int m, int n,
    int nnz, const void *alpha, cudaDataType alphaType, const cusparseMatDescr_t descrA,
    const void *csrValA, cudaDataType csrValAType, const int *csrRowPtrA, const int *csrColIndA,
    const void *x, cudaDataType xType, const void *beta, cudaDataType betaType, void *y,
    cudaDataType yType, cudaDataType executionType, void *buffer);
