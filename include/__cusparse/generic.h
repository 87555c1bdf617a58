// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generic functions: descriptors of vectors and matrices in any format and type, and what can
// be done with them. Part of cusparse.h.

// Sparse vectors.
cusparseStatus_t CUSPARSEAPI cusparseCreateSpVec(cusparseSpVecDescr_t *descr, int64_t size,
                                                 int64_t nnz, void *indices, void *values,
                                                 cusparseIndexType_t idxType,
                                                 cusparseIndexBase_t idxBase,
                                                 cudaDataType valueType);
cusparseStatus_t CUSPARSEAPI cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *descr,
                                                      int64_t size, int64_t nnz,
                                                      const void *indices, const void *values,
                                                      cusparseIndexType_t idxType,
                                                      cusparseIndexBase_t idxBase,
                                                      cudaDataType valueType);
cusparseStatus_t CUSPARSEAPI cusparseDestroySpVec(cusparseConstSpVecDescr_t descr);
cusparseStatus_t CUSPARSEAPI cusparseSpVecGet(cusparseSpVecDescr_t descr, int64_t *size,
                                              int64_t *nnz, void **indices, void **values,
                                              cusparseIndexType_t *idxType,
                                              cusparseIndexBase_t *idxBase,
                                              cudaDataType *valueType);
cusparseStatus_t CUSPARSEAPI cusparseConstSpVecGet(cusparseConstSpVecDescr_t descr, int64_t *size,
                                                   int64_t *nnz, const void **indices,
                                                   const void **values,
                                                   cusparseIndexType_t *idxType,
                                                   cusparseIndexBase_t *idxBase,
                                                   cudaDataType *valueType);
cusparseStatus_t CUSPARSEAPI cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t descr,
                                                       cusparseIndexBase_t *idxBase);
cusparseStatus_t CUSPARSEAPI cusparseSpVecGetValues(cusparseSpVecDescr_t descr, void **values);
cusparseStatus_t CUSPARSEAPI cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t descr,
                                                         const void **values);
cusparseStatus_t CUSPARSEAPI cusparseSpVecSetValues(cusparseSpVecDescr_t descr, void *values);

// Dense vectors.
cusparseStatus_t CUSPARSEAPI cusparseCreateDnVec(cusparseDnVecDescr_t *descr, int64_t size,
                                                 void *values, cudaDataType valueType);
cusparseStatus_t CUSPARSEAPI cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *descr,
                                                      int64_t size, const void *values,
                                                      cudaDataType valueType);
cusparseStatus_t CUSPARSEAPI cusparseDestroyDnVec(cusparseConstDnVecDescr_t descr);
cusparseStatus_t CUSPARSEAPI cusparseDnVecGet(cusparseDnVecDescr_t descr, int64_t *size,
                                              void **values, cudaDataType *valueType);
cusparseStatus_t CUSPARSEAPI cusparseConstDnVecGet(cusparseConstDnVecDescr_t descr, int64_t *size,
                                                   const void **values, cudaDataType *valueType);
cusparseStatus_t CUSPARSEAPI cusparseDnVecGetValues(cusparseDnVecDescr_t descr, void **values);
cusparseStatus_t CUSPARSEAPI cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t descr,
                                                         const void **values);
cusparseStatus_t CUSPARSEAPI cusparseDnVecSetValues(cusparseDnVecDescr_t descr, void *values);

// Sparse matrices.
cusparseStatus_t CUSPARSEAPI cusparseDestroySpMat(cusparseConstSpMatDescr_t descr);
cusparseStatus_t CUSPARSEAPI cusparseSpMatGetFormat(cusparseConstSpMatDescr_t descr,
                                                    cusparseFormat_t *format);
cusparseStatus_t CUSPARSEAPI cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t descr,
                                                       cusparseIndexBase_t *idxBase);
cusparseStatus_t CUSPARSEAPI cusparseSpMatGetValues(cusparseSpMatDescr_t descr, void **values);
cusparseStatus_t CUSPARSEAPI cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t descr,
                                                         const void **values);
