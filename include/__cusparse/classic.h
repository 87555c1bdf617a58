// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of one type each, for compressed rows and plain arrays, that CUDA 12 has. Part of
// cusparse.h, which defines __HEDDLE_SDCZ(X): X(letter, type, its real type) for each type.

#define X(P, T, R)                                                                                 \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gemvi_bufferSize(cusparseHandle_t handle,              \
                                                             cusparseOperation_t transA, int m,    \
                                                             int n, int nnz, int *bufferSize);     \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gemvi(                                                 \
      cusparseHandle_t handle, cusparseOperation_t transA, int m, int n, const T *alpha,           \
      const T *A, int lda, int nnz, const T *xVal, const int *xInd, const T *beta, T *y,           \
      cusparseIndexBase_t idxBase, void *buffer);                                                  \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrilu02_numericBoost(                                 \
      cusparseHandle_t handle, csrilu02Info_t info, int enableBoost, double *tol, T *boostVal);    \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrilu02_bufferSize(                                   \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T *csrVal,         \
      const int *csrRowPtr, const int *csrColInd, csrilu02Info_t info, int *bufferSize);           \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrilu02_bufferSizeExt(                                \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T *csrVal,         \
      const int *csrRowPtr, const int *csrColInd, csrilu02Info_t info, size_t *bufferSize);        \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrilu02_analysis(                                     \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T *csrVal,   \
      const int *csrRowPtr, const int *csrColInd, csrilu02Info_t info,                             \
      cusparseSolvePolicy_t policy, void *buffer);                                                 \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrilu02(                                              \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T *csrVal,         \
      const int *csrRowPtr, const int *csrColInd, csrilu02Info_t info,                             \
      cusparseSolvePolicy_t policy, void *buffer);                                                 \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csric02_bufferSize(                                    \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T *csrVal,         \
      const int *csrRowPtr, const int *csrColInd, csric02Info_t info, int *bufferSize);            \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csric02_bufferSizeExt(                                 \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T *csrVal,         \
      const int *csrRowPtr, const int *csrColInd, csric02Info_t info, size_t *bufferSize);         \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csric02_analysis(                                      \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T *csrVal,   \
      const int *csrRowPtr, const int *csrColInd, csric02Info_t info,                              \
      cusparseSolvePolicy_t policy, void *buffer);                                                 \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csric02(                                               \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T *csrVal,         \
      const int *csrRowPtr, const int *csrColInd, csric02Info_t info,                              \
      cusparseSolvePolicy_t policy, void *buffer);                                                 \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gtsv2_bufferSizeExt(                                   \
      cusparseHandle_t handle, int m, int n, const T *dl, const T *d, const T *du, const T *B,     \
      int ldb, size_t *bufferSize);                                                                \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gtsv2(cusparseHandle_t handle, int m, int n,           \
                                                  const T *dl, const T *d, const T *du, T *B,      \
                                                  int ldb, void *buffer);                          \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gtsv2_nopivot_bufferSizeExt(                           \
      cusparseHandle_t handle, int m, int n, const T *dl, const T *d, const T *du, const T *B,     \
      int ldb, size_t *bufferSize);                                                                \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gtsv2_nopivot(cusparseHandle_t handle, int m, int n,   \
                                                          const T *dl, const T *d, const T *du,    \
                                                          T *B, int ldb, void *buffer);            \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gtsv2StridedBatch_bufferSizeExt(                       \
      cusparseHandle_t handle, int m, const T *dl, const T *d, const T *du, const T *x,            \
      int batchCount, int batchStride, size_t *bufferSize);                                        \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gtsv2StridedBatch(                                     \
      cusparseHandle_t handle, int m, const T *dl, const T *d, const T *du, T *x, int batchCount,  \
      int batchStride, void *buffer);                                                              \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gtsvInterleavedBatch_bufferSizeExt(                    \
      cusparseHandle_t handle, int algo, int m, const T *dl, const T *d, const T *du, const T *x,  \
      int batchCount, size_t *bufferSize);                                                         \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gtsvInterleavedBatch(                                  \
      cusparseHandle_t handle, int algo, int m, T *dl, T *d, T *du, T *x, int batchCount,          \
      void *buffer);                                                                               \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gpsvInterleavedBatch_bufferSizeExt(                    \
      cusparseHandle_t handle, int algo, int m, const T *ds, const T *dl, const T *d, const T *du, \
      const T *dw, const T *x, int batchCount, size_t *bufferSize);                                \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gpsvInterleavedBatch(                                  \
      cusparseHandle_t handle, int algo, int m, T *ds, T *dl, T *d, T *du, T *dw, T *x,            \
      int batchCount, void *buffer);                                                               \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrgeam2_bufferSizeExt(                                \
      cusparseHandle_t handle, int m, int n, const T *alpha, const cusparseMatDescr_t descrA,      \
      int nnzA, const T *csrSortedValA, const int *csrSortedRowPtrA, const int *csrSortedColIndA,  \
      const T *beta, const cusparseMatDescr_t descrB, int nnzB, const T *csrSortedValB,            \
      const int *csrSortedRowPtrB, const int *csrSortedColIndB, const cusparseMatDescr_t descrC,   \
      const T *csrSortedValC, const int *csrSortedRowPtrC, const int *csrSortedColIndC,            \
      size_t *bufferSize);                                                                         \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrgeam2(                                              \
      cusparseHandle_t handle, int m, int n, const T *alpha, const cusparseMatDescr_t descrA,      \
      int nnzA, const T *csrSortedValA, const int *csrSortedRowPtrA, const int *csrSortedColIndA,  \
      const T *beta, const cusparseMatDescr_t descrB, int nnzB, const T *csrSortedValB,            \
      const int *csrSortedRowPtrB, const int *csrSortedColIndB, const cusparseMatDescr_t descrC,   \
      T *csrSortedValC, int *csrSortedRowPtrC, int *csrSortedColIndC, void *buffer);               \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csrcolor(                                              \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T *csrValA,  \
      const int *csrRowPtrA, const int *csrColIndA, const R *fractionToColor, int *ncolors,        \
      int *coloring, int *reordering, const cusparseColorInfo_t info);                             \
  cusparseStatus_t CUSPARSEAPI cusparse##P##nnz(                                                   \
      cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,                             \
      const cusparseMatDescr_t descrA, const T *A, int lda, int *nnzPerRowCol, int *nnzTotal);     \
  cusparseStatus_t CUSPARSEAPI cusparse##P##nnz_compress(                                          \
      cusparseHandle_t handle, int m, const cusparseMatDescr_t descrA, const T *csrValA,           \
      const int *csrRowPtrA, int *nnzPerRow, int *nnzC, T tol);                                    \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csr2csr_compress(                                      \
      cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA, const T *csrValA,    \
      const int *csrColIndA, const int *csrRowPtrA, int nnzA, const int *nnzPerRow, T *csrValC,    \
      int *csrColIndC, int *csrRowPtrC, T tol);                                                    \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csru2csr_bufferSizeExt(                                \
      cusparseHandle_t handle, int m, int n, int nnz, T *csrVal, const int *csrRowPtr,             \
      int *csrColInd, csru2csrInfo_t info, size_t *bufferSize);                                    \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csru2csr(                                              \
      cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA, T *csrVal,  \
      const int *csrRowPtr, int *csrColInd, csru2csrInfo_t info, void *buffer);                    \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csr2csru(                                              \
      cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA, T *csrVal,  \
      const int *csrRowPtr, int *csrColInd, csru2csrInfo_t info, void *buffer);
