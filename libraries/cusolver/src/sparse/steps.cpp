// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse LU, QR and Cholesky step by step. An info object holds what analysis saw, then the factor;
// tasks share the factor, so they may outlive the object.
#include "cusolverSp_LOWLEVEL_PREVIEW.h"
#include "factor.h"

#include <any>
#include <cuda_runtime_api.h>

namespace heddle::cusolver {

struct Steps {
  Pattern pattern{}; // as analysed; only its sizes are used
  bool analysed = false;
  std::any factor; // shared_ptr<Holder<T, F<T>>>
};

} // namespace heddle::cusolver

struct csrluInfoHost : heddle::cusolver::Steps {};
struct csrqrInfoHost : heddle::cusolver::Steps {};
struct csrqrInfo : heddle::cusolver::Steps {};
struct csrcholInfoHost : heddle::cusolver::Steps {};
struct csrcholInfo : heddle::cusolver::Steps {};

namespace heddle::cusolver {
namespace {

/// A factor, and the matrix that waits for its factorisation.
template <typename F, typename T> struct Holder {
  F factor;
  Matrix<T> matrix;
  bool done = false;
};

template <typename Info> constexpr bool on_host = false;
template <> inline constexpr bool on_host<csrluInfoHost> = true;
template <> inline constexpr bool on_host<csrqrInfoHost> = true;
template <> inline constexpr bool on_host<csrcholInfoHost> = true;
template <typename Info> constexpr Where place = on_host<Info> ? Where::Host : Where::Stream;
template <typename Info>
constexpr Where answer = on_host<Info> ? Where::Host : Where::StreamAndWait;

template <typename Info> Status create(const char *function, Info **info) {
  if (!info)
    return refuse(function, CUSOLVER_STATUS_INVALID_VALUE, "the pointer to info is null");
  *info = library::handles<Info>().add(new Info);
  return CUSOLVER_STATUS_SUCCESS;
}

template <typename Info> Status destroy(const char *function, Info *info) {
  if (!library::handles<Info>().remove(info))
    return refuse(function, CUSOLVER_STATUS_INVALID_VALUE,
                  "the info object was not created, or destroyed");
  delete info;
  return CUSOLVER_STATUS_SUCCESS;
}

template <typename Info> Check &live(Check &c, const Info *info) {
  return c.that(library::handles<Info>().has(info),
                "the info object was not created, or destroyed");
}

template <typename Info>
Status analyse(Check c, cusolverSpHandle_t h, const Pattern &pattern, Info *info) {
  pattern.check(live(c, info));
  c.that(pattern.rows >= pattern.columns, "the matrix has less rows than columns");
  if (c.bad())
    return c.status();
  info->pattern = pattern;
  info->analysed = true;
  info->factor.reset();
  return runSparse(c, h, place<Info>, [pattern] { pattern.validate(); });
}

/// Whether the info object has seen a matrix of these sizes.
template <typename Info>
Check &analysed(Check &c, const Info *info, int rows, int columns, int nnz) {
  if (live(c, info).bad())
    return c;
  return c.that(info->analysed && info->pattern.rows == rows && info->pattern.columns == columns &&
                    info->pattern.nnz == nnz,
                "the matrix was not analysed with this info object");
}

template <typename T, typename Info>
Status bufferInfo(Check c, const Csr<T> &A, Info *info, size_t *internal, size_t *workspace) {
  A.check(analysed(c, info, A.pattern.rows, A.pattern.columns, A.pattern.nnz));
  c.pointer(internal, "the pointer to the internal size is null");
  c.pointer(workspace, "the pointer to the workspace's size is null");
  if (c.bad())
    return c.status();
  // What a factor may take; the work area is not needed.
  *internal = size_t(A.pattern.nnz + A.pattern.rows) * (sizeof(T) + sizeof(int));
  *workspace = size_t(A.pattern.rows + A.pattern.columns) * sizeof(T);
  return CUSOLVER_STATUS_SUCCESS;
}

template <typename F, typename T, typename Info> std::shared_ptr<Holder<F, T>> renew(Info *info) {
  auto holder = std::make_shared<Holder<F, T>>();
  info->factor = holder;
  return holder;
}

/// The factor of the type that the call names, or a fault.
template <typename F, typename T, typename Info>
std::shared_ptr<Holder<F, T>> holderOf(Check &c, const Info *info) {
  if (live(c, info).bad())
    return nullptr;
  const auto *holder = std::any_cast<std::shared_ptr<Holder<F, T>>>(&info->factor);
  c.that(holder, "there is no factor of this type yet");
  return holder ? *holder : nullptr;
}

void need(bool done) {
  if (!done)
    throw std::invalid_argument("the matrix was not factored");
}

template <typename T, typename Info>
Status factorLu(Check c, cusolverSpHandle_t h, const Csr<T> &A, Info *info, double threshold) {
  A.check(analysed(c, info, A.pattern.rows, A.pattern.columns, A.pattern.nnz));
  c.that(threshold >= 0 && threshold <= 1, "the pivot threshold is not 0 to 1");
  if (c.bad())
    return c.status();
  return runSparse(c, h, Where::Host, [=, holder = renew<SparseLu<T>, T>(info)] {
    // Columns in the order that fills least; rows by pivots.
    holder->factor.factor(A.matrix(), order(A.pattern, Order::Amd), threshold);
    holder->done = true;
  });
}

template <typename T, typename Info>
Status factorCholesky(Check c, cusolverSpHandle_t h, const Csr<T> &A, Info *info) {
  A.check(analysed(c, info, A.pattern.rows, A.pattern.columns, A.pattern.nnz));
  if (c.bad())
    return c.status();
  return runSparse(c, h, place<Info>, [=, holder = renew<SparseCholesky<T>, T>(info)] {
    holder->factor.factor(A.matrix([](int row, int column) { return row >= column; }),
                          order(A.pattern, Order::Amd));
    holder->done = true;
  });
}

template <typename T, typename Info>
Status setupQr(Check c, cusolverSpHandle_t h, const Csr<T> &A, T mu, Info *info) {
  A.check(analysed(c, info, A.pattern.rows, A.pattern.columns, A.pattern.nnz));
  if (c.bad())
    return c.status();
  return runSparse(c, h, place<Info>,
                   [=, holder = renew<SparseQr<T>, T>(info)] { holder->matrix = A.matrix(mu); });
}

/// Factors; b and x may both be null, or the system is solved, too.
template <typename T, typename Info>
Status factorQr(Check c, cusolverSpHandle_t h, int m, int n, int nnz, const T *b, T *x,
                Info *info) {
  analysed(c, info, m, n, nnz);
  const auto holder = holderOf<SparseQr<T>, T>(c, info);
  c.that(!b == !x, "one of b and x is null");
  return runSparse(c, h, place<Info>, [=] {
    holder->factor.factor(holder->matrix);
    holder->done = true;
    if (b && x)
      holder->factor.solve(b, m, x);
  });
}

template <typename F, typename T, typename Info>
Status zeroPivot(Check c, cusolverSpHandle_t h, const Info *info, double tolerance, int *position) {
  const auto holder = holderOf<F, T>(c, info);
  c.pointer(position, "the pointer to the position is null");
  return runSparse(c, h, answer<Info>, [=] {
    need(holder->done);
    *position = holder->factor.zeroPivot(tolerance);
  });
}

template <template <typename> typename F, typename T, typename Info>
Status solve(Check c, cusolverSpHandle_t h, int m, int n, const T *b, T *x, const Info *info) {
  const auto holder = holderOf<F<T>, T>(c, info);
  c.array(b, m, "b is null").array(x, n, "x is null");
  if (!c.bad())
    c.that(info->pattern.rows == m && info->pattern.columns == n,
           "the sizes are not those of the factor");
  return runSparse(c, h, place<Info>, [=] {
    need(holder->done);
    if constexpr (std::is_same_v<F<T>, SparseQr<T>>)
      holder->factor.solve(b, m, x);
    else
      holder->factor.solve(b, x);
  });
}

template <typename T>
Status diagonal(Check c, cusolverSpHandle_t h, csrcholInfo_t info, Real<T> *to) {
  const auto holder = holderOf<SparseCholesky<T>, T>(c, info);
  c.pointer(to, "diag is null");
  return runSparse(c, h, Where::Stream, [=] {
    need(holder->done);
    for (int j = 0; j < holder->factor.size(); ++j)
      to[j] = Real<T>(holder->factor.diagonal(j));
  });
}

template <typename T> bool counts(const Steps &info, int *lower, int *upper) {
  const auto *holder = std::any_cast<std::shared_ptr<Holder<SparseLu<T>, T>>>(&info.factor);
  if (!holder || !(*holder)->done)
    return false;
  *lower = (*holder)->factor.lowerCount();
  *upper = (*holder)->factor.upperCount();
  return true;
}

template <typename T> struct Factor {
  cusparseMatDescr_t description;
  T *values;
  int *starts, *indices;

  void check(Check &c) const {
    c.pointer(description, "a descriptor is null").pointer(values, "an array of values is null");
    c.pointer(starts, "an array of row starts is null");
    c.pointer(indices, "an array of column indices is null");
  }
  int base() const { return cusparseGetMatIndexBase(description) == CUSPARSE_INDEX_BASE_ONE; }
};

template <typename T>
Status extract(Check c, cusolverSpHandle_t h, int *p, int *q, Factor<T> lower, Factor<T> upper,
               csrluInfoHost_t info) {
  const auto holder = holderOf<SparseLu<T>, T>(c, info);
  c.pointer(p, "P is null").pointer(q, "Q is null");
  lower.check(c);
  upper.check(c);
  return runSparse(c, h, Where::Host, [=] {
    need(holder->done);
    const SparseLu<T> &lu = holder->factor;
    std::copy(lu.rowOrder().begin(), lu.rowOrder().end(), p);
    std::copy(lu.columnOrder().begin(), lu.columnOrder().end(), q);
    lu.extractLower(lower.values, lower.starts, lower.indices, lower.base());
    lu.extractUpper(upper.values, upper.starts, upper.indices, upper.base());
  });
}

} // namespace
} // namespace heddle::cusolver

