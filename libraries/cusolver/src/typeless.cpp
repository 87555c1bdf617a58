// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The 64-bit API: finds the types and calls what the typed API has too. Its first functions,
// without X, have one work area and are else the same.
#include "typeless.h"
#include "factor.h"
#include "spectrum.h"

namespace heddle::cusolver {
namespace {

/// A work area of the device, and one of the host, which is never needed.
struct Sizes {
  size_t *device, *host;
  Sizes(size_t *on_device) : device(on_device), host(&none_) {}
  Sizes(size_t *on_device, size_t *on_host) : device(on_device), host(on_host) {}
  Sizes(const Sizes &) = delete;

private:
  size_t none_ = 0;
};

Check begin(const char *function, cusolverDnHandle_t h, cusolverDnParams_t params) {
  Check c(function, h);
  return c.that(!params || library::handles<cusolverDnParams>().has(params),
                "params was not created, or destroyed");
}

Status answer(Check c, cudaDataType type, int64_t elements, const Sizes &sizes) {
  c.pointer(sizes.host, "the pointer to the host's size is null");
  return dispatch(c, type, [&](auto) {
    *sizes.host = 0;
    return c.answer(sizes.device, elements * bytesOf(type));
  });
}

Check &enough(Check &c, cudaDataType type, size_t given, int64_t elements) {
  return c.work(int64_t(std::min<size_t>(given, INT64_MAX)), elements * bytesOf(type));
}

Status square(Check c, cublasFillMode_t uplo, int64_t n, cudaDataType type, int64_t lda,
              cudaDataType compute, const Sizes &sizes) {
  types(c.uplo(uplo).size(n).leading(lda, n), type, {compute});
  return answer(c, type, area(n), sizes);
}
Status rectangle(Check c, int64_t m, int64_t n, cudaDataType type, int64_t lda,
                 cudaDataType compute, const Sizes &sizes) {
  types(c.size(m).size(n).leading(lda, m), type, {compute});
  return answer(c, type, area(m, n), sizes);
}

#define AS(T, p) static_cast<T *>(p)
#define ASC(T, p) static_cast<const T *>(p)

Status xpotrf(Check c, cublasFillMode_t uplo, int64_t n, cudaDataType type, void *A, int64_t lda,
              cudaDataType compute, size_t bytes, int *info) {
  enough(types(c, type, {compute}), type, bytes, area(n));
  return dispatch(c, type,
                  [=](auto t) { return potrf(c, uplo, n, AS(decltype(t), A), lda, info); });
}

Status xpotrs(Check c, cublasFillMode_t uplo, int64_t n, int64_t nrhs, cudaDataType type,
              const void *A, int64_t lda, cudaDataType type_b, void *B, int64_t ldb, int *info) {
  return dispatch(types(c, type, {type_b}), type, [=](auto t) {
    using T = decltype(t);
    return potrs(c, uplo, n, nrhs, ASC(T, A), lda, AS(T, B), ldb, info);
  });
}

Status xgeqrf(Check c, int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda,
              cudaDataType type_tau, void *tau, cudaDataType compute, size_t bytes, int *info) {
  enough(types(c, type, {compute, type_tau}), type, bytes, area(n));
  return dispatch(c, type, [=](auto t) {
    using T = decltype(t);
    return geqrf(c, m, n, AS(T, A), lda, AS(T, tau), info);
  });
}

Status xgetrf(Check c, int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda, int64_t *ipiv,
              cudaDataType compute, size_t bytes, int *info) {
  enough(types(c, type, {compute}), type, bytes, area(n));
  return dispatch(c, type,
                  [=](auto t) { return getrf(c, m, n, AS(decltype(t), A), lda, ipiv, info); });
}

Status xgetrs(Check c, cublasOperation_t op, int64_t n, int64_t nrhs, cudaDataType type,
              const void *A, int64_t lda, const int64_t *ipiv, cudaDataType type_b, void *B,
              int64_t ldb, int *info) {
  return dispatch(types(c, type, {type_b}), type, [=](auto t) {
    using T = decltype(t);
    return getrs(c, op, n, nrhs, ASC(T, A), lda, ipiv, AS(T, B), ldb, info);
  });
}

/// `vl` and `vu` point to numbers of the matrix's precision.
struct Interval {
  cusolverEigRange_t range = CUSOLVER_EIG_RANGE_ALL;
  const void *vl = nullptr, *vu = nullptr;
  int64_t il = 1, iu = 0;