__HEDDLE_SDCZ(X)
#undef X

cusparseStatus_t CUSPARSEAPI cusparseXcsrgeam2Nnz(
    cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA, int nnzA,
    const int *csrSortedRowPtrA, const int *csrSortedColIndA, const cusparseMatDescr_t descrB,
    int nnzB, const int *csrSortedRowPtrB, const int *csrSortedColIndB,
    const cusparseMatDescr_t descrC, int *csrSortedRowPtrC, int *nnzTotal, void *workspace);
cusparseStatus_t CUSPARSEAPI cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle,
                                                         csrilu02Info_t info, int *position);
cusparseStatus_t CUSPARSEAPI cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info,
                                                        int *position);
cusparseStatus_t CUSPARSEAPI cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                                const void *csrVal, const int *csrRowPtr,
                                                const int *csrColInd, void *cscVal, int *cscColPtr,
                                                int *cscRowInd, cudaDataType valType,
                                                cusparseAction_t copyValues,
                                                cusparseIndexBase_t idxBase,
                                                cusparseCsr2CscAlg_t alg, void *buffer);
cusparseStatus_t CUSPARSEAPI cusparseCsr2cscEx2_bufferSize(
    cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal, const int *csrRowPtr,
    const int *csrColInd, void *cscVal, int *cscColPtr, int *cscRowInd, cudaDataType valType,
    cusparseAction_t copyValues, cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg,
    size_t *bufferSize);