cusparseStatus_t CUSPARSEAPI cusparseSpMatSetValues(cusparseSpMatDescr_t descr, void *values);
cusparseStatus_t CUSPARSEAPI cusparseSpMatGetSize(cusparseConstSpMatDescr_t descr, int64_t *rows,
                                                  int64_t *cols, int64_t *nnz);
cusparseStatus_t CUSPARSEAPI cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t descr,
                                                          int *batchCount);
cusparseStatus_t CUSPARSEAPI cusparseCooSetStridedBatch(cusparseSpMatDescr_t descr, int batchCount,
                                                        int64_t batchStride);
cusparseStatus_t CUSPARSEAPI cusparseCsrSetStridedBatch(cusparseSpMatDescr_t descr, int batchCount,
                                                        int64_t offsetsBatchStride,
                                                        int64_t columnsValuesBatchStride);
cusparseStatus_t CUSPARSEAPI cusparseBsrSetStridedBatch(cusparseSpMatDescr_t descr, int batchCount,
                                                        int64_t offsetsBatchStride,
                                                        int64_t columnsBatchStride,
                                                        int64_t valuesBatchStride);
cusparseStatus_t CUSPARSEAPI cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t descr,
                                                       cusparseSpMatAttribute_t attribute,
                                                       void *data, size_t dataSize);
cusparseStatus_t CUSPARSEAPI cusparseSpMatSetAttribute(cusparseSpMatDescr_t descr,
                                                       cusparseSpMatAttribute_t attribute,
                                                       void *data, size_t dataSize);
