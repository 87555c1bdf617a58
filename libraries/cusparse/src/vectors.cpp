// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse vectors with dense ones: the generic functions and the older ones of one type, which are
// the same with descriptors made of their arguments.
#include "descriptors.h"
#include "products.h"

using namespace heddle;
using namespace heddle::cusparse;

namespace {

using Sparse = cusparseSpVecDescr;
using Vector = cusparseDnVecDescr;

/// The type that sums of a vector's elements have.
cudaDataType computeFor(cudaDataType type) {
  switch (type) {
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return CUDA_R_32F;
  case CUDA_C_16F:
  case CUDA_C_16BF:
    return CUDA_C_32F;
  case CUDA_R_8I:
    return CUDA_R_32I;
  default:
    return type;
  }
}

void needPair(const Sparse &x, const Vector &y) {
  need(x.size == y.size, "the vectors have different sizes");
  needSupported(x.type == y.type, "the vectors have different types");
}

template <typename F> void forEach(const Sparse &x, F f) {
  for (int64_t i = 0; i < x.nnz; ++i)
    f(i, x.indices.at(i) - x.base);
}

void axpby(cusparseHandle_t handle, const Scalar &alpha, const Sparse &x, const Scalar &beta,
           const Vector &y) {
  submit(handle, [=] {
    withComputeType(computeFor(y.type), [&](auto tag) {
      using C = typename decltype(tag)::Type;
      const C a = alpha.get<C>(), b = beta.get<C>();
      if (!(b == C(1)))
        for (int64_t i = 0; i < y.size; ++i)
          storeAs(y.type, y.values, i, b == C(0) ? C(0) : b * loadAs<C>(y.type, y.values, i));
      forEach(x, [&](int64_t i, int64_t at) {
        storeAs(y.type, y.values, at,
                loadAs<C>(y.type, y.values, at) + a * loadAs<C>(x.type, x.values, i));
      });
    });
  });
}

/// Moves elements between the vectors as they are.
template <typename F> void move(cusparseHandle_t handle, const Sparse &x, const Vector &y, F f) {
  submit(handle, [=] {
    withElementType(x.type, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      auto *from = static_cast<T *>(x.values), *to = static_cast<T *>(y.values);
      forEach(x, [&](int64_t i, int64_t at) { f(from[i], to[at]); });
    });
  });
}
constexpr auto gather_one = [](auto &x, auto &y) { x = y; };
constexpr auto scatter_one = [](auto &x, auto &y) { y = x; };
constexpr auto gather_and_clear = [](auto &x, auto &y) {
  x = y;
  y = std::decay_t<decltype(y)>(0);
};

void rotate(cusparseHandle_t handle, const Scalar &c, const Scalar &s, const Sparse &x,
            const Vector &y) {
  submit(handle, [=] {
    withComputeType(computeFor(x.type), [&](auto tag) {
      using C = typename decltype(tag)::Type;
      const C cosine = c.get<C>(), sine = s.get<C>();
      forEach(x, [&](int64_t i, int64_t at) {
        const C a = loadAs<C>(x.type, x.values, i), b = loadAs<C>(y.type, y.values, at);
        storeAs(x.type, x.values, i, cosine * a + sine * b);
        storeAs(y.type, y.values, at, cosine * b - sine * a);
      });
    });
  });
}

void dot(cusparseHandle_t handle, bool conjugate, const Sparse &x, const Vector &y, void *result,
         cudaDataType compute) {
  submitResult(handle, [=] {
    withComputeType(compute, [&](auto tag) {
      using C = typename decltype(tag)::Type;
      C sum(0);
      forEach(x, [&](int64_t i, int64_t at) {
        const C a = loadAs<C>(x.type, x.values, i);
        sum += (conjugate ? conj(a) : a) * loadAs<C>(y.type, y.values, at);
      });
      *static_cast<C *>(result) = sum;
    });
  });
}

void checkSpVV(cusparseOperation_t op, cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
               cudaDataType compute) {
  need(op == CUSPARSE_OPERATION_NON_TRANSPOSE || op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
       "the operation is neither N nor C");
  needLive(x);
  needLive(y);
  needPair(*x, *y);
  needSupported(compute == computeFor(x->type) || (x->type == CUDA_R_8I && compute == CUDA_R_32F),
                "there is no sum of this type for these vectors");
}

