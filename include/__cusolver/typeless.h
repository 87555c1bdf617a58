// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The 64-bit API, whose matrices carry their type as an argument. No include guard: cusolverDn.h
// includes this file once, within extern "C".

__HEDDLE_SOLVER(CreateParams)(cusolverDnParams_t *params);
__HEDDLE_SOLVER(DestroyParams)(cusolverDnParams_t params);
__HEDDLE_SOLVER(SetAdvOptions)(cusolverDnParams_t params, cusolverDnFunction_t function,
                               cusolverAlgMode_t algo);

// The arguments that these functions share; the work areas come as sizes, or as buffers and sizes.
#define __HEDDLE_HEAD cusolverDnHandle_t handle, cusolverDnParams_t params
#define __HEDDLE_SIZES size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost
#define __HEDDLE_BUFFERS                                                                           \
  void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,                       \
      size_t workspaceInBytesOnHost
#define __HEDDLE_IN(A) cudaDataType dataType##A, const void *A
#define __HEDDLE_OUT(A) cudaDataType dataType##A, void *A

__HEDDLE_SOLVER(Xpotrf_bufferSize)(__HEDDLE_HEAD, cublasFillMode_t uplo, int64_t n, __HEDDLE_IN(A),
                                   int64_t lda, cudaDataType computeType, __HEDDLE_SIZES);
__HEDDLE_SOLVER(Xpotrf)(__HEDDLE_HEAD, cublasFillMode_t uplo, int64_t n, __HEDDLE_OUT(A),
                        int64_t lda, cudaDataType computeType, __HEDDLE_BUFFERS, int *info);
__HEDDLE_SOLVER(Xpotrs)(__HEDDLE_HEAD, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                        __HEDDLE_IN(A), int64_t lda, __HEDDLE_OUT(B), int64_t ldb, int *info);
__HEDDLE_SOLVER(Xgeqrf_bufferSize)(__HEDDLE_HEAD, int64_t m, int64_t n, __HEDDLE_IN(A), int64_t lda,
                                   __HEDDLE_IN(tau), cudaDataType computeType, __HEDDLE_SIZES);
__HEDDLE_SOLVER(Xgeqrf)(__HEDDLE_HEAD, int64_t m, int64_t n, __HEDDLE_OUT(A), int64_t lda,
                        __HEDDLE_OUT(tau), cudaDataType computeType, __HEDDLE_BUFFERS, int *info);
__HEDDLE_SOLVER(Xgetrf_bufferSize)(__HEDDLE_HEAD, int64_t m, int64_t n, __HEDDLE_IN(A), int64_t lda,
                                   cudaDataType computeType, __HEDDLE_SIZES);
__HEDDLE_SOLVER(Xgetrf)(__HEDDLE_HEAD, int64_t m, int64_t n, __HEDDLE_OUT(A), int64_t lda,
                        int64_t *ipiv, cudaDataType computeType, __HEDDLE_BUFFERS, int *info);
__HEDDLE_SOLVER(Xgetrs)(__HEDDLE_HEAD, cublasOperation_t trans, int64_t n, int64_t nrhs,
                        __HEDDLE_IN(A), int64_t lda, const int64_t *ipiv, __HEDDLE_OUT(B),
                        int64_t ldb, int *info);
__HEDDLE_SOLVER(Xsyevd_bufferSize)(__HEDDLE_HEAD, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                   int64_t n, __HEDDLE_IN(A), int64_t lda, __HEDDLE_IN(W),
                                   cudaDataType computeType, __HEDDLE_SIZES);
__HEDDLE_SOLVER(Xsyevd)(__HEDDLE_HEAD, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                        __HEDDLE_OUT(A), int64_t lda, __HEDDLE_OUT(W), cudaDataType computeType,
                        __HEDDLE_BUFFERS, int *info);