cusparseStatus_t CUSPARSEAPI cusparseCreateCsr(cusparseSpMatDescr_t *descr, int64_t rows,
                                               int64_t cols, int64_t nnz, void *csrRowOffsets,
                                               void *csrColInd, void *csrValues,
                                               cusparseIndexType_t csrRowOffsetsType,
                                               cusparseIndexType_t csrColIndType,
                                               cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t CUSPARSEAPI
cusparseCreateConstCsr(cusparseConstSpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t nnz,
                       const void *csrRowOffsets, const void *csrColInd, const void *csrValues,
                       cusparseIndexType_t csrRowOffsetsType, cusparseIndexType_t csrColIndType,
                       cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t CUSPARSEAPI cusparseCsrGet(cusparseSpMatDescr_t descr, int64_t *rows,
                                            int64_t *cols, int64_t *nnz, void **csrRowOffsets,
                                            void **csrColInd, void **csrValues,
                                            cusparseIndexType_t *csrRowOffsetsType,
                                            cusparseIndexType_t *csrColIndType,
                                            cusparseIndexBase_t *idxBase, cudaDataType *valueType);
cusparseStatus_t CUSPARSEAPI
cusparseConstCsrGet(cusparseConstSpMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *nnz,
                    const void **csrRowOffsets, const void **csrColInd, const void **csrValues,
                    cusparseIndexType_t *csrRowOffsetsType, cusparseIndexType_t *csrColIndType,
                    cusparseIndexBase_t *idxBase, cudaDataType *valueType);
cusparseStatus_t CUSPARSEAPI cusparseCsrSetPointers(cusparseSpMatDescr_t descr, void *csrRowOffsets,
                                                    void *csrColInd, void *csrValues);
cusparseStatus_t CUSPARSEAPI cusparseCreateCsc(cusparseSpMatDescr_t *descr, int64_t rows,
                                               int64_t cols, int64_t nnz, void *cscColOffsets,
                                               void *cscRowInd, void *cscValues,
                                               cusparseIndexType_t cscColOffsetsType,
                                               cusparseIndexType_t cscRowIndType,
                                               cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t CUSPARSEAPI
cusparseCreateConstCsc(cusparseConstSpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t nnz,
                       const void *cscColOffsets, const void *cscRowInd, const void *cscValues,
                       cusparseIndexType_t cscColOffsetsType, cusparseIndexType_t cscRowIndType,
                       cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t CUSPARSEAPI cusparseCscGet(cusparseSpMatDescr_t descr, int64_t *rows,
                                            int64_t *cols, int64_t *nnz, void **cscColOffsets,
                                            void **cscRowInd, void **cscValues,
                                            cusparseIndexType_t *cscColOffsetsType,
                                            cusparseIndexType_t *cscRowIndType,
                                            cusparseIndexBase_t *idxBase, cudaDataType *valueType);
cusparseStatus_t CUSPARSEAPI
cusparseConstCscGet(cusparseConstSpMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *nnz,
                    const void **cscColOffsets, const void **cscRowInd, const void **cscValues,
                    cusparseIndexType_t *cscColOffsetsType, cusparseIndexType_t *cscRowIndType,
                    cusparseIndexBase_t *idxBase, cudaDataType *valueType);
cusparseStatus_t CUSPARSEAPI cusparseCscSetPointers(cusparseSpMatDescr_t descr, void *cscColOffsets,
                                                    void *cscRowInd, void *cscValues);
cusparseStatus_t CUSPARSEAPI cusparseCreateBsr(
    cusparseSpMatDescr_t *descr, int64_t brows, int64_t bcols, int64_t bnnz, int64_t rowBlockSize,
    int64_t colBlockSize, void *bsrRowOffsets, void *bsrColInd, void *bsrValues,
    cusparseIndexType_t bsrRowOffsetsType, cusparseIndexType_t bsrColIndType,
    cusparseIndexBase_t idxBase, cudaDataType valueType, cusparseOrder_t order);
cusparseStatus_t CUSPARSEAPI cusparseCreateConstBsr(
    cusparseConstSpMatDescr_t *descr, int64_t brows, int64_t bcols, int64_t bnnz,
    int64_t rowBlockSize, int64_t colBlockSize, const void *bsrRowOffsets, const void *bsrColInd,
    const void *bsrValues, cusparseIndexType_t bsrRowOffsetsType, cusparseIndexType_t bsrColIndType,
    cusparseIndexBase_t idxBase, cudaDataType valueType, cusparseOrder_t order);
cusparseStatus_t CUSPARSEAPI cusparseCreateCoo(cusparseSpMatDescr_t *descr, int64_t rows,
                                               int64_t cols, int64_t nnz, void *cooRowInd,
                                               void *cooColInd, void *cooValues,
                                               cusparseIndexType_t cooIdxType,
                                               cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t CUSPARSEAPI cusparseCreateConstCoo(
    cusparseConstSpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t nnz,
    const void *cooRowInd, const void *cooColInd, const void *cooValues,
    cusparseIndexType_t cooIdxType, cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t CUSPARSEAPI cusparseCooGet(cusparseSpMatDescr_t descr, int64_t *rows,
                                            int64_t *cols, int64_t *nnz, void **cooRowInd,
                                            void **cooColInd, void **cooValues,
                                            cusparseIndexType_t *idxType,
                                            cusparseIndexBase_t *idxBase, cudaDataType *valueType);
cusparseStatus_t CUSPARSEAPI cusparseConstCooGet(
    cusparseConstSpMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *nnz,
    const void **cooRowInd, const void **cooColInd, const void **cooValues,
    cusparseIndexType_t *idxType, cusparseIndexBase_t *idxBase, cudaDataType *valueType);
cusparseStatus_t CUSPARSEAPI cusparseCooSetPointers(cusparseSpMatDescr_t descr, void *cooRowInd,
                                                    void *cooColInd, void *cooValues);
cusparseStatus_t CUSPARSEAPI cusparseCreateBlockedEll(
    cusparseSpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t ellBlockSize, int64_t ellCols,
    void *ellColInd, void *ellValue, cusparseIndexType_t ellIdxType, cusparseIndexBase_t idxBase,
    cudaDataType valueType);
cusparseStatus_t CUSPARSEAPI cusparseCreateConstBlockedEll(
    cusparseConstSpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t ellBlockSize,
    int64_t ellCols, const void *ellColInd, const void *ellValue, cusparseIndexType_t ellIdxType,
    cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t CUSPARSEAPI cusparseBlockedEllGet(cusparseSpMatDescr_t descr, int64_t *rows,
                                                   int64_t *cols, int64_t *ellBlockSize,
                                                   int64_t *ellCols, void **ellColInd,
                                                   void **ellValue, cusparseIndexType_t *ellIdxType,
                                                   cusparseIndexBase_t *idxBase,
                                                   cudaDataType *valueType);
cusparseStatus_t CUSPARSEAPI cusparseConstBlockedEllGet(
    cusparseConstSpMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *ellBlockSize,
    int64_t *ellCols, const void **ellColInd, const void **ellValue,
    cusparseIndexType_t *ellIdxType, cusparseIndexBase_t *idxBase, cudaDataType *valueType);
cusparseStatus_t CUSPARSEAPI cusparseCreateSlicedEll(
    cusparseSpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t nnz, int64_t sellValuesSize,
    int64_t sliceSize, void *sellSliceOffsets, void *sellColInd, void *sellValues,
    cusparseIndexType_t sellSliceOffsetsType, cusparseIndexType_t sellColIndType,
    cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t CUSPARSEAPI cusparseCreateConstSlicedEll(
    cusparseConstSpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t nnz,
    int64_t sellValuesSize, int64_t sliceSize, const void *sellSliceOffsets, const void *sellColInd,
    const void *sellValues, cusparseIndexType_t sellSliceOffsetsType,
    cusparseIndexType_t sellColIndType, cusparseIndexBase_t idxBase, cudaDataType valueType);

// Dense matrices.
cusparseStatus_t CUSPARSEAPI cusparseCreateDnMat(cusparseDnMatDescr_t *descr, int64_t rows,
                                                 int64_t cols, int64_t ld, void *values,
                                                 cudaDataType valueType, cusparseOrder_t order);
cusparseStatus_t CUSPARSEAPI cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *descr,
                                                      int64_t rows, int64_t cols, int64_t ld,
                                                      const void *values, cudaDataType valueType,
                                                      cusparseOrder_t order);
cusparseStatus_t CUSPARSEAPI cusparseDestroyDnMat(cusparseConstDnMatDescr_t descr);
cusparseStatus_t CUSPARSEAPI cusparseDnMatGet(cusparseDnMatDescr_t descr, int64_t *rows,
                                              int64_t *cols, int64_t *ld, void **values,
                                              cudaDataType *valueType, cusparseOrder_t *order);
cusparseStatus_t CUSPARSEAPI cusparseConstDnMatGet(cusparseConstDnMatDescr_t descr, int64_t *rows,
                                                   int64_t *cols, int64_t *ld, const void **values,
                                                   cudaDataType *valueType, cusparseOrder_t *order);
cusparseStatus_t CUSPARSEAPI cusparseDnMatGetValues(cusparseDnMatDescr_t descr, void **values);
cusparseStatus_t CUSPARSEAPI cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t descr,
                                                         const void **values);
cusparseStatus_t CUSPARSEAPI cusparseDnMatSetValues(cusparseDnMatDescr_t descr, void *values);
cusparseStatus_t CUSPARSEAPI cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t descr,
                                                          int batchCount, int64_t batchStride);
cusparseStatus_t CUSPARSEAPI cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t descr,
                                                          int *batchCount, int64_t *batchStride);

// Sparse and dense vectors.
cusparseStatus_t CUSPARSEAPI cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                                           cusparseConstSpVecDescr_t vecX, const void *beta,
                                           cusparseDnVecDescr_t vecY);
cusparseStatus_t CUSPARSEAPI cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY,
                                            cusparseSpVecDescr_t vecX);
cusparseStatus_t CUSPARSEAPI cusparseScatter(cusparseHandle_t handle,
                                             cusparseConstSpVecDescr_t vecX,
                                             cusparseDnVecDescr_t vecY);
cusparseStatus_t CUSPARSEAPI cusparseRot(cusparseHandle_t handle, const void *c, const void *s,
                                         cusparseSpVecDescr_t vecX, cusparseDnVecDescr_t vecY);
cusparseStatus_t CUSPARSEAPI cusparseSpVV_bufferSize(cusparseHandle_t handle,
                                                     cusparseOperation_t opX,
                                                     cusparseConstSpVecDescr_t vecX,
                                                     cusparseConstDnVecDescr_t vecY,
                                                     const void *result, cudaDataType computeType,
                                                     size_t *bufferSize);
cusparseStatus_t CUSPARSEAPI cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX,
                                          cusparseConstSpVecDescr_t vecX,
                                          cusparseConstDnVecDescr_t vecY, void *result,
                                          cudaDataType computeType, void *externalBuffer);

// Sparse and dense matrices.
cusparseStatus_t CUSPARSEAPI cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                              cusparseConstSpMatDescr_t matA,
                                                              cusparseDnMatDescr_t matB,
                                                              cusparseSparseToDenseAlg_t alg,
                                                              size_t *bufferSize);