using namespace heddle::cusolver;

#define H cusolverSpHandle_t h
#define CALL Check(__func__, h), h
#define SP(name) cusolverStatus_t cusolverSp##name
#define PATTERN int nnz, const cusparseMatDescr_t d, const int *starts, const int *indices
#define CSR(T)                                                                                     \
  int nnz, const cusparseMatDescr_t d, const T *values, const int *starts, const int *indices
#define MATRIX(T, m, n) (Csr<Number<T>>{{m, n, nnz, d, starts, indices}, num(values)})

#define OBJECT(Name, type)                                                                         \
  SP(Create##Name)(type##_t * info) { return create(__func__, info); }                             \
  SP(Destroy##Name)(type##_t info) { return destroy(__func__, info); }
OBJECT(CsrluInfoHost, csrluInfoHost)
OBJECT(CsrqrInfoHost, csrqrInfoHost)
OBJECT(CsrqrInfo, csrqrInfo)
OBJECT(CsrcholInfoHost, csrcholInfoHost)
OBJECT(CsrcholInfo, csrcholInfo)

SP(XcsrluAnalysisHost)(H, int n, PATTERN, csrluInfoHost_t info) {
  return analyse(CALL, {n, n, nnz, d, starts, indices}, info);
}
SP(XcsrqrAnalysisBatched)(H, int m, int n, PATTERN, csrqrInfo_t info) {
  return analyse(CALL, {m, n, nnz, d, starts, indices}, info);
}
#define ANALYSES(Place)                                                                            \
  SP(XcsrqrAnalysis##Place)(H, int m, int n, PATTERN, csrqrInfo##Place##_t info) {                 \
    return analyse(CALL, {m, n, nnz, d, starts, indices}, info);                                   \
  }                                                                                                \
  SP(XcsrcholAnalysis##Place)(H, int n, PATTERN, csrcholInfo##Place##_t info) {                    \
    return analyse(CALL, {n, n, nnz, d, starts, indices}, info);                                   \
  }
ANALYSES(Host)
ANALYSES()

SP(XcsrluNnzHost)(H, int *lower, int *upper, csrluInfoHost_t info) {
  Check c(__func__, h);
  live(c, info).pointer(lower, "nnzLRef is null").pointer(upper, "nnzURef is null");
  if (c.bad())
    return c.status();
  return c
      .that(counts<float>(*info, lower, upper) || counts<double>(*info, lower, upper) ||
                counts<std::complex<float>>(*info, lower, upper) ||
                counts<std::complex<double>>(*info, lower, upper),
            "the matrix was not factored")
      .status();
}

#define STEPS(P, T, R, Place)                                                                      \
  SP(P##csrqrBufferInfo##Place)                                                                    \
  (H, int m, int n, CSR(T), csrqrInfo##Place##_t info, size_t *internal, size_t *workspace) {      \
    return bufferInfo(Check(__func__, h), MATRIX(T, m, n), info, internal, workspace);             \
  }                                                                                                \
  SP(P##csrqrSetup##Place)(H, int m, int n, CSR(T), T mu, csrqrInfo##Place##_t info) {             \
    return setupQr(CALL, MATRIX(T, m, n), *num(&mu), info);                                        \
  }                                                                                                \
  SP(P##csrqrFactor##Place)                                                                        \
  (H, int m, int n, int nnz, T *b, T *x, csrqrInfo##Place##_t info, void *) {                      \
    return factorQr(CALL, m, n, nnz, num(b), num(x), info);                                        \
  }                                                                                                \
  SP(P##csrqrZeroPivot##Place)(H, csrqrInfo##Place##_t info, R tol, int *position) {               \
    return zeroPivot<SparseQr<Number<T>>, Number<T>>(CALL, info, double(tol), position);           \
  }                                                                                                \
  SP(P##csrqrSolve##Place)(H, int m, int n, T *b, T *x, csrqrInfo##Place##_t info, void *) {       \
    return solve<SparseQr, Number<T>>(CALL, m, n, num(b), num(x), info);                           \
  }                                                                                                \
  SP(P##csrcholBufferInfo##Place)                                                                  \
  (H, int n, CSR(T), csrcholInfo##Place##_t info, size_t *internal, size_t *workspace) {           \
    return bufferInfo(Check(__func__, h), MATRIX(T, n, n), info, internal, workspace);             \
  }                                                                                                \
  SP(P##csrcholFactor##Place)(H, int n, CSR(T), csrcholInfo##Place##_t info, void *) {             \
    return factorCholesky(CALL, MATRIX(T, n, n), info);                                            \
  }                                                                                                \
  SP(P##csrcholZeroPivot##Place)(H, csrcholInfo##Place##_t info, R tol, int *position) {           \
    return zeroPivot<SparseCholesky<Number<T>>, Number<T>>(CALL, info, double(tol), position);     \
  }                                                                                                \
  SP(P##csrcholSolve##Place)                                                                       \
  (H, int n, const T *b, T *x, csrcholInfo##Place##_t info, void *) {                              \
    return solve<SparseCholesky, Number<T>>(CALL, n, n, num(b), num(x), info);                     \
  }
#define EACH(P, T, R)                                                                              \
  STEPS(P, T, R, Host)                                                                             \
  STEPS(P, T, R, )                                                                                 \
  SP(P##csrcholDiag)(H, csrcholInfo_t info, R * to) {                                              \
    return diagonal<Number<T>>(CALL, info, to);                                                    \
  }                                                                                                \
  SP(P##csrqrBufferInfoBatched)                                                                    \
  (H, int m, int n, CSR(T), int batch, csrqrInfo_t info, size_t *internal, size_t *workspace) {    \
    return bufferInfo(Check(__func__, h).that(batch >= 1, "batchSize is less than 1"),             \
                      MATRIX(T, m, n), info, internal, workspace);                                 \
  }                                                                                                \
  SP(P##csrluBufferInfoHost)                                                                       \
  (H, int n, CSR(T), csrluInfoHost_t info, size_t *internal, size_t *workspace) {                  \
    return bufferInfo(Check(__func__, h), MATRIX(T, n, n), info, internal, workspace);             \
  }                                                                                                \
  SP(P##csrluFactorHost)(H, int n, CSR(T), csrluInfoHost_t info, R threshold, void *) {            \
    return factorLu(CALL, MATRIX(T, n, n), info, double(threshold));                               \
  }                                                                                                \
  SP(P##csrluZeroPivotHost)(H, csrluInfoHost_t info, R tol, int *position) {                       \
    return zeroPivot<SparseLu<Number<T>>, Number<T>>(CALL, info, double(tol), position);           \
  }                                                                                                \
  SP(P##csrluSolveHost)(H, int n, const T *b, T *x, csrluInfoHost_t info, void *) {                \
    return solve<SparseLu, Number<T>>(CALL, n, n, num(b), num(x), info);                           \
  }                                                                                                \
  SP(P##csrluExtractHost)                                                                          \
  (H, int *p, int *q, const cusparseMatDescr_t dl, T *l, int *l_starts, int *l_indices,            \
   const cusparseMatDescr_t du, T *u, int *u_starts, int *u_indices, csrluInfoHost_t info,         \
   void *) {                                                                                       \
    using N = Number<T>;                                                                           \
    return extract(CALL, p, q, Factor<N>{dl, num(l), l_starts, l_indices},                         \
                   Factor<N>{du, num(u), u_starts, u_indices}, info);                              \
  }
EACH(S, float, float)
EACH(D, double, double)
EACH(C, cuComplex, float)
EACH(Z, cuDoubleComplex, double)