/// What the older functions have for vectors: y has no size, its elements are those that x names.
template <typename T>
Sparse sparse(int nnz, const T *values, const int *indices, cusparseIndexBase_t base) {
  needSizes({nnz});
  needBase(base);
  need(nnz == 0 || (values && indices), "a pointer is null");
  return {nnz,
          nnz,
          {const_cast<int *>(indices), CUSPARSE_INDEX_32I},
          const_cast<T *>(values),
          dataType<Number<T>>(),
          base};
}
template <typename T> Vector vectorAt(const T *values) {
  needPointers(values);
  return {0, const_cast<T *>(values), dataType<Number<T>>()};
}

} // namespace

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                               cusparseConstSpVecDescr_t vecX, const void *beta,
                               cusparseDnVecDescr_t vecY) {
  return guarded(__func__, handle, [&] {
    needLive(vecX);
    needLive(vecY);
    needPair(*vecX, *vecY);
    const cudaDataType compute = computeFor(vecX->type);
    axpby(handle, Scalar(handle, alpha, compute), *vecX, Scalar(handle, beta, compute), *vecY);
  });
}
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY,
                                cusparseSpVecDescr_t vecX) {
  return guarded(__func__, handle, [&] {
    needLive(vecX);
    needLive(vecY);
    needPair(*vecX, *vecY);
    move(handle, *vecX, *vecY, gather_one);
  });
}
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX,
                                 cusparseDnVecDescr_t vecY) {
  return guarded(__func__, handle, [&] {
    needLive(vecX);
    needLive(vecY);
    needPair(*vecX, *vecY);
    move(handle, *vecX, *vecY, scatter_one);
  });
}
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c, const void *s,
                             cusparseSpVecDescr_t vecX, cusparseDnVecDescr_t vecY) {
  return guarded(__func__, handle, [&] {
    needLive(vecX);
    needLive(vecY);
    needPair(*vecX, *vecY);
    const cudaDataType compute = computeFor(vecX->type);
    rotate(handle, Scalar(handle, c, compute), Scalar(handle, s, compute), *vecX, *vecY);
  });
}
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opX,
                                         cusparseConstSpVecDescr_t vecX,
                                         cusparseConstDnVecDescr_t vecY, const void *result,
                                         cudaDataType computeType, size_t *bufferSize) {
  return guarded(__func__, handle, [&] {
    checkSpVV(opX, vecX, vecY, computeType);
    needPointers(result);
    giveBufferSize(bufferSize);
  });
}
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX,
                              cusparseConstSpVecDescr_t vecX, cusparseConstDnVecDescr_t vecY,
                              void *result, cudaDataType computeType, void *) {
  return guarded(__func__, handle, [&] {
    checkSpVV(opX, vecX, vecY, computeType);
    needPointers(result);
    dot(handle, opX == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, *vecX, *vecY, result, computeType);
  });
}

#define DOT(P, T, name, conjugate)                                                                 \
  cusparseStatus_t cusparse##P##name(cusparseHandle_t h, int nnz, const T *x, const int *indices,  \
                                     const T *y, T *result, cusparseIndexBase_t base) {            \
    return guarded(__func__, h, [&] {                                                              \
      needPointers(result);                                                                        \
      dot(h, conjugate, sparse(nnz, x, indices, base), vectorAt(y), result,                        \
          dataType<Number<T>>());                                                                  \
    });                                                                                            \
  }
#define FUNCTIONS(P, T)                                                                            \
  cusparseStatus_t cusparse##P##axpyi(cusparseHandle_t h, int nnz, const T *alpha, const T *x,     \
                                      const int *indices, T *y, cusparseIndexBase_t base) {        \
    return guarded(__func__, h, [&] {                                                              \
      axpby(h, Scalar(h, alpha), sparse(nnz, x, indices, base), Scalar::one(), vectorAt(y));       \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gthr(cusparseHandle_t h, int nnz, const T *y, T *x,                \
                                     const int *indices, cusparseIndexBase_t base) {               \
    return guarded(__func__, h,                                                                    \
                   [&] { move(h, sparse(nnz, x, indices, base), vectorAt(y), gather_one); });      \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gthrz(cusparseHandle_t h, int nnz, T *y, T *x, const int *indices, \
                                      cusparseIndexBase_t base) {                                  \
    return guarded(__func__, h, [&] {                                                              \
      move(h, sparse(nnz, x, indices, base), vectorAt(y), gather_and_clear);                       \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##sctr(cusparseHandle_t h, int nnz, const T *x, const int *indices,  \
                                     T *y, cusparseIndexBase_t base) {                             \
    return guarded(__func__, h,                                                                    \
                   [&] { move(h, sparse(nnz, x, indices, base), vectorAt(y), scatter_one); });     \
  }                                                                                                \
  DOT(P, T, doti, false)
FUNCTIONS(S, float)
FUNCTIONS(D, double)
FUNCTIONS(C, cuComplex)
FUNCTIONS(Z, cuDoubleComplex)
DOT(C, cuComplex, dotci, true)
DOT(Z, cuDoubleComplex, dotci, true)

#define ROTATE(P, T)                                                                               \
  cusparseStatus_t cusparse##P##roti(cusparseHandle_t h, int nnz, T *x, const int *indices, T *y,  \
                                     const T *c, const T *s, cusparseIndexBase_t base) {           \
    return guarded(__func__, h, [&] {                                                              \
      rotate(h, Scalar(h, c), Scalar(h, s), sparse(nnz, x, indices, base), vectorAt(y));           \
    });                                                                                            \
  }
ROTATE(S, float)
ROTATE(D, double)