cusparseStatus_t CUSPARSEAPI cusparseSparseToDense(cusparseHandle_t handle,
                                                   cusparseConstSpMatDescr_t matA,
                                                   cusparseDnMatDescr_t matB,
                                                   cusparseSparseToDenseAlg_t alg,
                                                   void *externalBuffer);
cusparseStatus_t CUSPARSEAPI cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                              cusparseConstDnMatDescr_t matA,
                                                              cusparseSpMatDescr_t matB,
                                                              cusparseDenseToSparseAlg_t alg,
                                                              size_t *bufferSize);
cusparseStatus_t CUSPARSEAPI cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                            cusparseConstDnMatDescr_t matA,
                                                            cusparseSpMatDescr_t matB,
                                                            cusparseDenseToSparseAlg_t alg,
                                                            void *externalBuffer);
cusparseStatus_t CUSPARSEAPI cusparseDenseToSparse_convert(cusparseHandle_t handle,
                                                           cusparseConstDnMatDescr_t matA,
                                                           cusparseSpMatDescr_t matB,
                                                           cusparseDenseToSparseAlg_t alg,
                                                           void *externalBuffer);
cusparseStatus_t CUSPARSEAPI cusparseSpMV_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX, const void *beta,
    cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpMVAlg_t alg, size_t *bufferSize);
