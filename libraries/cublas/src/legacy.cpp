// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of cublas.h: each function calls the one with a handle, with a handle that all
// share.
#include "cublas.h"

#include "check.h"

#include <cuda_runtime_api.h>
#include <mutex>
#include <utility>

namespace heddle::cublas {
namespace {

// Errors are kept for the thread that made them, as cudaGetLastError's are.
std::mutex mutex;
cublasHandle_t shared = nullptr;
thread_local cublasStatus_t last = CUBLAS_STATUS_SUCCESS;

/// Calls f with the shared handle; the result of a function that fails is zero.
template <typename F> void run(F f) {
  cublasHandle_t handle;
  {
    const std::lock_guard lock(mutex);
    handle = shared;
  }
  if (const cublasStatus_t status = f(handle); status != CUBLAS_STATUS_SUCCESS)
    last = status;
}

// Choices as characters, large or small; what is none is refused by the function with a handle.
cublasOperation_t op(char c) {
  switch (c | 32) {
  case 'n':
    return CUBLAS_OP_N;
  case 't':
    return CUBLAS_OP_T;
  case 'c':
    return CUBLAS_OP_C;
  default:
    return cublasOperation_t(-1);
  }
}
template <typename T> T choice(char c, char first, T one, char second, T other) {
  return (c | 32) == first ? one : (c | 32) == second ? other : T(-1);
}
cublasFillMode_t fill(char c) {
  return choice(c, 'l', CUBLAS_FILL_MODE_LOWER, 'u', CUBLAS_FILL_MODE_UPPER);
}
cublasDiagType_t unit(char c) {
  return choice(c, 'n', CUBLAS_DIAG_NON_UNIT, 'u', CUBLAS_DIAG_UNIT);
}
cublasSideMode_t where(char c) { return choice(c, 'l', CUBLAS_SIDE_LEFT, 'r', CUBLAS_SIDE_RIGHT); }

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

cublasStatus cublasInit() {
  const std::lock_guard lock(mutex);
  return shared ? CUBLAS_STATUS_SUCCESS : cublasCreate_v2(&shared);
}

cublasStatus cublasShutdown() {
  const std::lock_guard lock(mutex);
  const cublasStatus_t status = cublasDestroy_v2(shared);
  shared = nullptr;
  return status;
}

cublasStatus cublasGetError() { return std::exchange(last, CUBLAS_STATUS_SUCCESS); }

cublasStatus cublasGetVersion(int *version) { return cublasGetVersion_v2(shared, version); }

cublasStatus cublasAlloc(int n, int size, void **pointer) {
  if (n <= 0 || size <= 0 || !pointer)
    return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, "a size is not positive");
  return cudaMalloc(pointer, size_t(n) * size_t(size)) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                      : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus cublasFree(void *pointer) {
  return cudaFree(pointer) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}

cublasStatus cublasSetKernelStream(cudaStream_t stream) {
  const std::lock_guard lock(mutex);
  return cublasSetStream_v2(shared, stream);
}

#define RUN(...) run([&](cublasHandle_t h) { return __VA_ARGS__; })

#define X(P, T, I, E)                                                                              \
  void cublas##P##axpy __HEDDLE_LEGACY_AXPY(T) {                                                   \
    RUN(cublas##P##axpy_v2(h, n, &alpha, x, incx, y, incy));                                       \
  }                                                                                                \
  void cublas##P##copy __HEDDLE_LEGACY_COPY(T) {                                                   \
    RUN(cublas##P##copy_v2(h, n, x, incx, y, incy));                                               \
  }                                                                                                \
  void cublas##P##swap __HEDDLE_LEGACY_SWAP(T) {                                                   \
    RUN(cublas##P##swap_v2(h, n, x, incx, y, incy));                                               \
  }                                                                                                \
  void cublas##P##gemv __HEDDLE_LEGACY_GEMV(T) {                                                   \
    RUN(cublas##P##gemv_v2(h, op(trans), m, n, &alpha, A, lda, x, incx, &beta, y, incy));          \
  }                                                                                                \
  void cublas##P##gbmv __HEDDLE_LEGACY_GBMV(T) {                                                   \
    RUN(cublas##P##gbmv_v2(h, op(trans), m, n, kl, ku, &alpha, A, lda, x, incx, &beta, y, incy));  \
  }                                                                                                \
  void cublas##P##gemm __HEDDLE_LEGACY_GEMM(T) {                                                   \
    RUN(cublas##P##gemm_v2(h, op(transa), op(transb), m, n, k, &alpha, A, lda, B, ldb, &beta, C,   \
                           ldc));                                                                  \
  }                                                                                                \
  void cublas##P##trsm __HEDDLE_LEGACY_TRSM(T) {                                                   \
    RUN(cublas##P##trsm_v2(h, where(side), fill(uplo), op(transa), unit(diag), m, n, &alpha, A,    \
                           lda, B, ldb));                                                          \
  }                                                                                                \
  void cublas##P##trmm __HEDDLE_LEGACY_TRSM(T) {                                                   \
    RUN(cublas##P##trmm_v2(h, where(side), fill(uplo), op(transa), unit(diag), m, n, &alpha, A,    \
                           lda, B, ldb, B, ldb));                                                  \
  }