cusparseStatus_t CUSPARSEAPI cusparseXcoo2csr(cusparseHandle_t handle, const int *cooRowInd,
                                              int nnz, int m, int *csrSortedRowPtr,
                                              cusparseIndexBase_t idxBase);
cusparseStatus_t CUSPARSEAPI cusparseXcsr2coo(cusparseHandle_t handle, const int *csrSortedRowPtr,
                                              int nnz, int m, int *cooRowInd,
                                              cusparseIndexBase_t idxBase);
cusparseStatus_t CUSPARSEAPI cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n,
                                                               int *p);
cusparseStatus_t CUSPARSEAPI cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n,
                                                            int nnz, const int *cooRows,
                                                            const int *cooCols, size_t *bufferSize);
cusparseStatus_t CUSPARSEAPI cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz,
                                                   int *cooRows, int *cooCols, int *P,
                                                   void *buffer);
cusparseStatus_t CUSPARSEAPI cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n,
                                                      int nnz, int *cooRows, int *cooCols, int *P,
                                                      void *buffer);
cusparseStatus_t CUSPARSEAPI cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n,
                                                            int nnz, const int *csrRowPtr,
                                                            const int *csrColInd,
                                                            size_t *bufferSize);
cusparseStatus_t CUSPARSEAPI cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz,
                                              const cusparseMatDescr_t descrA, const int *csrRowPtr,
                                              int *csrColInd, int *P, void *buffer);
cusparseStatus_t CUSPARSEAPI cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n,
                                                            int nnz, const int *cscColPtr,
                                                            const int *cscRowInd,
                                                            size_t *bufferSize);
cusparseStatus_t CUSPARSEAPI cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz,
                                              const cusparseMatDescr_t descrA, const int *cscColPtr,
                                              int *cscRowInd, int *P, void *buffer);

