// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of one type each for matrices of blocks (BSR: square ones, GEBSR: of any shape), and
// conversions to and from them. Part of cusparse.h; see classic.h.

#define X(P, T, R)                                                                                 \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrmv(                                                 \
      cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb,       \
      int nb, int nnzb, const T *alpha, const cusparseMatDescr_t descrA, const T *bsrSortedVal,    \
      const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim, const T *x,            \
      const T *beta, T *y);                                                                        \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrxmv(                                                \
      cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,               \
      int sizeOfMask, int mb, int nb, int nnzb, const T *alpha, const cusparseMatDescr_t descrA,   \
      const T *bsrSortedVal, const int *bsrSortedMaskPtr, const int *bsrSortedRowPtr,              \
      const int *bsrSortedEndPtr, const int *bsrSortedColInd, int blockDim, const T *x,            \
      const T *beta, T *y);                                                                        \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrmm(                                                 \
      cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,               \
      cusparseOperation_t transB, int mb, int n, int kb, int nnzb, const T *alpha,                 \
      const cusparseMatDescr_t descrA, const T *bsrSortedVal, const int *bsrSortedRowPtr,          \
      const int *bsrSortedColInd, int blockSize, const T *B, int ldb, const T *beta, T *C,         \
      int ldc);                                                                                    \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrsv2_bufferSize(                                     \
      cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb,       \
      int nnzb, const cusparseMatDescr_t descrA, T *bsrSortedVal, const int *bsrSortedRowPtr,      \
      const int *bsrSortedColInd, int blockDim, bsrsv2Info_t info, int *bufferSize);               \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrsv2_bufferSizeExt(                                  \
      cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb,       \
      int nnzb, const cusparseMatDescr_t descrA, T *bsrSortedVal, const int *bsrSortedRowPtr,      \
      const int *bsrSortedColInd, int blockDim, bsrsv2Info_t info, size_t *bufferSize);            \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrsv2_analysis(                                       \
      cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb,       \
      int nnzb, const cusparseMatDescr_t descrA, const T *bsrSortedVal,                            \
      const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim, bsrsv2Info_t info,     \
      cusparseSolvePolicy_t policy, void *buffer);                                                 \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrsv2_solve(                                          \
      cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb,       \
      int nnzb, const T *alpha, const cusparseMatDescr_t descrA, const T *bsrSortedVal,            \
      const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim, bsrsv2Info_t info,     \
      const T *f, T *x, cusparseSolvePolicy_t policy, void *buffer);                               \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrsm2_bufferSize(                                     \
      cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,               \
      cusparseOperation_t transX, int mb, int n, int nnzb, const cusparseMatDescr_t descrA,        \
      T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockSize,      \
      bsrsm2Info_t info, int *bufferSize);                                                         \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrsm2_bufferSizeExt(                                  \
      cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,               \
      cusparseOperation_t transX, int mb, int n, int nnzb, const cusparseMatDescr_t descrA,        \
      T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockSize,      \
      bsrsm2Info_t info, size_t *bufferSize);                                                      \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrsm2_analysis(                                       \
      cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,               \
      cusparseOperation_t transX, int mb, int n, int nnzb, const cusparseMatDescr_t descrA,        \
      const T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd,               \
      int blockSize, bsrsm2Info_t info, cusparseSolvePolicy_t policy, void *buffer);               \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrsm2_solve(                                          \
      cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,               \
      cusparseOperation_t transX, int mb, int n, int nnzb, const T *alpha,                         \
      const cusparseMatDescr_t descrA, const T *bsrSortedVal, const int *bsrSortedRowPtr,          \
      const int *bsrSortedColInd, int blockSize, bsrsm2Info_t info, const T *B, int ldb, T *x,     \
      int ldx, cusparseSolvePolicy_t policy, void *buffer);                                        \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrilu02_numericBoost(                                 \
      cusparseHandle_t handle, bsrilu02Info_t info, int enableBoost, double *tol, T *boostVal);    \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrilu02_bufferSize(                                   \
      cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                         \
      const cusparseMatDescr_t descrA, T *bsrSortedVal, const int *bsrSortedRowPtr,                \
      const int *bsrSortedColInd, int blockDim, bsrilu02Info_t info, int *bufferSize);             \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrilu02_bufferSizeExt(                                \
      cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                         \
      const cusparseMatDescr_t descrA, T *bsrSortedVal, const int *bsrSortedRowPtr,                \
      const int *bsrSortedColInd, int blockDim, bsrilu02Info_t info, size_t *bufferSize);          \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrilu02_analysis(                                     \
      cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                         \
      const cusparseMatDescr_t descrA, T *bsrSortedVal, const int *bsrSortedRowPtr,                \
      const int *bsrSortedColInd, int blockDim, bsrilu02Info_t info, cusparseSolvePolicy_t policy, \
      void *buffer);                                                                               \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsrilu02(                                              \
      cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                         \
      const cusparseMatDescr_t descrA, T *bsrSortedVal, const int *bsrSortedRowPtr,                \
      const int *bsrSortedColInd, int blockDim, bsrilu02Info_t info, cusparseSolvePolicy_t policy, \
      void *buffer);                                                                               \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsric02_bufferSize(                                    \
      cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                         \
      const cusparseMatDescr_t descrA, T *bsrSortedVal, const int *bsrSortedRowPtr,                \
      const int *bsrSortedColInd, int blockDim, bsric02Info_t info, int *bufferSize);              \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsric02_bufferSizeExt(                                 \
      cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                         \
      const cusparseMatDescr_t descrA, T *bsrSortedVal, const int *bsrSortedRowPtr,                \
      const int *bsrSortedColInd, int blockDim, bsric02Info_t info, size_t *bufferSize);           \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsric02_analysis(                                      \
      cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                         \
      const cusparseMatDescr_t descrA, const T *bsrSortedVal, const int *bsrSortedRowPtr,          \
      const int *bsrSortedColInd, int blockDim, bsric02Info_t info, cusparseSolvePolicy_t policy,  \
      void *buffer);                                                                               \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsric02(                                               \
      cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                         \
      const cusparseMatDescr_t descrA, T *bsrSortedVal, const int *bsrSortedRowPtr,                \
      const int *bsrSortedColInd, int blockDim, bsric02Info_t info, cusparseSolvePolicy_t policy,  \
      void *buffer);                                                                               \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csr2bsr(                                               \
      cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,                             \
      const cusparseMatDescr_t descrA, const T *csrSortedVal, const int *csrSortedRowPtr,          \
      const int *csrSortedColInd, int blockDim, const cusparseMatDescr_t descrC, T *bsrSortedVal,  \
      int *bsrSortedRowPtr, int *bsrSortedColInd);                                                 \
  cusparseStatus_t CUSPARSEAPI cusparse##P##bsr2csr(                                               \
      cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb,                           \
      const cusparseMatDescr_t descrA, const T *bsrSortedVal, const int *bsrSortedRowPtr,          \
      const int *bsrSortedColInd, int blockDim, const cusparseMatDescr_t descrC, T *csrSortedVal,  \
      int *csrSortedRowPtr, int *csrSortedColInd);                                                 \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gebsr2gebsc_bufferSize(                                \
      cusparseHandle_t handle, int mb, int nb, int nnzb, const T *bsrSortedVal,                    \
      const int *bsrSortedRowPtr, const int *bsrSortedColInd, int rowBlockDim, int colBlockDim,    \
      int *bufferSize);                                                                            \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gebsr2gebsc_bufferSizeExt(                             \
      cusparseHandle_t handle, int mb, int nb, int nnzb, const T *bsrSortedVal,                    \
      const int *bsrSortedRowPtr, const int *bsrSortedColInd, int rowBlockDim, int colBlockDim,    \
      size_t *bufferSize);                                                                         \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gebsr2gebsc(                                           \
      cusparseHandle_t handle, int mb, int nb, int nnzb, const T *bsrSortedVal,                    \
      const int *bsrSortedRowPtr, const int *bsrSortedColInd, int rowBlockDim, int colBlockDim,    \
      T *bscVal, int *bscRowInd, int *bscColPtr, cusparseAction_t copyValues,                      \
      cusparseIndexBase_t idxBase, void *buffer);                                                  \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gebsr2csr(                                             \
      cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb,                           \
      const cusparseMatDescr_t descrA, const T *bsrSortedVal, const int *bsrSortedRowPtr,          \
      const int *bsrSortedColInd, int rowBlockDim, int colBlockDim,                                \
      const cusparseMatDescr_t descrC, T *csrSortedVal, int *csrSortedRowPtr,                      \
      int *csrSortedColInd);                                                                       \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csr2gebsr_bufferSize(                                  \
      cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,                             \
      const cusparseMatDescr_t descrA, const T *csrSortedVal, const int *csrSortedRowPtr,          \
      const int *csrSortedColInd, int rowBlockDim, int colBlockDim, int *bufferSize);              \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csr2gebsr_bufferSizeExt(                               \
      cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,                             \
      const cusparseMatDescr_t descrA, const T *csrSortedVal, const int *csrSortedRowPtr,          \
      const int *csrSortedColInd, int rowBlockDim, int colBlockDim, size_t *bufferSize);           \
  cusparseStatus_t CUSPARSEAPI cusparse##P##csr2gebsr(                                             \
      cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,                             \
      const cusparseMatDescr_t descrA, const T *csrSortedVal, const int *csrSortedRowPtr,          \
      const int *csrSortedColInd, const cusparseMatDescr_t descrC, T *bsrSortedVal,                \
      int *bsrSortedRowPtr, int *bsrSortedColInd, int rowBlockDim, int colBlockDim, void *buffer); \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gebsr2gebsr_bufferSize(                                \
      cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb, int nnzb,                 \
      const cusparseMatDescr_t descrA, const T *bsrSortedVal, const int *bsrSortedRowPtr,          \
      const int *bsrSortedColInd, int rowBlockDimA, int colBlockDimA, int rowBlockDimC,            \
      int colBlockDimC, int *bufferSize);                                                          \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gebsr2gebsr_bufferSizeExt(                             \
      cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb, int nnzb,                 \
      const cusparseMatDescr_t descrA, const T *bsrSortedVal, const int *bsrSortedRowPtr,          \
      const int *bsrSortedColInd, int rowBlockDimA, int colBlockDimA, int rowBlockDimC,            \
      int colBlockDimC, size_t *bufferSize);                                                       \
  cusparseStatus_t CUSPARSEAPI cusparse##P##gebsr2gebsr(                                           \
      cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb, int nnzb,                 \
      const cusparseMatDescr_t descrA, const T *bsrSortedVal, const int *bsrSortedRowPtr,          \
      const int *bsrSortedColInd, int rowBlockDimA, int colBlockDimA,                              \
      const cusparseMatDescr_t descrC, T *bsrSortedValC, int *bsrSortedRowPtrC,                    \
      int *bsrSortedColIndC, int rowBlockDimC, int colBlockDimC, void *buffer);