cusparseStatus_t CUSPARSEAPI cusparseSpMV_preprocess(cusparseHandle_t handle,
                                                     cusparseOperation_t opA, const void *alpha,
                                                     cusparseConstSpMatDescr_t matA,
                                                     cusparseConstDnVecDescr_t vecX,
                                                     const void *beta, cusparseDnVecDescr_t vecY,
                                                     cudaDataType computeType,
                                                     cusparseSpMVAlg_t alg, void *externalBuffer);
cusparseStatus_t CUSPARSEAPI cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t opA,
                                          const void *alpha, cusparseConstSpMatDescr_t matA,
                                          cusparseConstDnVecDescr_t vecX, const void *beta,
                                          cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                          cusparseSpMVAlg_t alg, void *externalBuffer);
cusparseStatus_t CUSPARSEAPI cusparseSpMM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB, const void *beta,
    cusparseDnMatDescr_t matC, cudaDataType computeType, cusparseSpMMAlg_t alg, size_t *bufferSize);
cusparseStatus_t CUSPARSEAPI
cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                        const void *alpha, cusparseConstSpMatDescr_t matA,
                        cusparseConstDnMatDescr_t matB, const void *beta, cusparseDnMatDescr_t matC,
                        cudaDataType computeType, cusparseSpMMAlg_t alg, void *externalBuffer);
cusparseStatus_t CUSPARSEAPI cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void *alpha,
                                          cusparseConstSpMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void *beta,
                                          cusparseDnMatDescr_t matC, cudaDataType computeType,
                                          cusparseSpMMAlg_t alg, void *externalBuffer);
cusparseStatus_t CUSPARSEAPI cusparseSDDMM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,
    cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB, const void *beta,
    cusparseSpMatDescr_t matC, cudaDataType computeType, cusparseSDDMMAlg_t alg,
    size_t *bufferSize);
cusparseStatus_t CUSPARSEAPI cusparseSDDMM_preprocess(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,
    cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB, const void *beta,
    cusparseSpMatDescr_t matC, cudaDataType computeType, cusparseSDDMMAlg_t alg,
    void *externalBuffer);
