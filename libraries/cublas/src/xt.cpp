// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasXt: level 3 on matrices in host memory. Devices share the host's memory and cores, so a
// call is one call of cuBLAS, which OpenBLAS divides among the cores, and which has run when it
// returns.
#include "cublasXt.h"

#include "check.h"
#include "common/handles.h"
#include "core/openblas.h"

#include <cuda_runtime_api.h>
#include <memory>
#include <new>
#include <vector>

struct cublasXtContext {
  cublasHandle_t blas = nullptr;
  int block_dim = 2048;
  cublasXtPinnedMemMode_t pinning = CUBLASXT_PINNING_DISABLED;
};

namespace heddle::cublas {
namespace {

using Handles = library::Handles<cublasXtContext>;
Handles &xtHandles() { return library::handles<cublasXtContext>(); }

cublasStatus_t noHandle(const char *function) {
  return refuse(function, CUBLAS_STATUS_NOT_INITIALIZED,
                "the handle was not created, or destroyed");
}

/// Runs a function of cuBLAS and waits for it.
template <typename F> cublasStatus_t run(const char *name, cublasXtHandle_t handle, F function) {
  if (!xtHandles().has(handle))
    return noHandle(name);
  int device;
  if (cudaGetDevice(&device) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  const int own = handle->blas->device;
  if (device != own)
    cudaSetDevice(own);
  const cublasStatus_t status = function(handle->blas);
  const cudaError_t error = cudaStreamSynchronize(nullptr);
  if (device != own)
    cudaSetDevice(device);
  return status == CUBLAS_STATUS_SUCCESS && error != cudaSuccess ? CUBLAS_STATUS_EXECUTION_FAILED
                                                                 : status;
}

/// A full matrix from a packed triangle, in the same half.
template <typename T>
std::unique_ptr<T[]> unpack(cublasFillMode_t uplo, size_t n, const T *packed) {
  std::unique_ptr<T[]> full(new (std::nothrow) T[n * n]{});
  for (size_t j = 0; full && j < n; ++j) {
    const size_t first = uplo == CUBLAS_FILL_MODE_UPPER ? 0 : j;
    const size_t end = uplo == CUBLAS_FILL_MODE_UPPER ? j + 1 : n;
    for (size_t i = first; i < end; ++i)
      full[i + j * n] = *packed++;
  }
  return full;
}

template <typename T>
cublasStatus_t spmm(const char *name, cublasXtHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t uplo, size_t m, size_t n, const T *packed, auto symm) {
  const size_t size = side == CUBLAS_SIDE_LEFT ? m : n;
  if (!packed || size > INT_MAX)
    return refuse(name, CUBLAS_STATUS_INVALID_VALUE, "A is null or too large");
  const auto full = unpack(uplo, size, packed);
  if (!full)
    return refuse(name, CUBLAS_STATUS_ALLOC_FAILED, "there is no memory for A");
  return run(name, handle, [&](cublasHandle_t h) { return symm(h, full.get(), int64_t(size)); });
}

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle) {
  if (!handle)
    return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, "the pointer is null");
  auto made = std::make_unique<cublasXtContext>();
  if (const cublasStatus_t status = cublasCreate(&made->blas); status != CUBLAS_STATUS_SUCCESS)
    return status;
  *handle = xtHandles().add(made.release());
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
  if (!xtHandles().remove(handle))
    return noHandle(__func__);
  const cublasStatus_t status = cublasDestroy(handle->blas);
  delete handle;
  return status;
}

namespace {
cublasStatus_t checkDevices(const char *function, int count, const int *devices) {
  int there = 0;
  if (cudaGetDeviceCount(&there) != cudaSuccess || count <= 0 || !devices)
    return refuse(function, CUBLAS_STATUS_INVALID_VALUE, "no device is named");
  for (int i = 0; i < count; ++i)
    if (devices[i] < 0 || devices[i] >= there)
      return refuse(function, CUBLAS_STATUS_INVALID_VALUE, "there is no such device");
  return CUBLAS_STATUS_SUCCESS;
}
} // namespace

cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]) {
  if (!xtHandles().has(handle))
    return noHandle(__func__);
  if (const cublasStatus_t status = checkDevices(__func__, count, devices);
      status != CUBLAS_STATUS_SUCCESS)
    return status;
  handle->blas->device = devices[0];
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetNumBoards(int count, int devices[], int *boards) {
  if (!boards)
    return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, "the pointer is null");
  if (const cublasStatus_t status = checkDevices(__func__, count, devices);
      status != CUBLAS_STATUS_SUCCESS)
    return status;
  *boards = count; // each virtual device is a board of its own
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtMaxBoards(int *boards) {
  if (!boards)
    return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, "the pointer is null");
  return cudaGetDeviceCount(boards) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                   : CUBLAS_STATUS_NOT_INITIALIZED;
}

