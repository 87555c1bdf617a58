// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse systems, least squares and eigenvalues in one call, on the host and on the device.
#include "factor.h"

#include <cmath>

namespace heddle::cusolver {
namespace {

constexpr double Threshold = 1; // the largest element of a column is its pivot

template <typename T> Order orderOf(Check &c, const Csr<T> &A, int reorder) {
  A.check(c);
  c.that(A.pattern.rows == A.pattern.columns, "the matrix is not square");
  c.that(reorder >= 0 && reorder <= 3, "reorder is none of 0 to 3");
  return Order(reorder);
}

template <typename T>
void checkVectors(Check &c, const Csr<T> &A, const T *b, const T *x, const int *singularity) {
  c.array(b, A.pattern.rows, "b is null").array(x, A.pattern.columns, "x is null");
  c.pointer(singularity, "the pointer to singularity is null");
}

/// LU, with columns in the order that fills least.
template <typename T>
Status solveLu(Check c, cusolverSpHandle_t h, Csr<T> A, const T *b, Real<T> tol, int reorder, T *x,
               int *singularity) {
  const Order kind = orderOf(c, A, reorder);
  checkVectors(c, A, b, x, singularity);
  return runSparse(c, h, Where::Host, [=] {
    SparseLu<T> lu;
    lu.factor(A.matrix(), order(A.pattern, kind), Threshold);
    *singularity = lu.zeroPivot(double(tol));
    if (*singularity < 0)
      lu.solve(b, x);
  });
}

template <typename T>
Status solveQr(Check c, cusolverSpHandle_t h, Where where, Csr<T> A, const T *b, Real<T> tol,
               int reorder, T *x, int *singularity) {
  orderOf(c, A, reorder); // the factorisation has its own
  checkVectors(c, A, b, x, singularity);
  return runSparse(c, h, where, [=] {
    SparseQr<T> qr;
    qr.factor(A.matrix());
    *singularity = qr.zeroPivot(double(tol));
    if (*singularity < 0)
      qr.solve(b, A.pattern.rows, x);
  });
}

template <typename T>
Status solveCholesky(Check c, cusolverSpHandle_t h, Where where, Csr<T> A, const T *b, Real<T> tol,
                     int reorder, T *x, int *singularity) {
  const Order kind = orderOf(c, A, reorder);
  checkVectors(c, A, b, x, singularity);
  return runSparse(c, h, where, [=] {
    SparseCholesky<T> cholesky;
    cholesky.factor(A.matrix([](int row, int column) { return row >= column; }),
                    order(A.pattern, kind));
    *singularity = cholesky.zeroPivot(double(tol));
    if (*singularity < 0)
      cholesky.solve(b, x);
  });
}

template <typename T>
Status leastSquares(Check c, cusolverSpHandle_t h, Csr<T> A, const T *b, Real<T> tol, int *rank,
                    T *x, int *p, Real<T> *min_norm) {
  A.check(c);
  c.that(A.pattern.rows >= A.pattern.columns, "the matrix has less rows than columns");
  checkVectors(c, A, b, x, rank);
  c.array(p, A.pattern.columns, "p is null").pointer(min_norm, "min_norm is null");
  return runSparse(c, h, Where::Host, [=] {
    const Matrix<T> matrix = A.matrix();
    SparseQr<T> qr;
    qr.factorRanked(matrix, double(tol) > 0 ? double(tol) : -1);
    *rank = qr.rank();
    qr.solve(b, A.pattern.rows, x);
    const auto columns = qr.columnOrder();
    std::copy(columns.begin(), columns.end(), p);
    const Vector<T> rest = view(b, A.pattern.rows) - matrix * view(x, A.pattern.columns);
    *min_norm = rest.norm();
  });
}

/// The eigenvalue nearest to mu0 by inverse iteration with a fixed shift; mu by Rayleigh's
/// quotient.
template <typename T>
Status inverseIteration(Check c, cusolverSpHandle_t h, Where where, Csr<T> A, T mu0, const T *x0,
                        int most, Real<T> eps, T *mu, T *x) {
  A.check(c);
  const int n = A.pattern.rows;
  c.array(x0, n, "x0 is null").array(x, n, "x is null").pointer(mu, "mu is null");
  c.that(most >= 0, "maxite is negative");
  return runSparse(c, h, where, [=] {
    const Matrix<T> matrix = A.matrix();
    SparseLu<T> lu;
    lu.factor(A.matrix(mu0), order(A.pattern, Order::Amd), Threshold);
    Vector<T> v = view(x0, n).normalized();
    T value = mu0;
    // A singular A - mu0 I means that mu0 is an eigenvalue: the smallest shift makes it regular.
    if (lu.zeroPivot(0) >= 0)
      lu.factor(A.matrix(mu0 + T(std::numeric_limits<Real<T>>::epsilon() *
                                 std::max<Real<T>>(1, std::abs(mu0)))),
                order(A.pattern, Order::Amd), Threshold);
    for (int i = 0; i < most; ++i) {
      Vector<T> next(n);
      lu.solve(v.data(), next.data());
      v = next.normalized();
      const Vector<T> image = matrix * v;
      value = v.dot(image);
      if ((image - value * v).norm() <= eps)
        break;
    }
    *mu = value;
    view(x, n) = v;
  });
}

/// How many eigenvalues lie in a box of the complex plane: all are computed, densely.
template <typename T, typename B>
Status countEigenvalues(Check c, cusolverSpHandle_t h, Csr<T> A, B low, B high, int *count) {
  A.check(c);
  c.pointer(count, "num_eigs is null");
  return runSparse(c, h, Where::Host, [=] {
    const int n = A.pattern.rows, ld = std::max(n, 1);
    std::vector<T> dense(size_t(n) * n), vectors(1);
    A.pattern.validate();
    A.pattern.each(
        [&](int row, int column, int k) { dense[row + size_t(column) * n] += A.values[k]; });
    std::vector<Real<T>> real(2 * n + 1), imaginary(n + 1);
    std::vector<T> values(n);
    withWork<T>([&](T *work, int lwork) {
      if constexpr (is_complex<T>)
        return lapack(Lapack<T>::geev, 'N', 'N', n, dense.data(), ld, values.data(), vectors.data(),
                      1, vectors.data(), 1, work, lwork, real.data());
      else
        return lapack(Lapack<T>::geev, 'N', 'N', n, dense.data(), ld, real.data(), imaginary.data(),
                      vectors.data(), 1, vectors.data(), 1, work, lwork);
    });
    *count = 0;
    for (int i = 0; i < n; ++i) {
      const double re = is_complex<T> ? std::real(values[i]) : real[i],
                   im = is_complex<T> ? std::imag(values[i]) : imaginary[i];
      *count += low.x <= re && re <= high.x && low.y <= im && im <= high.y;
    }
  });
}

template <typename T>
Status qrBatched(Check c, cusolverSpHandle_t h, Csr<T> A, const T *b, T *x, int batch) {
  const int m = A.pattern.rows, n = A.pattern.columns;
  return runSparse(c, h, Where::Stream, [=] {
    for (int i = 0; i < batch; ++i) {
      SparseQr<T> qr;
      qr.factor(Csr<T>{A.pattern, A.values + int64_t(i) * A.pattern.nnz}.matrix());
      qr.solve(b + int64_t(i) * m, m, x + int64_t(i) * n);
    }
  });
}

} // namespace

template <typename T>
Status qrSolveBatched(Check c, cusolverSpHandle_t h, Csr<T> A, const T *b, T *x, int batch) {
  A.check(c);
  c.that(A.pattern.rows >= A.pattern.columns, "the matrix has less rows than columns");
  c.that(batch >= 1, "batchSize is less than 1");
  checkVectors(c, A, b, x, &batch);
  return qrBatched(c, h, A, b, x, batch);
}

template <typename T, typename U> T scalar(U value) { return *num(&value); }

} // namespace heddle::cusolver

