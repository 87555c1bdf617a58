// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All functions that multiply general matrices: of one type or of several, one product, batches and
// groups of batches. Each describes its product and where the matrices are.
#include "check.h"
#include "core/product.h"

#include <cstring>
#include <vector>

namespace heddle::cublas {
namespace {

/// alpha or beta, of a type known at run time: read at the call in host mode, by the task else.
class AnyScalar {
public:
  AnyScalar(bool on_device, cudaDataType type, const void *pointer)
      : pointer_(on_device ? pointer : nullptr) {
    if (!on_device)
      std::memcpy(bytes_, pointer, elementSize(type));
  }
  const void *get() const { return pointer_ ? pointer_ : bytes_; }

private:
  const void *pointer_;
  alignas(16) char bytes_[16] = {};
};

/// The matrices of a batch, which lie at equal distances, or where tables in device memory say.
struct Matrices {
  const void *A, *B;
  void *C;
  int64_t strideA = 0, strideB = 0, strideC = 0, count = 1;
  bool tables = false;

  void run(const Product &p, const void *alpha, const void *beta) const {
    for (int64_t i = 0; i < count; ++i)
      if (tables)
        multiply(p, alpha, static_cast<const void *const *>(A)[i],
                 static_cast<const void *const *>(B)[i], beta, static_cast<void *const *>(C)[i]);
      else
        multiply(p, alpha, at(p.atype, A, i * strideA), at(p.btype, B, i * strideB), beta,
                 at(p.ctype, C, i * strideC));
  }
};

bool check(Check &c, const Product &p, const void *alpha, const void *beta, const Matrices &x) {
  c.operation(p.opa).operation(p.opb).sizes({p.m, p.n, p.k});
  c.that(x.count >= 0, "batchCount is negative");
  c.leading(p.lda, p.opa == CUBLAS_OP_N ? p.m : p.k);
  c.leading(p.ldb, p.opb == CUBLAS_OP_N ? p.k : p.n).leading(p.ldc, p.m);
  c.scalars({alpha, beta});
  const bool any = p.m > 0 && p.n > 0 && x.count > 0;
  c.data(any, {x.C}).data(any && p.k > 0, {x.A, x.B});
  return !c.bad() && any;
}

cublasStatus_t gemm(const char *name, cublasHandle_t h, const Product &p, const void *alpha,
                    const void *beta, const Matrices &x) {
  Check c(name, h);
  if (!check(c, p, alpha, beta, x))
    return c.status();
  return submit(name, h,
                [p, x, a = AnyScalar(onDevice(h), p.scale_type, alpha),
                 b = AnyScalar(onDevice(h), p.scale_type, beta)] { x.run(p, a.get(), b.get()); });
}

cublasStatus_t gemmEx(const char *name, cublasHandle_t h, Product p, cublasComputeType_t compute,
                      const void *alpha, const void *beta, const Matrices &x) {
  if (Check c(name, h);
      c.supported(chooseComputation(p, compute), "this combination of types is not supported")
          .bad())
    return c.status();
  return gemm(name, h, p, alpha, beta, x);
}

/// cublasSgemmEx and cublasCgemmEx: computed in float, or complex float.
cublasStatus_t gemmTyped(const char *name, cublasHandle_t h, const Product &p, cudaDataType scale,
                         const void *alpha, const void *beta, const Matrices &x) {
  if (Check c(name, h); c.supported(isComplex(scale) == isComplex(p.ctype),
                                    "this combination of types is not supported")
                            .bad())
    return c.status();
  return gemmEx(name, h, p, CUBLAS_COMPUTE_32F, alpha, beta, x);
}

template <typename T>
Product productOf(cublasOperation_t opa, cublasOperation_t opb, int64_t m, int64_t n, int64_t k,
                  int64_t lda, int64_t ldb, int64_t ldc) {
  constexpr cudaDataType type = typeOf<T>;
  return {opa,
          opb,
          m,
          n,
          k,
          type,
          type,
          type,
          lda,
          ldb,
          ldc,
          type == CUDA_R_64F   ? Computation::F64
          : type == CUDA_C_32F ? Computation::C32
          : type == CUDA_C_64F ? Computation::C64
                               : Computation::F32,
          type};
}

/// The arguments of a group call: arrays on the host, with an entry for each group.
template <typename I> struct Groups {
  const cublasOperation_t *opa, *opb;
  const I *m, *n, *k, *lda, *ldb, *ldc;
  I count;
  const I *sizes;
};

// The pointers to matrices are one table in device memory for all groups (cuBLAS documentation,
// cublas<t>gemmGroupedBatched). alpha and beta have an element for each group.
template <typename I>
cublasStatus_t gemmGroups(const char *name, cublasHandle_t h, const Groups<I> &g,
                          cublasComputeType_t compute, cudaDataType a, cudaDataType b,
                          cudaDataType ct, const void *alpha, const void *beta,
                          const void *const *A, const void *const *B, void *const *C) {
  Check c(name, h);
  if (c.bad())
    return c.status();
  c.that(g.count >= 0, "group_count is negative")
      .supported(!onDevice(h), "scalars must be on the host");
  c.data(g.count > 0,
         {g.opa, g.opb, g.m, g.n, g.k, g.lda, g.ldb, g.ldc, g.sizes, alpha, beta, A, B, C});
  struct Part {
    Product p;
    Matrices x;
    AnyScalar alpha, beta;
  };
  std::vector<Part> parts;
  int64_t first = 0;
  for (I i = 0; i < g.count && !c.bad(); ++i) {
    Product p{g.opa[i], g.opb[i], g.m[i], g.n[i], g.k[i], a, b, ct, g.lda[i], g.ldb[i], g.ldc[i]};
    if (c.supported(chooseComputation(p, compute), "this combination of types is not supported")
            .bad())
      break;
    const void *al = at(p.scale_type, alpha, i), *be = at(p.scale_type, beta, i);
    const Matrices x{A + first,  B + first, const_cast<void **>(C) + first, 0, 0, 0,
                     g.sizes[i], true};
    first += g.sizes[i];
    if (check(c, p, al, be, x))
      parts.push_back({p, x, {false, p.scale_type, al}, {false, p.scale_type, be}});
  }
  if (c.bad() || parts.empty())
    return c.status();
  return submit(name, h, [parts = std::move(parts)] {
    for (const Part &part : parts)
      part.x.run(part.p, part.alpha.get(), part.beta.get());
  });
}

/// gemv of batches: y is a matrix of one row with a leading dimension of incy, if the increments
/// are positive. A, x and y are converted as gemm's are.
template <typename T, typename V, typename S>
cublasStatus_t gemvBatches(const char *name, cublasHandle_t h, cublasOperation_t op, int64_t m,
                           int64_t n, const S *alpha, int64_t lda, int64_t incx, const S *beta,
                           int64_t incy, Matrices x) {
  Check c(name, h);
  c.operation(op).sizes({m, n, x.count}).leading(lda, m).steps({incx, incy}).scalars({alpha, beta});
  if (c.data(m > 0 && n > 0 && x.count > 0, {x.A, x.B, x.C}).bad() || m == 0 || n == 0)
    return c.status();
  const int64_t rows = op == CUBLAS_OP_N ? m : n, columns = op == CUBLAS_OP_N ? n : m;
  return submit(name, h, [=, a = Scalar(h, alpha), b = Scalar(h, beta)] {
    const S factor = a.get(), old_factor = b.get();
    const std::unique_ptr<S[]> in(new S[size_t(columns)]), out(new S[size_t(rows)]);
    for (int64_t i = 0; i < x.count; ++i) {
      const auto *A = x.tables ? static_cast<const T *const *>(x.A)[i]
                               : static_cast<const T *>(x.A) + i * x.strideA;
      const auto *from = x.tables ? static_cast<const T *const *>(x.B)[i]
                                  : static_cast<const T *>(x.B) + i * x.strideB;
      auto *to = x.tables ? static_cast<V *const *>(x.C)[i] : static_cast<V *>(x.C) + i * x.strideC;
      from += incx < 0 ? (1 - columns) * incx : 0;
      to += incy < 0 ? (1 - rows) * incy : 0;
      load(typeOf<T>, from, incx, in.get(), columns);
      if (number(old_factor) == typename Blas<S>::Number(0))
        std::fill_n(out.get(), rows, S{});
      else
        load(typeOf<V>, to, incy, out.get(), rows);
      const Panel<S> matrix(typeOf<T>, A, m, n, lda);
      Blas<S>::gemv(CblasColMajor, toBlas(op), int(m), int(n), Blas<S>::pass(factor), matrix.data(),
                    int(matrix.ld()), in.get(), 1, Blas<S>::pass(old_factor), out.get(), 1);
      store(typeOf<V>, out.get(), to, incy, rows);
    }
  });
}

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

#define PRODUCT(T) productOf<T>(transa, transb, m, n, k, lda, ldb, ldc)
#define TYPED_PRODUCT                                                                              \
  Product { transa, transb, m, n, k, Atype, Btype, Ctype, lda, ldb, ldc }

#define X(name, T, I, E)                                                                           \
  cublasStatus_t cublas##name##E __HEDDLE_CUBLAS_GEMM_ARGS(T, I) {                                 \
    return gemm(__func__, handle, PRODUCT(T), alpha, beta, {A, B, C});                             \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_GEMM, X)
#undef X

#define X(name, T, I, E)                                                                           \
  cublasStatus_t cublas##name##Batched##E __HEDDLE_CUBLAS_GEMM_BATCHED(T, I) {                     \
    return gemm(__func__, handle, PRODUCT(T), alpha, beta,                                         \
                {Aarray, Barray, const_cast<T **>(Carray), 0, 0, 0, batchCount, true});            \
  }                                                                                                \
  cublasStatus_t cublas##name##StridedBatched##E __HEDDLE_CUBLAS_GEMM_STRIDED(T, I) {              \
    return gemm(__func__, handle, PRODUCT(T), alpha, beta,                                         \
                {A, B, C, strideA, strideB, strideC, batchCount});                                 \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_GEMM_BATCHES, X)
