// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles, matrix descriptors and the objects that analyses fill. Part of cusparse.h.

cusparseStatus_t CUSPARSEAPI cusparseCreate(cusparseHandle_t *handle);
cusparseStatus_t CUSPARSEAPI cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t CUSPARSEAPI cusparseGetVersion(cusparseHandle_t handle, int *version);
cusparseStatus_t CUSPARSEAPI cusparseGetProperty(libraryPropertyType type, int *value);
const char *CUSPARSEAPI cusparseGetErrorName(cusparseStatus_t status);
const char *CUSPARSEAPI cusparseGetErrorString(cusparseStatus_t status);
cusparseStatus_t CUSPARSEAPI cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t CUSPARSEAPI cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream);
cusparseStatus_t CUSPARSEAPI cusparseGetPointerMode(cusparseHandle_t handle,
                                                    cusparsePointerMode_t *mode);
cusparseStatus_t CUSPARSEAPI cusparseSetPointerMode(cusparseHandle_t handle,
                                                    cusparsePointerMode_t mode);

cusparseStatus_t CUSPARSEAPI cusparseLoggerSetCallback(cusparseLoggerCallback_t callback);
cusparseStatus_t CUSPARSEAPI cusparseLoggerSetFile(FILE *file);
cusparseStatus_t CUSPARSEAPI cusparseLoggerOpenFile(const char *path);
cusparseStatus_t CUSPARSEAPI cusparseLoggerSetLevel(int level);
cusparseStatus_t CUSPARSEAPI cusparseLoggerSetMask(int mask);
cusparseStatus_t CUSPARSEAPI cusparseLoggerForceDisable(void);

cusparseStatus_t CUSPARSEAPI cusparseCreateMatDescr(cusparseMatDescr_t *descr);
cusparseStatus_t CUSPARSEAPI cusparseDestroyMatDescr(cusparseMatDescr_t descr);
cusparseStatus_t CUSPARSEAPI cusparseCopyMatDescr(cusparseMatDescr_t to,
                                                  const cusparseMatDescr_t from);
cusparseStatus_t CUSPARSEAPI cusparseSetMatType(cusparseMatDescr_t descr,
                                                cusparseMatrixType_t type);
cusparseMatrixType_t CUSPARSEAPI cusparseGetMatType(const cusparseMatDescr_t descr);
cusparseStatus_t CUSPARSEAPI cusparseSetMatFillMode(cusparseMatDescr_t descr,
                                                    cusparseFillMode_t mode);
cusparseFillMode_t CUSPARSEAPI cusparseGetMatFillMode(const cusparseMatDescr_t descr);
cusparseStatus_t CUSPARSEAPI cusparseSetMatDiagType(cusparseMatDescr_t descr,
                                                    cusparseDiagType_t type);
cusparseDiagType_t CUSPARSEAPI cusparseGetMatDiagType(const cusparseMatDescr_t descr);
cusparseStatus_t CUSPARSEAPI cusparseSetMatIndexBase(cusparseMatDescr_t descr,
                                                     cusparseIndexBase_t base);
cusparseIndexBase_t CUSPARSEAPI cusparseGetMatIndexBase(const cusparseMatDescr_t descr);

#define X(Name, type)                                                                              \
  cusparseStatus_t CUSPARSEAPI cusparseCreate##Name(type *info);                                   \
  cusparseStatus_t CUSPARSEAPI cusparseDestroy##Name(type info);
X(Csric02Info, csric02Info_t)
X(Bsric02Info, bsric02Info_t)
X(Csrilu02Info, csrilu02Info_t)
X(Bsrilu02Info, bsrilu02Info_t)
X(Bsrsv2Info, bsrsv2Info_t)
X(Bsrsm2Info, bsrsm2Info_t)
X(Csru2csrInfo, csru2csrInfo_t)
X(ColorInfo, cusparseColorInfo_t)
X(PruneInfo, pruneInfo_t)
#ifndef HEDDLE_WITHOUT_REMOVED
X(Csrsv2Info, csrsv2Info_t)
X(Csrsm2Info, csrsm2Info_t)
X(Csrgemm2Info, csrgemm2Info_t)
#endif
#undef X

cusparseStatus_t CUSPARSEAPI cusparseSetColorAlgs(cusparseColorInfo_t info, cusparseColorAlg_t alg);
cusparseStatus_t CUSPARSEAPI cusparseGetColorAlgs(cusparseColorInfo_t info,
                                                  cusparseColorAlg_t *alg);