  template <typename R> Selection<R> as() const {
    const bool values = range == CUSOLVER_EIG_RANGE_V && vl && vu;
    return {range, values ? *ASC(R, vl) : 0, values ? *ASC(R, vu) : 0, il, iu};
  }
};

Status xsyevd(Check c, cusolverEigMode_t jobz, const Interval &interval, cublasFillMode_t uplo,
              int64_t n, cudaDataType type, void *A, int64_t lda, int64_t *meig,
              cudaDataType type_w, void *W, cudaDataType compute, size_t bytes, int *info) {
  enough(types(c, type, {compute}, {type_w}), type, bytes, area(n));
  return dispatch(c, type, [=](auto t) {
    using T = decltype(t);
    return eigenSelected(c, jobz, interval.as<Real<T>>(), uplo, n, AS(T, A), lda, meig,
                         AS(Real<T>, W), info);
  });
}

Status xsyevdSizes(Check c, cusolverEigMode_t jobz, const Interval &interval, cublasFillMode_t uplo,
                   int64_t n, cudaDataType type, int64_t lda, cudaDataType type_w,
                   cudaDataType compute, const Sizes &sizes) {
  types(c.jobz(jobz), type, {}, {type_w});
  if (realOf(type) == CUDA_R_64F)
    interval.as<double>().check(c, n);
  else
    interval.as<float>().check(c, n);
  return square(c, uplo, n, type, lda, compute, sizes);
}

Status xgesvd(Check c, signed char jobu, signed char jobvt, int64_t m, int64_t n, cudaDataType type,
              void *A, int64_t lda, cudaDataType type_s, void *S, cudaDataType type_u, void *U,
              int64_t ldu, cudaDataType type_vt, void *VT, int64_t ldvt, cudaDataType compute,
              size_t bytes, int *info) {
  types(c, type, {compute, type_u, type_vt}, {type_s});
  enough(c, type, bytes, area(m, n));
  return dispatch(c, type, [=](auto t) {
    using T = decltype(t);
    return gesvd<T>(c, jobu, jobvt, m, n, AS(T, A), lda, AS(Real<T>, S), AS(T, U), ldu, AS(T, VT),
                    ldvt, nullptr, info);
  });
}

/// gesvdp and gesvdr: both give V. What is computed is the same, of full accuracy.
struct TypelessSvd {
  bool vectors, all;
  int64_t m, n, rank;
  cudaDataType type;
  void *A;
  int64_t lda;
  cudaDataType type_s;
  void *S;
  cudaDataType type_u;
  void *U;
  int64_t ldu;
  cudaDataType type_v;
  void *V;
  int64_t ldv;
  cudaDataType compute;

  Status run(Check c, size_t bytes, int *info) const {
    types(c, type, {compute, type_u, type_v}, {type_s});
    enough(c, type, bytes, area(m, n)).pointer(info, NullInfo);
    return dispatch(c, type, [=, this](auto t) {
      using T = decltype(t);
      const Singular<T> s{vectors, all, m, n, rank, AS(Real<T>, S), AS(T, U), ldu, AS(T, V), ldv};
      Check checked = c;
      s.check(checked, AS(T, A), lda);
      return checked.run(info, [s, from = AS(T, A), ld = lda] { return s.compute(from, ld); });
    });
  }
};

template <typename T>
Status larft(Check c, char direct, char storev, int64_t n, int64_t k, const T *V, int64_t ldv,
             const T *tau, T *to, int64_t ldt) {
  c.size(n).size(k).that(k <= n, "K is greater than N").matrix(to, k, k, ldt);
  c.array(tau, k, "tau is null").matrix(V, storev == 'C' ? n : k, storev == 'C' ? k : n, ldv);
  return c.run(nullptr, [=] {
    if (k > 0)
      blas(Lapack<T>::larft, direct, storev, n, k, V, ldv, tau, to, ldt);
    return 0;
  });
}

/// Eigenvalues of a general matrix. A real matrix has complex ones, in a complex array or as n real
/// parts before n imaginary ones.
template <typename T>
int general(char jobvl, char jobvr, int64_t n, T *A, int64_t lda, bool complex_w, void *W, T *VL,
            int64_t ldvl, T *VR, int64_t ldvr) {
  std::vector<Real<T>> reals(2 * n + 1);
  Real<T> *const real = reals.data(), *const imaginary = real + n;
  const int info = withWork<T>([&](T *work, int lwork) {
    if constexpr (is_complex<T>)
      return lapack(Lapack<T>::geev, jobvl, jobvr, n, A, lda, AS(T, W), VL, ldvl, VR, ldvr, work,
                    lwork, real);
    else
      return lapack(Lapack<T>::geev, jobvl, jobvr, n, A, lda, real, imaginary, VL, ldvl, VR, ldvr,
                    work, lwork);
  });
  if constexpr (!is_complex<T>) {
    for (int64_t i = 0; complex_w && i < n; ++i)
      AS(std::complex<T>, W)[i] = {real[i], imaginary[i]};
    if (!complex_w)
      std::copy_n(real, 2 * n, AS(T, W));
  }
  return info;
}

Status geevTypes(Check &c, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, cudaDataType type,
                 cudaDataType type_w, cudaDataType type_vl, cudaDataType type_vr,
                 cudaDataType compute) {
  types(c.jobz(jobvl).jobz(jobvr), type, {type_vl, type_vr, compute});
  return c
      .that(type_w == type || (isReal(type) && realOf(type_w) == type),
            "W has not the matrix's precision")
      .status();
}

} // namespace
} // namespace heddle::cusolver

