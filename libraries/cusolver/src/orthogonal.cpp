// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions to condensed form, and orthogonal or unitary matrices that are kept as reflectors:
// made (org…, ung…) or multiplied by (orm…, unm…).
#include "factor.h"

namespace heddle::cusolver {
namespace {

constexpr const char *NullTau = "tau is null";

/// What Q' is called for the type: LAPACK's real functions know T only, its complex ones C.
template <typename T> char transposed(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? 'N' : adjoint<T>();
}
template <typename T> Check &operationOf(Check &c, cublasOperation_t op) {
  c.operation(op);
  return c.that(!is_complex<T> || op != CUBLAS_OP_T, "complex reflectors take operations N and C");
}

Status sizes(Check c, std::initializer_list<int> values, int lda, int *lwork) {
  int64_t sum = 0;
  for (const int value : values) {
    c.size(value);
    sum += value;
  }
  return c.leading(lda, 1).answer(lwork, area(sum));
}

template <typename T>
Status orgqr(Check c, int m, int n, int k, T *A, int lda, const T *tau, int lwork, int *info) {
  c.size(m).size(n).size(k).that(n <= m && k <= n, "orgqr needs m >= n >= k");
  c.matrix(A, m, n, lda).array(tau, k, NullTau).work(lwork, area(n)).pointer(info, NullInfo);
  return c.run(info, [=] {
    return withWork<T>([=](T *work, int count) {
      return lapack(Lapack<T>::orgqr, m, n, k, A, lda, tau, work, count);
    });
  });
}

template <typename T>
Status ormqr(Check c, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const T *A,
             int lda, const T *tau, T *C, int ldc, int lwork, int *info) {
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  operationOf<T>(c.side(side), op).size(m).size(n).size(k);
  c.that(k <= order, "ormqr has more reflectors than Q has rows").matrix(A, order, k, lda);
  c.matrix(C, m, n, ldc).array(tau, k, NullTau).work(lwork, area(n)).pointer(info, NullInfo);
  return c.run(info, [=] {
    return withWork<T>([=](T *work, int count) {
      return lapack(Lapack<T>::ormqr, letter(side), transposed<T>(op), m, n, k, A, lda, tau, C, ldc,
                    work, count);
    });
  });
}

template <typename T>
Status orgbr(Check c, cublasSideMode_t side, int m, int n, int k, T *A, int lda, const T *tau,
             int lwork, int *info) {
  const bool left = side == CUBLAS_SIDE_LEFT;
  c.side(side).size(m).size(n).size(k);
  c.that(left ? n <= m && n >= std::min(m, k) : m <= n && m >= std::min(n, k),
         "the sizes m, n and k do not belong to the side");
  c.matrix(A, m, n, lda).array(tau, std::min(left ? m : n, k), NullTau);
  c.work(lwork, area(n)).pointer(info, NullInfo);
  return c.run(info, [=] {
    return withWork<T>([=](T *work, int count) {
      return lapack(Lapack<T>::orgbr, left ? 'Q' : 'P', m, n, k, A, lda, tau, work, count);
    });
  });
}

template <typename T>
Status orgtr(Check c, cublasFillMode_t uplo, int n, T *A, int lda, const T *tau, int lwork,
             int *info) {
  c.uplo(uplo).size(n).matrix(A, n, n, lda).array(tau, n - 1, NullTau);
  c.work(lwork, area(n)).pointer(info, NullInfo);
  return c.run(info, [=] {
    return withWork<T>([=](T *work, int count) {
      return lapack(Lapack<T>::orgtr, letter(uplo), n, A, lda, tau, work, count);
    });
  });
}

template <typename T>
Status ormtr(Check c, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op, int m,
             int n, const T *A, int lda, const T *tau, T *C, int ldc, int lwork, int *info) {
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  operationOf<T>(c.side(side).uplo(uplo), op).size(m).size(n).matrix(A, order, order, lda);
  c.matrix(C, m, n, ldc).array(tau, order - 1, NullTau).work(lwork, area(n));
  c.pointer(info, NullInfo);
  return c.run(info, [=] {
    return withWork<T>([=](T *work, int count) {
      return lapack(Lapack<T>::ormtr, letter(side), letter(uplo), transposed<T>(op), m, n, A, lda,
                    tau, C, ldc, work, count);
    });
  });
}

template <typename T>
Status gebrd(Check c, int m, int n, T *A, int lda, Real<T> *d, Real<T> *e, T *tauq, T *taup,
             int lwork, int *info) {
  // cuSOLVER, "gebrd": only for m >= n.
  c.size(m).size(n).that(m >= n, "gebrd needs m >= n", CUSOLVER_STATUS_NOT_SUPPORTED);
  c.matrix(A, m, n, lda);
  c.array(d, n, "D is null").array(e, n - 1, "E is null").array(tauq, n, "TAUQ is null");
  c.array(taup, n, "TAUP is null").work(lwork, area(n)).pointer(info, NullInfo);
  return c.run(info, [=] {
    return withWork<T>([=](T *work, int count) {
      return lapack(Lapack<T>::gebrd, m, n, A, lda, d, e, tauq, taup, work, count);
    });
  });
}

template <typename T>
Status sytrd(Check c, cublasFillMode_t uplo, int n, T *A, int lda, Real<T> *d, Real<T> *e, T *tau,
             int lwork, int *info) {
  c.uplo(uplo).size(n).matrix(A, n, n, lda).array(d, n, "d is null").array(e, n - 1, "e is null");
  c.array(tau, n - 1, NullTau).work(lwork, area(n)).pointer(info, NullInfo);
  return c.run(info, [=] {
    return withWork<T>([=](T *work, int count) {
      return lapack(Lapack<T>::sytrd, letter(uplo), n, A, lda, d, e, tau, work, count);
    });
  });
}

} // namespace
} // namespace heddle::cusolver