#undef X

#define X(P, T, V, S, I, E)                                                                        \
  cublasStatus_t cublas##P##gemvBatched##E __HEDDLE_CUBLAS_GEMV_BATCHED(T, V, S, I) {              \
    return gemvBatches<T, V, S>(                                                                   \
        __func__, handle, trans, m, n, alpha, lda, incx, beta, incy,                               \
        {Aarray, xarray, const_cast<V **>(yarray), 0, 0, 0, batchCount, true});                    \
  }                                                                                                \
  cublasStatus_t cublas##P##gemvStridedBatched##E __HEDDLE_CUBLAS_GEMV_STRIDED(T, V, S, I) {       \
    return gemvBatches<T, V, S>(__func__, handle, trans, m, n, alpha, lda, incx, beta, incy,       \
                                {A, x, y, strideA, stridex, stridey, batchCount});                 \
  }
__HEDDLE_CUBLAS_BOTH(__HEDDLE_CUBLAS_GEMV_BATCHES, X)
#undef X

#define GROUPS                                                                                     \
  {transa_array, transb_array, m_array,   n_array,     k_array,                                    \
   lda_array,    ldb_array,    ldc_array, group_count, group_size}
#define GROUPED(P, T, type, compute, I, E)                                                         \
  cublasStatus_t cublas##P##gemmGroupedBatched##E __HEDDLE_CUBLAS_GEMM_GROUPED(T, I) {             \
    return gemmGroups<I>(__func__, handle, GROUPS, compute, type, type, type, alpha_array,         \
                         beta_array, reinterpret_cast<const void *const *>(Aarray),                \
                         reinterpret_cast<const void *const *>(Barray),                            \
                         reinterpret_cast<void *const *>(Carray));                                 \
  }