#define SETTING(Type, Set, Get, member, valid)                                                     \
  cublasStatus_t Set(cublasXtHandle_t handle, Type value) {                                        \
    if (!xtHandles().has(handle))                                                                  \
      return noHandle(__func__);                                                                   \
    if (!(valid))                                                                                  \
      return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, "there is no such value");              \
    handle->member = value;                                                                        \
    return CUBLAS_STATUS_SUCCESS;                                                                  \
  }                                                                                                \
  cublasStatus_t Get(cublasXtHandle_t handle, Type *value) {                                       \
    if (!xtHandles().has(handle))                                                                  \
      return noHandle(__func__);                                                                   \
    if (!value)                                                                                    \
      return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, "the pointer is null");                 \
    *value = handle->member;                                                                       \
    return CUBLAS_STATUS_SUCCESS;                                                                  \
  }
SETTING(int, cublasXtSetBlockDim, cublasXtGetBlockDim, block_dim, value > 0)
SETTING(cublasXtPinnedMemMode_t, cublasXtSetPinningMemMode, cublasXtGetPinningMemMode, pinning,
        unsigned(value) <= CUBLASXT_PINNING_ENABLED)

namespace {
// The CPU computes everything; a share for the program's own BLAS changes no result.
cublasStatus_t cpuShare(const char *function, cublasXtHandle_t handle, cublasXtBlasOp_t op,
                        cublasXtOpType_t type, bool valid) {
  if (!xtHandles().has(handle))
    return noHandle(function);
  if (unsigned(op) >= CUBLASXT_ROUTINE_MAX || unsigned(type) > CUBLASXT_DOUBLECOMPLEX || !valid)
    return refuse(function, CUBLAS_STATUS_INVALID_VALUE, "there is no such value");
  return CUBLAS_STATUS_SUCCESS;
}
} // namespace

cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t op,
                                     cublasXtOpType_t type, void *function) {
  return cpuShare(__func__, handle, op, type, function != nullptr);
}
cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t op,
                                   cublasXtOpType_t type, float ratio) {
  return cpuShare(__func__, handle, op, type, ratio >= 0 && ratio <= 1);
}

// size_t as int64_t; what is larger becomes negative, and is refused.
#define RUN(...) return run(__func__, handle, [&](cublasHandle_t h) { return __VA_ARGS__; })
#define X(P, T, I, E)                                                                              \
  cublasStatus_t cublasXt##P##gemm __HEDDLE_XT_GEMM(T) {                                           \
    RUN(cublas##P##gemm_v2_64(h, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc));   \
  }                                                                                                \
  cublasStatus_t cublasXt##P##syrk __HEDDLE_XT_SYRK(T, T) {                                        \
    RUN(cublas##P##syrk_v2_64(h, uplo, trans, n, k, alpha, A, lda, beta, C, ldc));                 \
  }                                                                                                \
  cublasStatus_t cublasXt##P##syr2k __HEDDLE_XT_SYR2K(T, T) {                                      \
    RUN(cublas##P##syr2k_v2_64(h, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc));        \
  }                                                                                                \
  cublasStatus_t cublasXt##P##syrkx __HEDDLE_XT_SYR2K(T, T) {                                      \
    RUN(cublas##P##syrkx_64(h, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc));           \
  }                                                                                                \
  cublasStatus_t cublasXt##P##symm __HEDDLE_XT_SYMM(T) {                                           \
    RUN(cublas##P##symm_v2_64(h, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc));          \
  }                                                                                                \
  cublasStatus_t cublasXt##P##spmm __HEDDLE_XT_SPMM(T) {                                           \
    return spmm(                                                                                   \
        __func__, handle, side, uplo, m, n, AP, [&](cublasHandle_t h, const T *A, int64_t size) {  \
          return cublas##P##symm_v2_64(h, side, uplo, m, n, alpha, A, size, B, ldb, beta, C, ldc); \
        });                                                                                        \
  }                                                                                                \
  cublasStatus_t cublasXt##P##trsm __HEDDLE_XT_TRSM(T) {                                           \
    RUN(cublas##P##trsm_v2_64(h, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb));           \
  }                                                                                                \
  cublasStatus_t cublasXt##P##trmm __HEDDLE_XT_TRMM(T) {                                           \
    RUN(cublas##P##trmm_v2_64(h, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb, C, ldc));   \
  }
__HEDDLE_CUBLAS_SDCZ(X, , )
#undef X

#define X(P, T, R)                                                                                 \
  cublasStatus_t cublasXt##P##herk __HEDDLE_XT_SYRK(T, R) {                                        \
    RUN(cublas##P##herk_v2_64(h, uplo, trans, n, k, alpha, A, lda, beta, C, ldc));                 \
  }                                                                                                \
  cublasStatus_t cublasXt##P##her2k __HEDDLE_XT_SYR2K(T, R) {                                      \
    RUN(cublas##P##her2k_v2_64(h, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc));        \
  }                                                                                                \
  cublasStatus_t cublasXt##P##herkx __HEDDLE_XT_SYR2K(T, R) {                                      \
    RUN(cublas##P##herkx_64(h, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc));           \
  }                                                                                                \
  cublasStatus_t cublasXt##P##hemm __HEDDLE_XT_SYMM(T) {                                           \
    RUN(cublas##P##hemm_v2_64(h, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc));          \
  }
X(C, cuComplex, float) X(Z, cuDoubleComplex, double)