__HEDDLE_SOLVER(XsyevBatched_bufferSize)(__HEDDLE_HEAD, cusolverEigMode_t jobz,
                                         cublasFillMode_t uplo, int64_t n, __HEDDLE_IN(A),
                                         int64_t lda, __HEDDLE_IN(W), cudaDataType computeType,
                                         __HEDDLE_SIZES, int64_t batchSize);
__HEDDLE_SOLVER(XsyevBatched)(__HEDDLE_HEAD, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                              int64_t n, __HEDDLE_OUT(A), int64_t lda, __HEDDLE_OUT(W),
                              cudaDataType computeType, __HEDDLE_BUFFERS, int *info,
                              int64_t batchSize);
__HEDDLE_SOLVER(Xsyevdx_bufferSize)(__HEDDLE_HEAD, cusolverEigMode_t jobz, cusolverEigRange_t range,
                                    cublasFillMode_t uplo, int64_t n, __HEDDLE_IN(A), int64_t lda,
                                    void *vl, void *vu, int64_t il, int64_t iu, int64_t *h_meig,
                                    __HEDDLE_IN(W), cudaDataType computeType, __HEDDLE_SIZES);
__HEDDLE_SOLVER(Xsyevdx)(__HEDDLE_HEAD, cusolverEigMode_t jobz, cusolverEigRange_t range,
                         cublasFillMode_t uplo, int64_t n, __HEDDLE_OUT(A), int64_t lda, void *vl,
                         void *vu, int64_t il, int64_t iu, int64_t *meig64, __HEDDLE_OUT(W),
                         cudaDataType computeType, __HEDDLE_BUFFERS, int *info);
__HEDDLE_SOLVER(Xgeev_bufferSize)(__HEDDLE_HEAD, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr,
                                  int64_t n, __HEDDLE_IN(A), int64_t lda, __HEDDLE_IN(W),
                                  __HEDDLE_IN(VL), int64_t ldvl, __HEDDLE_IN(VR), int64_t ldvr,
                                  cudaDataType computeType, __HEDDLE_SIZES);
__HEDDLE_SOLVER(Xgeev)(__HEDDLE_HEAD, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
                       __HEDDLE_OUT(A), int64_t lda, __HEDDLE_OUT(W), __HEDDLE_OUT(VL),
                       int64_t ldvl, __HEDDLE_OUT(VR), int64_t ldvr, cudaDataType computeType,
                       __HEDDLE_BUFFERS, int *info);
__HEDDLE_SOLVER(Xgesvd_bufferSize)(__HEDDLE_HEAD, signed char jobu, signed char jobvt, int64_t m,
                                   int64_t n, __HEDDLE_IN(A), int64_t lda, __HEDDLE_IN(S),
                                   __HEDDLE_IN(U), int64_t ldu, __HEDDLE_IN(VT), int64_t ldvt,
                                   cudaDataType computeType, __HEDDLE_SIZES);
__HEDDLE_SOLVER(Xgesvd)(__HEDDLE_HEAD, signed char jobu, signed char jobvt, int64_t m, int64_t n,
                        __HEDDLE_OUT(A), int64_t lda, __HEDDLE_OUT(S), __HEDDLE_OUT(U), int64_t ldu,
                        __HEDDLE_OUT(VT), int64_t ldvt, cudaDataType computeType, __HEDDLE_BUFFERS,
                        int *info);
__HEDDLE_SOLVER(Xgesvdp_bufferSize)(__HEDDLE_HEAD, cusolverEigMode_t jobz, int econ, int64_t m,
                                    int64_t n, __HEDDLE_IN(A), int64_t lda, __HEDDLE_IN(S),
                                    __HEDDLE_IN(U), int64_t ldu, __HEDDLE_IN(V), int64_t ldv,
                                    cudaDataType computeType, __HEDDLE_SIZES);
__HEDDLE_SOLVER(Xgesvdp)(__HEDDLE_HEAD, cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
                         __HEDDLE_OUT(A), int64_t lda, __HEDDLE_OUT(S), __HEDDLE_OUT(U),
                         int64_t ldu, __HEDDLE_OUT(V), int64_t ldv, cudaDataType computeType,
                         __HEDDLE_BUFFERS, int *d_info, double *h_err_sigma);
