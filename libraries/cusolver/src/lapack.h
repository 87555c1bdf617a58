// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LAPACK and BLAS as OpenBLAS exports them, Fortran's way: every argument by address, and the
// lengths of character arguments behind all others. `Lapack<T>::NAME` is the function of a type,
// `lapack(function, arguments…)` calls it with plain values and returns `info`.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

namespace heddle::cusolver {

using Routine = void (*)();

// Functions of four types by one name, and functions of real and of complex types by two.
// clang-format off
#define HEDDLE_LAPACK_ALL(X) \
  X(gebrd) X(gels) X(geqrf) X(gesdd) X(gesvd) X(geev) X(getrf) X(getrs) \
  X(lacpy) X(larft) X(laswp) X(lauum) X(potrf) X(potri) X(potrs) X(sytrf) \
  X(sytri) X(sytrs) X(trtri) X(gemm) X(trsm)
#define HEDDLE_LAPACK_PAIRS(X) \
  X(orgqr, ungqr) X(ormqr, unmqr) X(orgbr, ungbr) X(orgtr, ungtr) X(ormtr, unmtr) \
  X(sytrd, hetrd) X(syevd, heevd) X(sygvd, hegvd)
// clang-format on

extern "C" {
#define X(name) void s##name##_(), d##name##_(), c##name##_(), z##name##_();
HEDDLE_LAPACK_ALL(X)
#undef X
#define X(real, complex) void s##real##_(), d##real##_(), c##complex##_(), z##complex##_();
HEDDLE_LAPACK_PAIRS(X)
#undef X
}

template <typename T> struct Lapack;
#define HEDDLE_LAPACK_OF(T, p, which)                                                              \
  template <> struct Lapack<T> {                                                                   \
    HEDDLE_LAPACK_ALL(HEDDLE_LAPACK_##p)                                                           \
    HEDDLE_LAPACK_PAIRS(HEDDLE_LAPACK_##p##_##which)                                               \
  };
#define HEDDLE_LAPACK_s(name) static constexpr Routine name = s##name##_;
#define HEDDLE_LAPACK_d(name) static constexpr Routine name = d##name##_;
#define HEDDLE_LAPACK_c(name) static constexpr Routine name = c##name##_;
#define HEDDLE_LAPACK_z(name) static constexpr Routine name = z##name##_;
#define HEDDLE_LAPACK_s_real(real, complex) static constexpr Routine real = s##real##_;
#define HEDDLE_LAPACK_d_real(real, complex) static constexpr Routine real = d##real##_;
#define HEDDLE_LAPACK_c_complex(real, complex) static constexpr Routine real = c##complex##_;
#define HEDDLE_LAPACK_z_complex(real, complex) static constexpr Routine real = z##complex##_;
HEDDLE_LAPACK_OF(float, s, real)
HEDDLE_LAPACK_OF(double, d, real)
HEDDLE_LAPACK_OF(std::complex<float>, c, complex)
HEDDLE_LAPACK_OF(std::complex<double>, z, complex)

template <typename T> struct RealOf {
  using type = T;
};
template <typename T> struct RealOf<std::complex<T>> {
  using type = T;
};
template <typename T> using Real = typename RealOf<T>::type;
template <typename T> constexpr bool is_complex = !std::is_same_v<T, Real<T>>;

inline float conjugate(float value) { return value; }
inline double conjugate(double value) { return value; }
template <typename T> std::complex<T> conjugate(std::complex<T> value) { return std::conj(value); }

/// An argument as Fortran takes it. Sizes have been checked to fit an int.
template <typename A> auto fortranValue(A value) {
  if constexpr (std::is_integral_v<A> && !std::is_same_v<A, char>)
    return int(value);
  else
    return value;
}
template <typename A> const void *address(const A &value) {
  if constexpr (std::is_pointer_v<A>)
    return value;
  else
    return &value;
}
template <typename> using AnyPointer = const void *;
template <typename> using Length = size_t;

template <typename... A, size_t... L>
void callFortran(Routine routine, std::index_sequence<L...>, const A &...arguments) {
  using Function = void (*)(AnyPointer<A>..., Length<std::integral_constant<size_t, L>>...);
  reinterpret_cast<Function>(routine)(address(arguments)..., (void(L), size_t(1))...);
}

/// Calls a routine that has no `info`.
template <typename... A> void blas(Routine routine, A... arguments) {
  callFortran(routine, std::make_index_sequence<(size_t(std::is_same_v<A, char>) + ... + 0)>(),
              fortranValue(arguments)...);
}
/// Calls a routine whose last argument is `info`, and returns that.
template <typename... A> int lapack(Routine routine, A... arguments) {
  int info = 0;
  blas(routine, arguments..., &info);
  return info;
}

/// Calls `function(work, lwork)` first to ask how much work area is best, then with that much.
template <typename T, typename F> int withWork(F function) {
  T best{};
  if (const int info = function(&best, -1))
    return info;
  const auto count = size_t(double(std::real(best)) * (1 + 1e-6)) + 1; // a float may be rounded
  std::vector<T> work(count);
  return function(work.data(), int(count));
}

/// The letter for (conjugate) transposition: real matrices have only T.
template <typename T> constexpr char adjoint() { return is_complex<T> ? 'C' : 'T'; }

} // namespace heddle::cusolver