using namespace heddle::cusolver;

#define H cusolverSpHandle_t h
#define CALL Check(__func__, h), h
#define SP(name) cusolverStatus_t cusolverSp##name
#define CSR(T)                                                                                     \
  int nnz, const cusparseMatDescr_t d, const T *values, const int *starts, const int *indices
#define MATRIX(T, m, n) (Csr<Number<T>>{{m, n, nnz, d, starts, indices}, num(values)})

#define PLACES(P, T, R, Place, where)                                                              \
  SP(P##csrlsvqr##Place)                                                                           \
  (H, int m, CSR(T), const T *b, R tol, int reorder, T *x, int *singularity) {                     \
    return solveQr(CALL, where, MATRIX(T, m, m), num(b), tol, reorder, num(x), singularity);       \
  }                                                                                                \
  SP(P##csrlsvchol##Place)                                                                         \
  (H, int m, CSR(T), const T *b, R tol, int reorder, T *x, int *singularity) {                     \
    return solveCholesky(CALL, where, MATRIX(T, m, m), num(b), tol, reorder, num(x), singularity); \
  }
#define INVERSE(P, T, R, Place, where)                                                             \
  SP(P##csreigvsi##Place)                                                                          \
  (H, int m, CSR(T), T mu0, const T *x0, int most, R eps, T *mu, T *x) {                           \
    return inverseIteration(CALL, where, MATRIX(T, m, m), scalar<Number<T>>(mu0), num(x0), most,   \
                            eps, num(mu), num(x));                                                 \
  }
#define EACH(P, T, R, B)                                                                           \
  PLACES(P, T, R, Host, Where::Host)                                                               \
  PLACES(P, T, R, , Where::StreamAndWait)                                                          \
  INVERSE(P, T, R, Host, Where::Host)                                                              \
  INVERSE(P, T, R, , Where::Stream)                                                                \
  SP(P##csrlsvluHost)                                                                              \
  (H, int n, CSR(T), const T *b, R tol, int reorder, T *x, int *singularity) {                     \
    return solveLu(CALL, MATRIX(T, n, n), num(b), tol, reorder, num(x), singularity);              \
  }                                                                                                \
  SP(P##csrlsqvqrHost)                                                                             \
  (H, int m, int n, CSR(T), const T *b, R tol, int *rank, T *x, int *p, R *min_norm) {             \
    return leastSquares(CALL, MATRIX(T, m, n), num(b), tol, rank, num(x), p, min_norm);            \
  }                                                                                                \
  SP(P##csreigsHost)(H, int m, CSR(T), B low, B high, int *count) {                                \
    return countEigenvalues(CALL, MATRIX(T, m, m), low, high, count);                              \
  }                                                                                                \
  SP(P##csrqrsvBatched)                                                                            \
  (H, int m, int n, CSR(T), const T *b, T *x, int batch, csrqrInfo_t info, void *) {               \
    Check c(__func__, h);                                                                          \
    c.that(heddle::library::handles<csrqrInfo>().has(info),                                        \
           "the info object was not created, or destroyed");                                       \
    return qrSolveBatched(c, h, MATRIX(T, m, n), num(b), num(x), batch);                           \
  }
EACH(S, float, float, cuComplex)
EACH(D, double, double, cuDoubleComplex)
EACH(C, cuComplex, float, cuComplex)
EACH(Z, cuDoubleComplex, double, cuDoubleComplex)