cusparseStatus_t CUSPARSEAPI cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA,
                                           cusparseOperation_t opB, const void *alpha,
                                           cusparseConstDnMatDescr_t matA,
                                           cusparseConstDnMatDescr_t matB, const void *beta,
                                           cusparseSpMatDescr_t matC, cudaDataType computeType,
                                           cusparseSDDMMAlg_t alg, void *externalBuffer);

// Triangular systems.
cusparseStatus_t CUSPARSEAPI cusparseSpSV_createDescr(cusparseSpSVDescr_t *descr);
cusparseStatus_t CUSPARSEAPI cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr);
cusparseStatus_t CUSPARSEAPI cusparseSpSV_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
    cudaDataType computeType, cusparseSpSVAlg_t alg, cusparseSpSVDescr_t descr, size_t *bufferSize);
cusparseStatus_t CUSPARSEAPI cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t opA,
                                                   const void *alpha,
                                                   cusparseConstSpMatDescr_t matA,
                                                   cusparseConstDnVecDescr_t vecX,
                                                   cusparseDnVecDescr_t vecY,
                                                   cudaDataType computeType, cusparseSpSVAlg_t alg,
                                                   cusparseSpSVDescr_t descr, void *externalBuffer);
cusparseStatus_t CUSPARSEAPI cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t opA,
                                                const void *alpha, cusparseConstSpMatDescr_t matA,
                                                cusparseConstDnVecDescr_t vecX,
                                                cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                                cusparseSpSVAlg_t alg, cusparseSpSVDescr_t descr);
cusparseStatus_t CUSPARSEAPI cusparseSpSV_updateMatrix(cusparseHandle_t handle,
                                                       cusparseSpSVDescr_t descr, void *newValues,
                                                       cusparseSpSVUpdate_t updatePart);
cusparseStatus_t CUSPARSEAPI cusparseSpSM_createDescr(cusparseSpSMDescr_t *descr);
cusparseStatus_t CUSPARSEAPI cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr);
cusparseStatus_t CUSPARSEAPI cusparseSpSM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
    cudaDataType computeType, cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr, size_t *bufferSize);
cusparseStatus_t CUSPARSEAPI cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t opA,
                                                   cusparseOperation_t opB, const void *alpha,
                                                   cusparseConstSpMatDescr_t matA,
                                                   cusparseConstDnMatDescr_t matB,
                                                   cusparseDnMatDescr_t matC,
                                                   cudaDataType computeType, cusparseSpSMAlg_t alg,
                                                   cusparseSpSMDescr_t descr, void *externalBuffer);
cusparseStatus_t CUSPARSEAPI cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA,
                                                cusparseOperation_t opB, const void *alpha,
                                                cusparseConstSpMatDescr_t matA,
                                                cusparseConstDnMatDescr_t matB,
                                                cusparseDnMatDescr_t matC, cudaDataType computeType,
                                                cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr);
cusparseStatus_t CUSPARSEAPI cusparseSpSM_updateMatrix(cusparseHandle_t handle,
                                                       cusparseSpSMDescr_t descr, void *newValues,
                                                       cusparseSpSMUpdate_t updatePart);

// Products of sparse matrices.
cusparseStatus_t CUSPARSEAPI cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr);
cusparseStatus_t CUSPARSEAPI cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr);
cusparseStatus_t CUSPARSEAPI cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, const void *beta,
    cusparseSpMatDescr_t matC, cudaDataType computeType, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t descr, size_t *bufferSize1, void *externalBuffer1);
cusparseStatus_t CUSPARSEAPI cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descr,
                                                           int64_t *numProducts);
cusparseStatus_t CUSPARSEAPI cusparseSpGEMM_estimateMemory(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, const void *beta,
    cusparseSpMatDescr_t matC, cudaDataType computeType, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t descr, float chunkFraction, size_t *bufferSize3, void *externalBuffer3,
    size_t *bufferSize2);
cusparseStatus_t CUSPARSEAPI cusparseSpGEMM_compute(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, const void *beta,
    cusparseSpMatDescr_t matC, cudaDataType computeType, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t descr, size_t *bufferSize2, void *externalBuffer2);
