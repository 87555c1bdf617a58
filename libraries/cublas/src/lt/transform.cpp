// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasLtMatrixTransform: C = alpha op(A) + beta op(B), which also changes orders and types.
#include "../core/elements.h"
#include "common/task.h"
#include "descriptions.h"

#include <array>
#include <cstring>
#include <cuda_runtime_api.h>

namespace heddle::cublaslt {
namespace {

using namespace heddle::cublas;

struct Transform {
  Transformation op;
  Layout a, b, c;
  const void *A, *B;
  void *C;
};

/// op(A)(row, column).
template <typename Acc>
typename Blas<Acc>::Number element(const Layout &l, const void *data, int op, int64_t row,
                                   int64_t column) {
  const int64_t place = op == CUBLAS_OP_N ? l.offset(row, column) : l.offset(column, row);
  const auto type = cudaDataType(l.type);
  const auto value = number(loadOne<Acc>(type, at(type, data, place)));
  if constexpr (std::is_floating_point_v<Acc>)
    return value;
  else
    return op == CUBLAS_OP_C ? std::conj(value) : value;
}

template <typename Acc> void run(const Transform &x, const void *alpha, const void *beta) {
  const auto scale = cudaDataType(x.op.scale_type);
  using Number = typename Blas<Acc>::Number;
  const Number first = number(loadOne<Acc>(scale, alpha));
  const Number second = x.B ? number(loadOne<Acc>(scale, beta)) : Number(0);
  const auto type = cudaDataType(x.c.type);
  for (int64_t batch = 0; batch < x.c.batch_count; ++batch) {
    const void *a = at(cudaDataType(x.a.type), x.A, batch * x.a.batch_stride);
    const void *b = x.B ? at(cudaDataType(x.b.type), x.B, batch * x.b.batch_stride) : nullptr;
    void *c = at(type, x.C, batch * x.c.batch_stride);
    for (int64_t j = 0; j < int64_t(x.c.cols); ++j)
      for (int64_t i = 0; i < int64_t(x.c.rows); ++i) {
        Number sum =
            first != Number(0) ? first * element<Acc>(x.a, a, x.op.transa, i, j) : Number(0);
        if (second != Number(0))
          sum += second * element<Acc>(x.b, b, x.op.transb, i, j);
        store(type, reinterpret_cast<const Acc *>(&sum), at(type, c, x.c.offset(i, j)), 1, 1);
      }
  }
}

const char *fault(const Transform &x) {
  for (int op : {x.op.transa, x.op.transb})
    if (unsigned(op) > CUBLAS_OP_C)
      return "the operation is none of N, T and C";
  if (unsigned(x.op.pointer_mode) > CUBLASLT_POINTER_MODE_DEVICE)
    return "there is no such pointer mode";
  const auto fits = [&](const Layout &l, int op) {
    return !l.fault() && l.batch_count == x.c.batch_count &&
           (op == CUBLAS_OP_N ? l.rows : l.cols) == x.c.rows &&
           (op == CUBLAS_OP_N ? l.cols : l.rows) == x.c.cols;
  };
  if (x.c.fault() || !fits(x.a, x.op.transa) || (x.B && !fits(x.b, x.op.transb)))
    return "the matrices' sizes do not fit together";
  return x.A && x.C ? nullptr : "a matrix is null";
}

bool supported(const Transform &x) {
  for (const Layout *l : {&x.a, &x.c, x.B ? &x.b : &x.c})
    if (elementSize(cudaDataType(l->type)) == 0 || l->plane_offset != 0 ||
        l->batch_mode != CUBLASLT_BATCH_MODE_STRIDED ||
        isComplex(cudaDataType(l->type)) != isComplex(cudaDataType(x.c.type)))
      return false;
  return elementSize(cudaDataType(x.op.scale_type)) != 0;
}

void dispatch(const Transform &x, const void *alpha, const void *beta) {
  const int type = x.op.scale_type;
  if (type == CUDA_C_64F || type == CUDA_R_64F || type == CUDA_R_32I)
    return isComplex(cudaDataType(x.c.type)) ? run<cuDoubleComplex>(x, alpha, beta)
                                             : run<double>(x, alpha, beta);
  return isComplex(cudaDataType(x.c.type)) ? run<cuComplex>(x, alpha, beta)
                                           : run<float>(x, alpha, beta);
}

} // namespace
} // namespace heddle::cublaslt

using namespace heddle;
using namespace heddle::cublaslt;

cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t op,
                                       const void *alpha, const void *A, cublasLtMatrixLayout_t a,
                                       const void *beta, const void *B, cublasLtMatrixLayout_t b,
                                       void *C, cublasLtMatrixLayout_t c, cudaStream_t stream) {
  log(__func__);
  if (!isLive(handle))
    return refuse(__func__, CUBLAS_STATUS_NOT_INITIALIZED,
                  "the handle was not created, or destroyed");
  if (!op || !a || !c || !alpha || (B && (!b || !beta)))
    return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, "a pointer is null");
  const Transform x{of(op), of(a), B ? of(b) : of(c), of(c), A, B, C};
  if (const char *why = fault(x))
    return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, why);
  if (!supported(x))
    return refuse(__func__, CUBLAS_STATUS_NOT_SUPPORTED,
                  "this combination of types, or of batches, is not supported");
  const bool on_device = x.op.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
  struct Scalars {
    alignas(16) std::array<char, 16> alpha{}, beta{};
  } held;
  const size_t size = cublas::elementSize(cudaDataType(x.op.scale_type));
  if (!on_device) {
    std::memcpy(held.alpha.data(), alpha, size);
    if (B)
      std::memcpy(held.beta.data(), beta, size);
  }
  const cudaError_t error = library::submit(__func__, stream, [=] {
    dispatch(x, on_device ? alpha : held.alpha.data(), on_device ? beta : held.beta.data());
  });
  return error == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : refuse(__func__, CUBLAS_STATUS_EXECUTION_FAILED, cudaGetErrorString(error));
}