__HEDDLE_CUBLAS_SDCZ(X, int, )
#undef X

#define RESULT(R, name, parameters, ...)                                                           \
  R name parameters {                                                                              \
    R result{};                                                                                    \
    RUN(__VA_ARGS__);                                                                              \
    return result;                                                                                 \
  }
#define X(P, T, I, E)                                                                              \
  RESULT(int, cublas##P##amax, __HEDDLE_LEGACY_NRM2(T),                                            \
         cublas##P##amax_v2(h, n, x, incx, &result))                                               \
  RESULT(int, cublas##P##amin, __HEDDLE_LEGACY_NRM2(T), cublas##P##amin_v2(h, n, x, incx, &result))
__HEDDLE_CUBLAS_EXTREMES(X, int, )
#undef X
#define X(P, T, R, I, E)                                                                           \
  RESULT(R, cublas##P##nrm2, __HEDDLE_LEGACY_NRM2(T), cublas##P##nrm2_v2(h, n, x, incx, &result))  \
  RESULT(R, cublas##P##asum, __HEDDLE_LEGACY_NRM2(T), cublas##P##asum_v2(h, n, x, incx, &result))
__HEDDLE_CUBLAS_NORMS(X, int, )
#undef X
#define X(name, T, conjugated, I, E)                                                               \
  RESULT(T, cublas##name, __HEDDLE_LEGACY_DOT(T),                                                  \
         cublas##name##_v2(h, n, x, incx, y, incy, &result))
__HEDDLE_CUBLAS_DOTS(X, int, )
#undef X

#define CALL(name, parameters, ...)                                                                \
  void name parameters { RUN(__VA_ARGS__); }
#define X(P, T, S, I, E)                                                                           \
  CALL(cublas##P##scal, __HEDDLE_LEGACY_SCAL(T, S), cublas##P##scal_v2(h, n, &alpha, x, incx))
__HEDDLE_CUBLAS_SCALES(X, int, )
#undef X
#define X(P, T, C, S, I, E)                                                                        \
  CALL(cublas##P##rot, __HEDDLE_LEGACY_ROT(T, C, S),                                               \
       cublas##P##rot_v2(h, n, x, incx, y, incy, &sc, &ss))
__HEDDLE_CUBLAS_ROTATIONS(X, int, )
#undef X
#define X(P, T, I, E)                                                                              \
  CALL(cublas##P##rotm, __HEDDLE_LEGACY_ROTM(T),                                                   \
       cublas##P##rotm_v2(h, n, x, incx, y, incy, sparam))                                         \
  CALL(cublas##P##rotmg, __HEDDLE_LEGACY_ROTMG(T),                                                 \
       cublas##P##rotmg_v2(h, sd1, sd2, sx1, sy1, sparam))
__HEDDLE_CUBLAS_SD(X, int, )
#undef X
CALL(cublasSrotg, (float *a, float *b, float *c, float *s), cublasSrotg_v2(h, a, b, c, s))
CALL(cublasDrotg, (double *a, double *b, double *c, double *s), cublasDrotg_v2(h, a, b, c, s))
CALL(cublasCrotg, (cuComplex * a, cuComplex b, float *c, cuComplex *s),
     cublasCrotg_v2(h, a, &b, c, s))
CALL(cublasZrotg, (cuDoubleComplex * a, cuDoubleComplex b, double *c, cuDoubleComplex *s),
     cublasZrotg_v2(h, a, &b, c, s))

#define X(P, name, T, I, E)                                                                        \
  CALL(cublas##P##name, __HEDDLE_LEGACY_TRMV(T),                                                   \
       cublas##P##name##_v2(h, fill(uplo), op(trans), unit(diag), n, A, lda, x, incx))
__HEDDLE_CUBLAS_FULL_TRIANGLES(X, int, )
#undef X
#define X(P, name, T, I, E)                                                                        \
  CALL(cublas##P##name, __HEDDLE_LEGACY_TPMV(T),                                                   \
       cublas##P##name##_v2(h, fill(uplo), op(trans), unit(diag), n, AP, x, incx))
__HEDDLE_CUBLAS_PACKED_TRIANGLES(X, int, )
#undef X
#define X(P, name, T, I, E)                                                                        \
  CALL(cublas##P##name, __HEDDLE_LEGACY_TBMV(T),                                                   \
       cublas##P##name##_v2(h, fill(uplo), op(trans), unit(diag), n, k, A, lda, x, incx))
__HEDDLE_CUBLAS_BANDED_TRIANGLES(X, int, )
#undef X
#define X(P, name, T)                                                                              \
  CALL(cublas##P##name, __HEDDLE_LEGACY_SYMV(T),                                                   \
       cublas##P##name##_v2(h, fill(uplo), n, &alpha, A, lda, x, incx, &beta, y, incy))
__HEDDLE_LEGACY_SYMMETRIC(X)
#undef X
#define X(P, name, T, I, E)                                                                        \
  CALL(cublas##P##name, __HEDDLE_LEGACY_SBMV(T),                                                   \
       cublas##P##name##_v2(h, fill(uplo), n, k, &alpha, A, lda, x, incx, &beta, y, incy))
__HEDDLE_CUBLAS_BANDED_SYMMETRIC(X, int, )
#undef X
#define X(P, name, T, I, E)                                                                        \
  CALL(cublas##P##name, __HEDDLE_LEGACY_SPMV(T),                                                   \
       cublas##P##name##_v2(h, fill(uplo), n, &alpha, AP, x, incx, &beta, y, incy))
__HEDDLE_CUBLAS_PACKED_SYMMETRIC(X, int, )
#undef X
#define X(P, name, T, I, E)                                                                        \
  CALL(cublas##P##name, __HEDDLE_LEGACY_GER(T),                                                    \
       cublas##P##name##_v2(h, m, n, &alpha, x, incx, y, incy, A, lda))
__HEDDLE_CUBLAS_OUTER(X, int, )
#undef X
#define X(P, name, T, R)                                                                           \
  CALL(cublas##P##name, __HEDDLE_LEGACY_SYR(T, R),                                                 \
       cublas##P##name##_v2(h, fill(uplo), n, &alpha, x, incx, A, lda))
__HEDDLE_LEGACY_RANK_1(X)
#undef X
#define X(P, name, T, R, I, E)                                                                     \
  CALL(cublas##P##name, __HEDDLE_LEGACY_SPR(T, R),                                                 \
       cublas##P##name##_v2(h, fill(uplo), n, &alpha, x, incx, AP))
__HEDDLE_CUBLAS_PACKED_RANK_1(X, int, )
#undef X
#define X(P, name, T)                                                                              \
  CALL(cublas##P##name, __HEDDLE_LEGACY_SYR2(T),                                                   \
       cublas##P##name##_v2(h, fill(uplo), n, &alpha, x, incx, y, incy, A, lda))
__HEDDLE_LEGACY_RANK_2(X)
#undef X
#define X(P, name, T, I, E)                                                                        \
  CALL(cublas##P##name, __HEDDLE_LEGACY_SPR2(T),                                                   \
       cublas##P##name##_v2(h, fill(uplo), n, &alpha, x, incx, y, incy, AP))
__HEDDLE_CUBLAS_PACKED_RANK_2(X, int, )
#undef X
#define X(name, T, R)                                                                              \
  CALL(cublas##name, __HEDDLE_LEGACY_SYRK(T, R),                                                   \
       cublas##name##_v2(h, fill(uplo), op(trans), n, k, &alpha, A, lda, &beta, C, ldc))
__HEDDLE_LEGACY_RANK_K(X)
#undef X
#define X(name, T, R)                                                                              \
  CALL(cublas##name, __HEDDLE_LEGACY_SYR2K(T, R),                                                  \
       cublas##name##_v2(h, fill(uplo), op(trans), n, k, &alpha, A, lda, B, ldb, &beta, C, ldc))
__HEDDLE_LEGACY_RANK_2K(X)
#undef X
#define X(P, name, T, I, E)                                                                        \
  CALL(cublas##P##name, __HEDDLE_LEGACY_SYMM(T),                                                   \
       cublas##P##name##_v2(h, where(side), fill(uplo), m, n, &alpha, A, lda, B, ldb, &beta, C,    \
                            ldc))
__HEDDLE_CUBLAS_SYMM(X, int, )