__HEDDLE_SDCZ(X)
#undef X

cusparseStatus_t CUSPARSEAPI cusparseXbsrsv2_zeroPivot(cusparseHandle_t handle, bsrsv2Info_t info,
                                                       int *position);
cusparseStatus_t CUSPARSEAPI cusparseXbsrsm2_zeroPivot(cusparseHandle_t handle, bsrsm2Info_t info,
                                                       int *position);
cusparseStatus_t CUSPARSEAPI cusparseXbsrilu02_zeroPivot(cusparseHandle_t handle,
                                                         bsrilu02Info_t info, int *position);
cusparseStatus_t CUSPARSEAPI cusparseXbsric02_zeroPivot(cusparseHandle_t handle, bsric02Info_t info,
                                                        int *position);
cusparseStatus_t CUSPARSEAPI cusparseXcsr2bsrNnz(cusparseHandle_t handle, cusparseDirection_t dirA,
                                                 int m, int n, const cusparseMatDescr_t descrA,
                                                 const int *csrSortedRowPtr,
                                                 const int *csrSortedColInd, int blockDim,
                                                 const cusparseMatDescr_t descrC,
                                                 int *bsrSortedRowPtr, int *nnzTotal);
cusparseStatus_t CUSPARSEAPI cusparseXcsr2gebsrNnz(
    cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,
    const cusparseMatDescr_t descrA, const int *csrSortedRowPtr, const int *csrSortedColInd,
    const cusparseMatDescr_t descrC, int *bsrSortedRowPtr, int rowBlockDim, int colBlockDim,
    int *nnzTotal, void *buffer);
cusparseStatus_t CUSPARSEAPI cusparseXgebsr2gebsrNnz(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb, int nnzb,
    const cusparseMatDescr_t descrA, const int *bsrSortedRowPtr, const int *bsrSortedColInd,
    int rowBlockDimA, int colBlockDimA, const cusparseMatDescr_t descrC, int *bsrSortedRowPtrC,
    int rowBlockDimC, int colBlockDimC, int *nnzTotal, void *buffer);
cusparseStatus_t CUSPARSEAPI cusparseXgebsr2csr(cusparseHandle_t handle, cusparseDirection_t dirA,
                                                int mb, int nb, const cusparseMatDescr_t descrA,
                                                const int *bsrSortedRowPtr,
                                                const int *bsrSortedColInd, int rowBlockDim,
                                                int colBlockDim, const cusparseMatDescr_t descrC,
                                                int *csrSortedRowPtr, int *csrSortedColInd);