// Matrices without small elements. What is kept is larger than a threshold, or the largest percent.
#define X(P, T)                                                                                    \
  cusparseStatus_t CUSPARSEAPI cusparse##P##pruneDense2csr_bufferSizeExt(                          \
      cusparseHandle_t handle, int m, int n, const T *A, int lda, const T *threshold,              \
      const cusparseMatDescr_t descrC, const T *csrValC, const int *csrRowPtrC,                    \
      const int *csrColIndC, size_t *bufferSize);                                                  \
  cusparseStatus_t CUSPARSEAPI cusparse##P##pruneDense2csrNnz(                                     \
      cusparseHandle_t handle, int m, int n, const T *A, int lda, const T *threshold,              \
      const cusparseMatDescr_t descrC, int *csrRowPtrC, int *nnzTotal, void *buffer);              \
  cusparseStatus_t CUSPARSEAPI cusparse##P##pruneDense2csr(                                        \
      cusparseHandle_t handle, int m, int n, const T *A, int lda, const T *threshold,              \
      const cusparseMatDescr_t descrC, T *csrValC, const int *csrRowPtrC, int *csrColIndC,         \
      void *buffer);                                                                               \
  cusparseStatus_t CUSPARSEAPI cusparse##P##pruneDense2csrByPercentage_bufferSizeExt(              \
      cusparseHandle_t handle, int m, int n, const T *A, int lda, float percentage,                \
      const cusparseMatDescr_t descrC, const T *csrValC, const int *csrRowPtrC,                    \
      const int *csrColIndC, pruneInfo_t info, size_t *bufferSize);                                \
  cusparseStatus_t CUSPARSEAPI cusparse##P##pruneDense2csrNnzByPercentage(                         \
      cusparseHandle_t handle, int m, int n, const T *A, int lda, float percentage,                \
      const cusparseMatDescr_t descrC, int *csrRowPtrC, int *nnzTotal, pruneInfo_t info,           \
      void *buffer);                                                                               \
  cusparseStatus_t CUSPARSEAPI cusparse##P##pruneDense2csrByPercentage(                            \
      cusparseHandle_t handle, int m, int n, const T *A, int lda, float percentage,                \
      const cusparseMatDescr_t descrC, T *csrValC, const int *csrRowPtrC, int *csrColIndC,         \
      pruneInfo_t info, void *buffer);                                                             \
  cusparseStatus_t CUSPARSEAPI cusparse##P##pruneCsr2csr_bufferSizeExt(                            \
      cusparseHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
      const T *csrValA, const int *csrRowPtrA, const int *csrColIndA, const T *threshold,          \
      const cusparseMatDescr_t descrC, const T *csrValC, const int *csrRowPtrC,                    \
      const int *csrColIndC, size_t *bufferSize);                                                  \
  cusparseStatus_t CUSPARSEAPI cusparse##P##pruneCsr2csrNnz(                                       \
      cusparseHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
      const T *csrValA, const int *csrRowPtrA, const int *csrColIndA, const T *threshold,          \
      const cusparseMatDescr_t descrC, int *csrRowPtrC, int *nnzTotal, void *buffer);              \
  cusparseStatus_t CUSPARSEAPI cusparse##P##pruneCsr2csr(                                          \
      cusparseHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
      const T *csrValA, const int *csrRowPtrA, const int *csrColIndA, const T *threshold,          \
      const cusparseMatDescr_t descrC, T *csrValC, const int *csrRowPtrC, int *csrColIndC,         \
      void *buffer);                                                                               \
  cusparseStatus_t CUSPARSEAPI cusparse##P##pruneCsr2csrByPercentage_bufferSizeExt(                \
      cusparseHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
      const T *csrValA, const int *csrRowPtrA, const int *csrColIndA, float percentage,            \
      const cusparseMatDescr_t descrC, const T *csrValC, const int *csrRowPtrC,                    \
      const int *csrColIndC, pruneInfo_t info, size_t *bufferSize);                                \
  cusparseStatus_t CUSPARSEAPI cusparse##P##pruneCsr2csrNnzByPercentage(                           \
      cusparseHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
      const T *csrValA, const int *csrRowPtrA, const int *csrColIndA, float percentage,            \
      const cusparseMatDescr_t descrC, int *csrRowPtrC, int *nnzTotal, pruneInfo_t info,           \
      void *buffer);                                                                               \
  cusparseStatus_t CUSPARSEAPI cusparse##P##pruneCsr2csrByPercentage(                              \
      cusparseHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
      const T *csrValA, const int *csrRowPtrA, const int *csrColIndA, float percentage,            \
      const cusparseMatDescr_t descrC, T *csrValC, const int *csrRowPtrC, int *csrColIndC,         \
      pruneInfo_t info, void *buffer);
X(S, float)
X(D, double)
#ifdef __cplusplus
X(H, __half)
#endif
#undef X