using namespace heddle::cusolver;

#define CALL Check(__func__, h)
#define UPLO cublasFillMode_t uplo
#define SIDE cublasSideMode_t side
#define OP cublasOperation_t op
#define DN(name) cusolverStatus_t cusolverDn##name
#define H cusolverDnHandle_t h

#define EACH(P, T, R, G, M, Y)                                                                     \
  DN(P##G##qr_bufferSize)(H, int m, int n, int k, const T *, int lda, const T *, int *lwork) {     \
    return sizes(CALL, {m, n, k}, lda, lwork);                                                     \
  }                                                                                                \
  DN(P##G##qr)(H, int m, int n, int k, T *A, int lda, const T *tau, T *, int lwork, int *info) {   \
    return orgqr(CALL, m, n, k, num(A), lda, num(tau), lwork, info);                               \
  }                                                                                                \
  DN(P##M##qr_bufferSize)(H, SIDE, OP, int m, int n, int k, const T *, int lda, const T *,         \
                          const T *, int, int *lwork) {                                            \
    return sizes(CALL.side(side).operation(op), {m, n, k}, lda, lwork);                            \
  }                                                                                                \
  DN(P##M##qr)(H, SIDE, OP, int m, int n, int k, const T *A, int lda, const T *tau, T *C, int ldc, \
               T *, int lwork, int *info) {                                                        \
    return ormqr(CALL, side, op, m, n, k, num(A), lda, num(tau), num(C), ldc, lwork, info);        \
  }                                                                                                \
  DN(P##G##br_bufferSize)(H, SIDE, int m, int n, int k, const T *, int lda, const T *,             \
                          int *lwork) {                                                            \
    return sizes(CALL.side(side), {m, n, k}, lda, lwork);                                          \
  }                                                                                                \
  DN(P##G##br)(H, SIDE, int m, int n, int k, T *A, int lda, const T *tau, T *, int lwork,          \
               int *info) {                                                                        \
    return orgbr(CALL, side, m, n, k, num(A), lda, num(tau), lwork, info);                         \
  }                                                                                                \
  DN(P##G##tr_bufferSize)(H, UPLO, int n, const T *, int lda, const T *, int *lwork) {             \
    return sizes(CALL.uplo(uplo), {n}, lda, lwork);                                                \
  }                                                                                                \
  DN(P##G##tr)(H, UPLO, int n, T *A, int lda, const T *tau, T *, int lwork, int *info) {           \
    return orgtr(CALL, uplo, n, num(A), lda, num(tau), lwork, info);                               \
  }                                                                                                \
  DN(P##M##tr_bufferSize)(H, SIDE, UPLO, OP, int m, int n, const T *, int lda, const T *,          \
                          const T *, int, int *lwork) {                                            \
    return sizes(CALL.side(side).uplo(uplo).operation(op), {m, n}, lda, lwork);                    \
  }                                                                                                \
  DN(P##M##tr)(H, SIDE, UPLO, OP, int m, int n, T *A, int lda, T *tau, T *C, int ldc, T *,         \
               int lwork, int *info) {                                                             \
    return ormtr(CALL, side, uplo, op, m, n, num(A), lda, num(tau), num(C), ldc, lwork, info);     \
  }                                                                                                \
  DN(P##gebrd_bufferSize)(H, int m, int n, int *lwork) { return sizes(CALL, {m, n}, 1, lwork); }   \
  DN(P##gebrd)(H, int m, int n, T *A, int lda, R *d, R *e, T *tauq, T *taup, T *, int lwork,       \
               int *info) {                                                                        \
    return gebrd(CALL, m, n, num(A), lda, d, e, num(tauq), num(taup), lwork, info);                \
  }                                                                                                \
  DN(P##Y##trd_bufferSize)(H, UPLO, int n, const T *, int lda, const R *, const R *, const T *,    \
                           int *lwork) {                                                           \
    return sizes(CALL.uplo(uplo), {n}, lda, lwork);                                                \
  }                                                                                                \
  DN(P##Y##trd)(H, UPLO, int n, T *A, int lda, R *d, R *e, T *tau, T *, int lwork, int *info) {    \
    return sytrd(CALL, uplo, n, num(A), lda, d, e, num(tau), lwork, info);                         \
  }
EACH(S, float, float, org, orm, sy)
EACH(D, double, double, org, orm, sy)
EACH(C, cuComplex, float, ung, unm, he)
EACH(Z, cuDoubleComplex, double, ung, unm, he)