using namespace heddle::cusolver;

#define HEAD cusolverDnHandle_t h, cusolverDnParams_t p
#define BEGIN begin(__func__, h, p)
#define CALL Check(__func__, h)
#define UPLO cublasFillMode_t uplo
#define JOB cusolverEigMode_t jobz
#define OP cublasOperation_t op
#define RANGE cusolverEigRange_t range
#define IN(A) cudaDataType type_##A, const void *A
#define OUT(A) cudaDataType type_##A, void *A
#define COMPUTE cudaDataType compute
#define DN(name) cusolverStatus_t cusolverDn##name
using L = int64_t;

// The functions of both generations: PRE is X or nothing.
#define SIZES_X size_t *device, size_t *host
#define SIZES_ size_t *device
#define SIZE_X Sizes(device, host)
#define SIZE_ Sizes(device)
#define BUFFERS_X void *, size_t bytes, void *, size_t
#define BUFFERS_ void *, size_t bytes

#define BOTH(G, POTRF, POTRS, GEQRF, GETRF, GETRS, SYEVD, SYEVDX, GESVD)                           \
  DN(POTRF##_bufferSize)(HEAD, UPLO, L n, IN(A), L lda, COMPUTE, SIZES_##G) {                      \
    return square(BEGIN, uplo, n, type_A, lda, compute, SIZE_##G);                                 \
  }                                                                                                \
  DN(POTRF)(HEAD, UPLO, L n, OUT(A), L lda, COMPUTE, BUFFERS_##G, int *info) {                     \
    return xpotrf(BEGIN, uplo, n, type_A, A, lda, compute, bytes, info);                           \
  }                                                                                                \
  DN(POTRS)(HEAD, UPLO, L n, L nrhs, IN(A), L lda, OUT(B), L ldb, int *info) {                     \
    return xpotrs(BEGIN, uplo, n, nrhs, type_A, A, lda, type_B, B, ldb, info);                     \
  }                                                                                                \
  DN(GEQRF##_bufferSize)(HEAD, L m, L n, IN(A), L lda, IN(tau), COMPUTE, SIZES_##G) {              \
    Check c = BEGIN;                                                                               \
    return rectangle(types(c, type_A, {type_tau}), m, n, type_A, lda, compute, SIZE_##G);          \
  }                                                                                                \
  DN(GEQRF)(HEAD, L m, L n, OUT(A), L lda, OUT(tau), COMPUTE, BUFFERS_##G, int *info) {            \
    return xgeqrf(BEGIN, m, n, type_A, A, lda, type_tau, tau, compute, bytes, info);               \
  }                                                                                                \
  DN(GETRF##_bufferSize)(HEAD, L m, L n, IN(A), L lda, COMPUTE, SIZES_##G) {                       \
    return rectangle(BEGIN, m, n, type_A, lda, compute, SIZE_##G);                                 \
  }                                                                                                \
  DN(GETRF)(HEAD, L m, L n, OUT(A), L lda, L * ipiv, COMPUTE, BUFFERS_##G, int *info) {            \
    return xgetrf(BEGIN, m, n, type_A, A, lda, ipiv, compute, bytes, info);                        \
  }                                                                                                \
  DN(GETRS)(HEAD, OP, L n, L nrhs, IN(A), L lda, const L *ipiv, OUT(B), L ldb, int *info) {        \
    return xgetrs(BEGIN, op, n, nrhs, type_A, A, lda, ipiv, type_B, B, ldb, info);                 \
  }                                                                                                \
  DN(SYEVD##_bufferSize)(HEAD, JOB, UPLO, L n, IN(A), L lda, IN(W), COMPUTE, SIZES_##G) {          \
    return xsyevdSizes(BEGIN, jobz, {}, uplo, n, type_A, lda, type_W, compute, SIZE_##G);          \
  }                                                                                                \
  DN(SYEVD)(HEAD, JOB, UPLO, L n, OUT(A), L lda, OUT(W), COMPUTE, BUFFERS_##G, int *info) {        \
    return xsyevd(BEGIN, jobz, {}, uplo, n, type_A, A, lda, nullptr, type_W, W, compute, bytes,    \
                  info);                                                                           \
  }                                                                                                \
  DN(SYEVDX##_bufferSize)(HEAD, JOB, RANGE, UPLO, L n, IN(A), L lda, void *vl, void *vu, L il,     \
                          L iu, L *, IN(W), COMPUTE, SIZES_##G) {                                  \
    return xsyevdSizes(BEGIN, jobz, {range, vl, vu, il, iu}, uplo, n, type_A, lda, type_W,         \
                       compute, SIZE_##G);                                                         \
  }                                                                                                \
  DN(SYEVDX)(HEAD, JOB, RANGE, UPLO, L n, OUT(A), L lda, void *vl, void *vu, L il, L iu, L *meig,  \
             OUT(W), COMPUTE, BUFFERS_##G, int *info) {                                            \
    return xsyevd(BEGIN, jobz, {range, vl, vu, il, iu}, uplo, n, type_A, A, lda, meig, type_W, W,  \
                  compute, bytes, info);                                                           \
  }                                                                                                \
  DN(GESVD##_bufferSize)(HEAD, signed char, signed char, L m, L n, IN(A), L lda, IN(S), IN(U), L,  \
                         IN(VT), L, COMPUTE, SIZES_##G) {                                          \
    Check c = BEGIN;                                                                               \
    types(c, type_A, {type_U, type_VT}, {type_S}).that(m >= n, "gesvd needs m >= n");              \
    return rectangle(c, m, n, type_A, lda, compute, SIZE_##G);                                     \
  }                                                                                                \
  DN(GESVD)(HEAD, signed char jobu, signed char jobvt, L m, L n, OUT(A), L lda, OUT(S), OUT(U),    \
            L ldu, OUT(VT), L ldvt, COMPUTE, BUFFERS_##G, int *info) {                             \
    return xgesvd(BEGIN, jobu, jobvt, m, n, type_A, A, lda, type_S, S, type_U, U, ldu, type_VT,    \
                  VT, ldvt, compute, bytes, info);                                                 \
  }
BOTH(X, Xpotrf, Xpotrs, Xgeqrf, Xgetrf, Xgetrs, Xsyevd, Xsyevdx, Xgesvd)
BOTH(, Potrf, Potrs, Geqrf, Getrf, Getrs, Syevd, Syevdx, Gesvd)

DN(CreateParams)(cusolverDnParams_t *params) {
  if (!params)
    return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE, "params is null");
  *params = heddle::library::handles<cusolverDnParams>().add(new cusolverDnParams);
  return CUSOLVER_STATUS_SUCCESS;
}

DN(DestroyParams)(cusolverDnParams_t params) {
  if (!heddle::library::handles<cusolverDnParams>().remove(params))
    return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE, "params was not created, or destroyed");
  delete params;
  return CUSOLVER_STATUS_SUCCESS;
}

DN(SetAdvOptions)(cusolverDnParams_t params, cusolverDnFunction_t function,
                  cusolverAlgMode_t algo) {
  if (!heddle::library::handles<cusolverDnParams>().has(params))
    return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE, "params was not created, or destroyed");
  if (unsigned(function) > CUSOLVERDN_POTRF || unsigned(algo) > CUSOLVER_ALG_2)
    return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE,
                  "there is no such function or algorithm");
  params->algorithms[function] = algo; // there is one algorithm, whatever is asked for
  return CUSOLVER_STATUS_SUCCESS;
}

DN(XsyevBatched_bufferSize)(HEAD, JOB, UPLO, L n, IN(A), L lda, IN(W), COMPUTE, SIZES_X, L batch) {
  return xsyevdSizes(BEGIN.size(batch, "batchSize is negative"), jobz, {}, uplo, n, type_A, lda,
                     type_W, compute, SIZE_X);
}
DN(XsyevBatched)(HEAD, JOB, UPLO, L n, OUT(A), L lda, OUT(W), COMPUTE, BUFFERS_X, int *info,
                 L batch) {
  Check c = BEGIN;
  enough(types(c, type_A, {compute}, {type_W}), type_A, bytes, area(n));
  return dispatch(c, type_A, [=](auto t) {
    using T = decltype(t);
    return eigenBatched(c, jobz, uplo, n, AS(T, A), lda, AS(Real<T>, W), info, batch);
  });
}

DN(Xgeev_bufferSize)(HEAD, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, L n, IN(A), L lda,
                     IN(W), IN(VL), L, IN(VR), L, COMPUTE, SIZES_X) {
  Check c = BEGIN;
  geevTypes(c, jobvl, jobvr, type_A, type_W, type_VL, type_VR, compute);
  return rectangle(c, n, n, type_A, lda, compute, SIZE_X);
}
DN(Xgeev)(HEAD, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, L n, OUT(A), L lda, OUT(W),
          OUT(VL), L ldvl, OUT(VR), L ldvr, COMPUTE, BUFFERS_X, int *info) {
  Check c = BEGIN;
  geevTypes(c, jobvl, jobvr, type_A, type_W, type_VL, type_VR, compute);
  enough(c, type_A, bytes, area(n)).size(n).matrix(A, n, n, lda).array(W, n, "W is null");
  if (jobvl == CUSOLVER_EIG_MODE_VECTOR)
    c.matrix(VL, n, n, ldvl);
  if (jobvr == CUSOLVER_EIG_MODE_VECTOR)
    c.matrix(VR, n, n, ldvr);
  c.pointer(info, NullInfo);
  return dispatch(c, type_A, [=](auto t) {
    using T = decltype(t);
    return c.run(info, [=] {
      return general(letter(jobvl), letter(jobvr), n, AS(T, A), lda, !isReal(type_W), W, AS(T, VL),
                     std::max<L>(ldvl, 1), AS(T, VR), std::max<L>(ldvr, 1));
    });
  });
}

DN(Xgesvdp_bufferSize)(HEAD, JOB, int, L m, L n, IN(A), L lda, IN(S), IN(U), L, IN(V), L, COMPUTE,
                       SIZES_X) {
  Check c = BEGIN.jobz(jobz);
  return rectangle(types(c, type_A, {type_U, type_V}, {type_S}), m, n, type_A, lda, compute,
                   SIZE_X);
}
DN(Xgesvdp)(HEAD, JOB, int econ, L m, L n, OUT(A), L lda, OUT(S), OUT(U), L ldu, OUT(V), L ldv,
            COMPUTE, BUFFERS_X, int *info, double *h_err_sigma) {
  const Check c = BEGIN.jobz(jobz);
  if (h_err_sigma && !c.bad())
    *h_err_sigma = 0; // the matrix is not perturbed, as the polar decomposition may need it
  return TypelessSvd{jobz == CUSOLVER_EIG_MODE_VECTOR,
                     !econ,
                     m,
                     n,
                     std::min(m, n),
                     type_A,
                     A,
                     lda,
                     type_S,
                     S,
                     type_U,
                     U,
                     ldu,
                     type_V,
                     V,
                     ldv,
                     compute}
      .run(c, bytes, info);
}

DN(Xgesvdr_bufferSize)(HEAD, signed char, signed char, L m, L n, L k, L oversampling, L niters,
                       IN(A), L lda, IN(S), IN(U), L, IN(V), L, COMPUTE, SIZES_X) {
  Check c = BEGIN.size(k)
                .size(oversampling)
                .size(niters)
                .that(k + oversampling <= std::min(m, n), "k + p is greater than min(m, n)");
  return rectangle(types(c, type_A, {type_U, type_V}, {type_S}), m, n, type_A, lda, compute,
                   SIZE_X);
}
DN(Xgesvdr)(HEAD, signed char jobu, signed char jobv, L m, L n, L k, L oversampling, L niters,
            OUT(A), L lda, OUT(S), OUT(U), L ldu, OUT(V), L ldv, COMPUTE, BUFFERS_X, int *info) {
  Check c = BEGIN.size(k)
                .size(oversampling)
                .size(niters)
                .that(k + oversampling <= std::min(m, n), "k + p is greater than min(m, n)");
  c.that((jobu == 'S' || jobu == 'N') && (jobv == 'S' || jobv == 'N'), "jobu and jobv are S or N");
  c.that(jobu == jobv, "one of U and V without the other is not supported",
         CUSOLVER_STATUS_NOT_SUPPORTED);
  return TypelessSvd{jobu == 'S', false,  m, n,   k,      type_A, A,   lda,    type_S,
                     S,           type_U, U, ldu, type_V, V,      ldv, compute}
      .run(c, bytes, info);
}

DN(Xlarft_bufferSize)(HEAD, cusolverDirectMode_t, cusolverStorevMode_t, L n, L k, IN(V), L ldv,
                      IN(tau), OUT(T), L ldt, COMPUTE, SIZES_X) {
  Check c = BEGIN.leading(ldt, k);
  return rectangle(types(c, type_V, {type_tau, type_T}), k, n, type_V, ldv, compute, SIZE_X);
}
DN(Xlarft)(HEAD, cusolverDirectMode_t direct, cusolverStorevMode_t storev, L n, L k, IN(V), L ldv,
           IN(tau), OUT(T), L ldt, COMPUTE, BUFFERS_X) {
  Check c = BEGIN.that(unsigned(direct) <= CUBLAS_DIRECT_BACKWARD &&
                           unsigned(storev) <= CUBLAS_STOREV_ROWWISE,
                       "direct or storev is neither of the two");
  enough(types(c, type_V, {type_tau, type_T, compute}), type_V, bytes, area(n));
  return dispatch(c, type_V, [=](auto t) {
    using E = decltype(t);
    return larft(c, direct == CUBLAS_DIRECT_FORWARD ? 'F' : 'B',
                 storev == CUBLAS_STOREV_COLUMNWISE ? 'C' : 'R', n, k, ASC(E, V), ldv, ASC(E, tau),
                 AS(E, T), ldt);
  });
}

DN(Xtrtri_bufferSize)(cusolverDnHandle_t h, UPLO, cublasDiagType_t diag, L n, OUT(A), L lda,
                      SIZES_X) {
  return square(CALL.that(unsigned(diag) <= CUBLAS_DIAG_UNIT, "diag is neither of the two"), uplo,
                n, type_A, lda, type_A, SIZE_X);
}
DN(Xtrtri)(cusolverDnHandle_t h, UPLO, cublasDiagType_t diag, L n, OUT(A), L lda, BUFFERS_X,
           int *info) {
  Check c = CALL;
  enough(c, type_A, bytes, area(n));
  return dispatch(c, type_A,
                  [=](auto t) { return trtri(c, uplo, diag, n, AS(decltype(t), A), lda, info); });
}

DN(Xsytrs_bufferSize)(cusolverDnHandle_t h, UPLO, L n, L nrhs, IN(A), L lda, const L *, OUT(B),
                      L ldb, SIZES_X) {
  Check c = CALL.size(nrhs).leading(ldb, n);
  return square(types(c, type_A, {type_B}), uplo, n, type_A, lda, type_A, SIZE_X);
}
DN(Xsytrs)(cusolverDnHandle_t h, UPLO, L n, L nrhs, IN(A), L lda, const L *ipiv, OUT(B), L ldb,
           BUFFERS_X, int *info) {
  Check c = CALL;
  enough(types(c, type_A, {type_B}), type_A, bytes, area(n));
  return dispatch(c, type_A, [=](auto t) {
    using T = decltype(t);
    return sytrs(c, uplo, n, nrhs, ASC(T, A), lda, ipiv, AS(T, B), ldb, info);
  });
}