__HEDDLE_SOLVER(Xgesvdr_bufferSize)(__HEDDLE_HEAD, signed char jobu, signed char jobv, int64_t m,
                                    int64_t n, int64_t k, int64_t p, int64_t niters, __HEDDLE_IN(A),
                                    int64_t lda, __HEDDLE_IN(Srand), __HEDDLE_IN(Urand),
                                    int64_t ldUrand, __HEDDLE_IN(Vrand), int64_t ldVrand,
                                    cudaDataType computeType, __HEDDLE_SIZES);
__HEDDLE_SOLVER(Xgesvdr)(__HEDDLE_HEAD, signed char jobu, signed char jobv, int64_t m, int64_t n,
                         int64_t k, int64_t p, int64_t niters, __HEDDLE_OUT(A), int64_t lda,
                         __HEDDLE_OUT(Srand), __HEDDLE_OUT(Urand), int64_t ldUrand,
                         __HEDDLE_OUT(Vrand), int64_t ldVrand, cudaDataType computeType,
                         __HEDDLE_BUFFERS, int *d_info);
__HEDDLE_SOLVER(Xlarft_bufferSize)(__HEDDLE_HEAD, cusolverDirectMode_t direct,
                                   cusolverStorevMode_t storev, int64_t N, int64_t K,
                                   __HEDDLE_IN(V), int64_t ldv, __HEDDLE_IN(tau), __HEDDLE_OUT(T),
                                   int64_t ldt, cudaDataType computeType, __HEDDLE_SIZES);
__HEDDLE_SOLVER(Xlarft)(__HEDDLE_HEAD, cusolverDirectMode_t direct, cusolverStorevMode_t storev,
                        int64_t N, int64_t K, __HEDDLE_IN(V), int64_t ldv, __HEDDLE_IN(tau),
                        __HEDDLE_OUT(T), int64_t ldt, cudaDataType computeType, __HEDDLE_BUFFERS);

// These have no params.
__HEDDLE_SOLVER(Xtrtri_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                   cublasDiagType_t diag, int64_t n, __HEDDLE_OUT(A), int64_t lda,
                                   __HEDDLE_SIZES);
__HEDDLE_SOLVER(Xtrtri)(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag,
                        int64_t n, __HEDDLE_OUT(A), int64_t lda, __HEDDLE_BUFFERS, int *devInfo);
__HEDDLE_SOLVER(Xsytrs_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n,
                                   int64_t nrhs, __HEDDLE_IN(A), int64_t lda, const int64_t *ipiv,
                                   __HEDDLE_OUT(B), int64_t ldb, __HEDDLE_SIZES);
__HEDDLE_SOLVER(Xsytrs)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                        __HEDDLE_IN(A), int64_t lda, const int64_t *ipiv, __HEDDLE_OUT(B),
                        int64_t ldb, __HEDDLE_BUFFERS, int *info);

// The first 64-bit functions, with one work area; CUDA 13 has them no more.
#define __HEDDLE_SIZE size_t *workspaceInBytes
#define __HEDDLE_BUFFER void *pBuffer, size_t workspaceInBytes
__HEDDLE_SOLVER(Potrf_bufferSize)(__HEDDLE_HEAD, cublasFillMode_t uplo, int64_t n, __HEDDLE_IN(A),
                                  int64_t lda, cudaDataType computeType, __HEDDLE_SIZE);
__HEDDLE_SOLVER(Potrf)(__HEDDLE_HEAD, cublasFillMode_t uplo, int64_t n, __HEDDLE_OUT(A),
                       int64_t lda, cudaDataType computeType, __HEDDLE_BUFFER, int *info);
__HEDDLE_SOLVER(Potrs)(__HEDDLE_HEAD, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                       __HEDDLE_IN(A), int64_t lda, __HEDDLE_OUT(B), int64_t ldb, int *info);
__HEDDLE_SOLVER(Geqrf_bufferSize)(__HEDDLE_HEAD, int64_t m, int64_t n, __HEDDLE_IN(A), int64_t lda,
                                  __HEDDLE_IN(tau), cudaDataType computeType, __HEDDLE_SIZE);