cusparseStatus_t CUSPARSEAPI cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                                 cusparseOperation_t opB, const void *alpha,
                                                 cusparseConstSpMatDescr_t matA,
                                                 cusparseConstSpMatDescr_t matB, const void *beta,
                                                 cusparseSpMatDescr_t matC,
                                                 cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                                 cusparseSpGEMMDescr_t descr);
cusparseStatus_t CUSPARSEAPI cusparseSpGEMMreuse_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, cusparseSpMatDescr_t matC,
    cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr, size_t *bufferSize1,
    void *externalBuffer1);
cusparseStatus_t CUSPARSEAPI cusparseSpGEMMreuse_nnz(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, cusparseSpMatDescr_t matC,
    cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr, size_t *bufferSize2,
    void *externalBuffer2, size_t *bufferSize3, void *externalBuffer3, size_t *bufferSize4,
    void *externalBuffer4);
cusparseStatus_t CUSPARSEAPI
cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                         cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                         cusparseSpMatDescr_t matC, cusparseSpGEMMAlg_t alg,
                         cusparseSpGEMMDescr_t descr, size_t *bufferSize5, void *externalBuffer5);
cusparseStatus_t CUSPARSEAPI cusparseSpGEMMreuse_compute(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, const void *beta,
    cusparseSpMatDescr_t matC, cudaDataType computeType, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t descr);

// Products with operators, and vectors with an epilogue, that are device code: LTO-IR of NVRTC.
cusparseStatus_t CUSPARSEAPI cusparseSpMMOp_createPlan(
    cusparseHandle_t handle, cusparseSpMMOpPlan_t *plan, cusparseOperation_t opA,
    cusparseOperation_t opB, cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
    cusparseDnMatDescr_t matC, cudaDataType computeType, cusparseSpMMOpAlg_t alg,
    const void *addOperationNvvmBuffer, size_t addOperationBufferSize,
    const void *mulOperationNvvmBuffer, size_t mulOperationBufferSize,
    const void *epilogueNvvmBuffer, size_t epilogueBufferSize, size_t *SpMMWorkspaceSize);
cusparseStatus_t CUSPARSEAPI cusparseSpMMOp(cusparseSpMMOpPlan_t plan, void *externalBuffer);
cusparseStatus_t CUSPARSEAPI cusparseSpMMOp_destroyPlan(cusparseSpMMOpPlan_t plan);
cusparseStatus_t CUSPARSEAPI cusparseSpMVOp_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseConstSpMatDescr_t matA,
    cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY, cusparseDnVecDescr_t vecZ,
    cudaDataType computeType, cusparseSpMVOpAlg_t alg, size_t *bufferSize);
cusparseStatus_t CUSPARSEAPI cusparseSpMVOp_createDescr(
    cusparseHandle_t handle, cusparseSpMVOpDescr_t *desc, cusparseOperation_t opA,
    cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
    cusparseDnVecDescr_t vecZ, cudaDataType computeType, cusparseSpMVOpAlg_t alg, void *buffer);
cusparseStatus_t CUSPARSEAPI cusparseSpMVOp_destroyDescr(cusparseSpMVOpDescr_t desc);
cusparseStatus_t CUSPARSEAPI cusparseSpMVOp_createPlan(cusparseHandle_t handle,
                                                       cusparseSpMVOpDescr_t desc,
                                                       cusparseSpMVOpPlan_t *plan, const void *code,
                                                       size_t codeSize);
cusparseStatus_t CUSPARSEAPI cusparseSpMVOp_destroyPlan(cusparseSpMVOpPlan_t plan);
cusparseStatus_t CUSPARSEAPI cusparseSpMVOp_setGlobalUserData(cusparseHandle_t handle,
                                                              cusparseSpMVOpPlan_t plan,
                                                              const char *global_data_name,
                                                              void *input_data, size_t data_size);
cusparseStatus_t CUSPARSEAPI cusparseSpMVOp(cusparseHandle_t handle, cusparseSpMVOpPlan_t plan,
                                            const void *alpha, const void *beta,
                                            cusparseConstDnVecDescr_t vecX,
                                            cusparseConstDnVecDescr_t vecY,
                                            cusparseDnVecDescr_t vecZ);
