// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices in the type of computation go to OpenBLAS as they are. Others are converted, and so is
// the result, which is rounded once.
#include "product.h"

namespace heddle::cublas {
namespace {

template <typename Acc>
void gemm(const Product &p, Acc alpha, const Panel<Acc> &a, const Panel<Acc> &b, Acc beta, Acc *c,
          int64_t ldc) {
  Blas<Acc>::gemm(CblasColMajor, toBlas(p.opa), toBlas(p.opb), int(p.m), int(p.n), int(p.k),
                  Blas<Acc>::pass(alpha), a.data(), int(a.ld()), b.data(), int(b.ld()),
                  Blas<Acc>::pass(beta), c, int(ldc));
}

template <typename Acc> Panel<Acc> left(const Product &p, const void *A) {
  const bool plain = p.opa == CUBLAS_OP_N;
  return {p.atype, A, plain ? p.m : p.k, plain ? p.k : p.m, p.lda};
}
template <typename Acc> Panel<Acc> right(const Product &p, const void *B) {
  const bool plain = p.opb == CUBLAS_OP_N;
  return {p.btype, B, plain ? p.k : p.n, plain ? p.n : p.k, p.ldb};
}

template <typename Acc>
void multiplyIn(const Product &p, Acc alpha, const void *A, const void *B, Acc beta, void *C) {
  const Panel<Acc> a = left<Acc>(p, A), b = right<Acc>(p, B);
  if (p.ctype == typeOf<Acc>)
    return gemm<Acc>(p, alpha, a, b, beta, static_cast<Acc *>(C), p.ldc);
  const std::unique_ptr<Acc[]> sums(new Acc[size_t(p.m * p.n)]);
  gemm<Acc>(p, alpha, a, b, Acc{}, sums.get(), p.m);
  const std::unique_ptr<Acc[]> old(new Acc[size_t(p.m)]);
  const auto factor = number(beta);
  for (int64_t column = 0; column < p.n; ++column) {
    void *target = at(p.ctype, C, column * p.ldc);
    Acc *sum = sums.get() + column * p.m;
    if (factor != typename Blas<Acc>::Number(0)) {
      load(p.ctype, target, 1, old.get(), p.m);
      for (int64_t i = 0; i < p.m; ++i)
        numbers(sum)[i] += factor * numbers(old.get())[i];
    }
    store(p.ctype, sum, target, 1, p.m);
  }
}

// Exact: sums of products of bytes fit into double's 53 bits, and into float's 24 if they are few.
template <typename Acc>
void multiplyBytes(const Product &p, int32_t alpha, const void *A, const void *B, int32_t beta,
                   void *C) {
  const Panel<Acc> a = left<Acc>(p, A), b = right<Acc>(p, B);
  const std::unique_ptr<Acc[]> sums(new Acc[size_t(p.m * p.n)]);
  gemm<Acc>(p, 1, a, b, 0, sums.get(), p.m);
  for (int64_t column = 0; column < p.n; ++column)
    for (int64_t i = 0; i < p.m; ++i) {
      int32_t &to = static_cast<int32_t *>(C)[i + column * p.ldc];
      const uint64_t product =
          uint64_t(int64_t(alpha)) * uint64_t(int64_t(sums[size_t(i + column * p.m)]));
      to = int32_t(product + (beta ? uint64_t(int64_t(beta)) * uint64_t(int64_t(to)) : 0));
    }
}

struct Combination {
  cublasComputeType_t compute;
  cudaDataType ab, c;
};
// PEDANTIC forms are one more than the plain ones.
const Combination combinations[] = {
    {CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F},  {CUBLAS_COMPUTE_32I, CUDA_R_8I, CUDA_R_32I},
    {CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_16F},  {CUBLAS_COMPUTE_32F, CUDA_R_16BF, CUDA_R_16BF},
    {CUBLAS_COMPUTE_32F, CUDA_R_8I, CUDA_R_32F},   {CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F, CUDA_R_16BF, CUDA_R_32F}, {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F, CUDA_C_8I, CUDA_C_32F},   {CUBLAS_COMPUTE_32F, CUDA_C_32F, CUDA_C_32F},
    {CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F},  {CUBLAS_COMPUTE_64F, CUDA_C_64F, CUDA_C_64F},
};

cublasComputeType_t plain(cublasComputeType_t compute) {
  switch (compute) {
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return CUBLAS_COMPUTE_16F;
  case CUBLAS_COMPUTE_64F_PEDANTIC:
  case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
    return CUBLAS_COMPUTE_64F;
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return CUBLAS_COMPUTE_32I;
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
  case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
    return CUBLAS_COMPUTE_32F;
  default:
    return compute;
  }
}

} // namespace

bool chooseComputation(Product &p, cublasComputeType_t compute) {
  compute = plain(compute);
  for (const Combination &each : combinations)
    if (each.compute == compute && each.ab == p.atype && each.ab == p.btype && each.c == p.ctype) {
      const bool is_complex = isComplex(p.ctype);
      p.computation = compute == CUBLAS_COMPUTE_32I ? Computation::I32
                      : compute == CUBLAS_COMPUTE_64F
                          ? (is_complex ? Computation::C64 : Computation::F64)
                          : (is_complex ? Computation::C32 : Computation::F32);
      p.scale_type = compute == CUBLAS_COMPUTE_16F   ? CUDA_R_16F
                     : compute == CUBLAS_COMPUTE_32I ? CUDA_R_32I
                     : compute == CUBLAS_COMPUTE_64F ? (is_complex ? CUDA_C_64F : CUDA_R_64F)
                                                     : (is_complex ? CUDA_C_32F : CUDA_R_32F);
      return true;
    }
  return false;
}

void multiply(const Product &p, const void *alpha, const void *A, const void *B, const void *beta,
              void *C) {
  const auto in = [&]<typename Acc>(Acc) {
    multiplyIn<Acc>(p, loadOne<Acc>(p.scale_type, alpha), A, B, loadOne<Acc>(p.scale_type, beta),
                    C);
  };
  switch (p.computation) {
  case Computation::F32:
    return in(float());
  case Computation::F64:
    return in(double());
  case Computation::C32:
    return in(cuComplex());
  case Computation::C64:
    return in(cuDoubleComplex());
  case Computation::I32: {
    const int32_t factors[] = {*static_cast<const int32_t *>(alpha),
                               *static_cast<const int32_t *>(beta)};
    return p.k <= 1024 ? multiplyBytes<float>(p, factors[0], A, B, factors[1], C)
                       : multiplyBytes<double>(p, factors[0], A, B, factors[1], C);
  }
  }
}

} // namespace heddle::cublas