__HEDDLE_SOLVER(Geqrf)(__HEDDLE_HEAD, int64_t m, int64_t n, __HEDDLE_OUT(A), int64_t lda,
                       __HEDDLE_OUT(tau), cudaDataType computeType, __HEDDLE_BUFFER, int *info);
__HEDDLE_SOLVER(Getrf_bufferSize)(__HEDDLE_HEAD, int64_t m, int64_t n, __HEDDLE_IN(A), int64_t lda,
                                  cudaDataType computeType, __HEDDLE_SIZE);
__HEDDLE_SOLVER(Getrf)(__HEDDLE_HEAD, int64_t m, int64_t n, __HEDDLE_OUT(A), int64_t lda,
                       int64_t *ipiv, cudaDataType computeType, __HEDDLE_BUFFER, int *info);
__HEDDLE_SOLVER(Getrs)(__HEDDLE_HEAD, cublasOperation_t trans, int64_t n, int64_t nrhs,
                       __HEDDLE_IN(A), int64_t lda, const int64_t *ipiv, __HEDDLE_OUT(B),
                       int64_t ldb, int *info);
__HEDDLE_SOLVER(Syevd_bufferSize)(__HEDDLE_HEAD, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                  int64_t n, __HEDDLE_IN(A), int64_t lda, __HEDDLE_IN(W),
                                  cudaDataType computeType, __HEDDLE_SIZE);
__HEDDLE_SOLVER(Syevd)(__HEDDLE_HEAD, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                       __HEDDLE_OUT(A), int64_t lda, __HEDDLE_OUT(W), cudaDataType computeType,
                       __HEDDLE_BUFFER, int *info);
__HEDDLE_SOLVER(Syevdx_bufferSize)(__HEDDLE_HEAD, cusolverEigMode_t jobz, cusolverEigRange_t range,
                                   cublasFillMode_t uplo, int64_t n, __HEDDLE_IN(A), int64_t lda,
                                   void *vl, void *vu, int64_t il, int64_t iu, int64_t *h_meig,
                                   __HEDDLE_IN(W), cudaDataType computeType, __HEDDLE_SIZE);
__HEDDLE_SOLVER(Syevdx)(__HEDDLE_HEAD, cusolverEigMode_t jobz, cusolverEigRange_t range,
                        cublasFillMode_t uplo, int64_t n, __HEDDLE_OUT(A), int64_t lda, void *vl,
                        void *vu, int64_t il, int64_t iu, int64_t *meig64, __HEDDLE_OUT(W),
                        cudaDataType computeType, __HEDDLE_BUFFER, int *info);
__HEDDLE_SOLVER(Gesvd_bufferSize)(__HEDDLE_HEAD, signed char jobu, signed char jobvt, int64_t m,
                                  int64_t n, __HEDDLE_IN(A), int64_t lda, __HEDDLE_IN(S),
                                  __HEDDLE_IN(U), int64_t ldu, __HEDDLE_IN(VT), int64_t ldvt,
                                  cudaDataType computeType, __HEDDLE_SIZE);
__HEDDLE_SOLVER(Gesvd)(__HEDDLE_HEAD, signed char jobu, signed char jobvt, int64_t m, int64_t n,
                       __HEDDLE_OUT(A), int64_t lda, __HEDDLE_OUT(S), __HEDDLE_OUT(U), int64_t ldu,
                       __HEDDLE_OUT(VT), int64_t ldvt, cudaDataType computeType, __HEDDLE_BUFFER,
                       int *info);
#undef __HEDDLE_HEAD
#undef __HEDDLE_SIZES
#undef __HEDDLE_BUFFERS
#undef __HEDDLE_SIZE
#undef __HEDDLE_BUFFER
#undef __HEDDLE_IN
#undef __HEDDLE_OUT