#define X(I, E)                                                                                    \
  cublasStatus_t cublasSgemmEx##E __HEDDLE_CUBLAS_GEMM_TYPED(float, I) {                           \
    return gemmTyped(__func__, handle, TYPED_PRODUCT, CUDA_R_32F, alpha, beta, {A, B, C});         \
  }                                                                                                \
  cublasStatus_t cublasCgemmEx##E __HEDDLE_CUBLAS_GEMM_TYPED(cuComplex, I) {                       \
    return gemmTyped(__func__, handle, TYPED_PRODUCT, CUDA_C_32F, alpha, beta, {A, B, C});         \
  }                                                                                                \
  cublasStatus_t cublasCgemm3mEx##E __HEDDLE_CUBLAS_GEMM_TYPED(cuComplex, I) {                     \
    return gemmTyped(__func__, handle, TYPED_PRODUCT, CUDA_C_32F, alpha, beta, {A, B, C});         \
  }                                                                                                \
  cublasStatus_t cublasGemmEx##E __HEDDLE_CUBLAS_GEMM_EX(I) {                                      \
    (void)algo; /* there is one */                                                                 \
    return gemmEx(__func__, handle, TYPED_PRODUCT, computeType, alpha, beta, {A, B, C});           \
  }                                                                                                \
  cublasStatus_t cublasGemmBatchedEx##E __HEDDLE_CUBLAS_GEMM_BATCHED_EX(I) {                       \
    (void)algo; /* there is one */                                                                 \
    return gemmEx(__func__, handle, TYPED_PRODUCT, computeType, alpha, beta,                       \
                  {Aarray, Barray, const_cast<void **>(Carray), 0, 0, 0, batchCount, true});       \
  }                                                                                                \
  cublasStatus_t cublasGemmStridedBatchedEx##E __HEDDLE_CUBLAS_GEMM_STRIDED_EX(I) {                \
    (void)algo; /* there is one */                                                                 \
    return gemmEx(__func__, handle, TYPED_PRODUCT, computeType, alpha, beta,                       \
                  {A, B, C, strideA, strideB, strideC, batchCount});                               \
  }                                                                                                \
  GROUPED(S, float, CUDA_R_32F, CUBLAS_COMPUTE_32F, I, E)                                          \
  GROUPED(D, double, CUDA_R_64F, CUBLAS_COMPUTE_64F, I, E)                                         \
  cublasStatus_t cublasGemmGroupedBatchedEx##E __HEDDLE_CUBLAS_GEMM_GROUPED_EX(I) {                \
    return gemmGroups<I>(__func__, handle, GROUPS, computeType, Atype, Btype, Ctype, alpha_array,  \
                         beta_array, Aarray, Barray, Carray);                                      \
  }
X(int, )
X(int64_t, _64)
#undef X

cublasStatus_t cublasUint8gemmBias(cublasHandle_t handle, cublasOperation_t, cublasOperation_t,
                                   cublasOperation_t, int, int, int, const unsigned char *, int,
                                   int, const unsigned char *, int, int, unsigned char *, int, int,
                                   int, int) {
  return Check(__func__, handle)
      .supported(false, "products of bytes with bias are not there")
      .status();
}
