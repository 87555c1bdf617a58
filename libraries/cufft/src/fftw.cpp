// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FFTW3's functions, of each precision by one macro. Flags are hints, and there is no wisdom: a
// plan is the same however long one plans. The input of a transform stays as it is unless it is the
// output, too.
#include "fftw.h"

#include <cstdlib>

using namespace heddle::fftw;

namespace {

template <typename Iodim> std::vector<Dimension> list(int count, const Iodim *dims) {
  std::vector<Dimension> result;
  for (int i = 0; dims && i < count; ++i)
    result.push_back({dims[i].n, dims[i].is, dims[i].os});
  return result;
}

constexpr Side dense = {nullptr, 1, 0};

} // namespace

#define DENSE(KIND, D, SIGN, RANK, SIZES)                                                          \
  return makeMany(__func__, KIND, D, SIGN, RANK, SIZES, 1, dense, dense, in, out)
#define SIZES(...)                                                                                 \
  const int sizes[] = {__VA_ARGS__};                                                               \
  constexpr int rank = int(sizeof(sizes) / sizeof(int))

// The four plans of dense arrays for one kind of transform; SIGNED is the parameter of the
// direction.
#define DENSE_PLANS(P, D, NAME, KIND, IN, OUT, SIGN, ...)                                          \
  P##_plan P##_plan_dft##NAME##_1d(int n, IN *in, OUT *out __VA_ARGS__, unsigned) {                \
    SIZES(n);                                                                                      \
    DENSE(KIND, D, SIGN, rank, sizes);                                                             \
  }                                                                                                \
  P##_plan P##_plan_dft##NAME##_2d(int n0, int n1, IN *in, OUT *out __VA_ARGS__, unsigned) {       \
    SIZES(n0, n1);                                                                                 \
    DENSE(KIND, D, SIGN, rank, sizes);                                                             \
  }                                                                                                \
  P##_plan P##_plan_dft##NAME##_3d(int n0, int n1, int n2, IN *in, OUT *out __VA_ARGS__,           \
                                   unsigned) {                                                     \
    SIZES(n0, n1, n2);                                                                             \
    DENSE(KIND, D, SIGN, rank, sizes);                                                             \
  }                                                                                                \
  P##_plan P##_plan_dft##NAME(int rank, const int *n, IN *in, OUT *out __VA_ARGS__, unsigned) {    \
    DENSE(KIND, D, SIGN, rank, n);                                                                 \
  }                                                                                                \
  P##_plan P##_plan_many_dft##NAME(int rank, const int *n, int batch, IN *in, const int *inembed,  \
                                   int istride, int idist, OUT *out, const int *onembed,           \
                                   int ostride, int odist __VA_ARGS__, unsigned) {                 \
    return makeMany(__func__, KIND, D, SIGN, rank, n, batch, {inembed, istride, idist},            \
                    {onembed, ostride, odist}, in, out);                                           \
  }                                                                                                \
  P##_plan P##_plan_guru_dft##NAME(int rank, const P##_iodim *dims, int batch_rank,                \
                                   const P##_iodim *batch_dims, IN *in, OUT *out __VA_ARGS__,      \
                                   unsigned) {                                                     \
    return make(__func__, KIND, D, SIGN, list(rank, dims), list(batch_rank, batch_dims), in, out); \
  }                                                                                                \
  P##_plan P##_plan_guru64_dft##NAME(int rank, const P##_iodim64 *dims, int batch_rank,            \
                                     const P##_iodim64 *batch_dims, IN *in, OUT *out __VA_ARGS__,  \
                                     unsigned) {                                                   \
    return make(__func__, KIND, D, SIGN, list(rank, dims), list(batch_rank, batch_dims), in, out); \
  }

#define EXECUTIONS(P, D, R, C)                                                                     \
  void P##_execute(const P##_plan plan) { run(__func__, plan, D); }                                \
  void P##_execute_dft(const P##_plan plan, C *idata, C *odata) {                                  \
    run(__func__, plan, Kind::Complex, D, idata, odata);                                           \
  }                                                                                                \
  void P##_execute_dft_r2c(const P##_plan plan, R *idata, C *odata) {                              \
    run(__func__, plan, Kind::RealToComplex, D, idata, odata);                                     \
  }                                                                                                \
  void P##_execute_dft_c2r(const P##_plan plan, C *idata, R *odata) {                              \
    run(__func__, plan, Kind::ComplexToReal, D, idata, odata);                                     \
  }                                                                                                \
  void P##_destroy_plan(P##_plan plan) { destroy(__func__, plan); }

#define UTILITIES(P)                                                                               \
  void *P##_malloc(size_t n) { return std::aligned_alloc(64, (n + 63) / 64 * 64); }                \
  void P##_free(void *pointer) { std::free(pointer); }                                             \
  void P##_cleanup(void) {}                                                                        \
  void P##_set_timelimit(double) {}                                                                \
  double P##_cost(const P##_plan plan) { return operations(plan); }                                \
  void P##_flops(const P##_plan plan, double *add, double *mul, double *fma) {                     \
    const double all = operations(plan);                                                           \
    if (add)                                                                                       \
      *add = all * 0.6;                                                                            \
    if (mul)                                                                                       \
      *mul = all * 0.4;                                                                            \
    if (fma)                                                                                       \
      *fma = 0;                                                                                    \
  }                                                                                                \
  void P##_print_plan(const P##_plan plan) { print(plan, stdout); }                                \
  void P##_fprint_plan(const P##_plan plan, FILE *output_file) { print(plan, output_file); }       \
  int P##_init_threads(void) { return 1; }                                                         \
  void P##_plan_with_nthreads(int) {}                                                              \
  void P##_cleanup_threads(void) {}                                                                \
  int P##_export_wisdom_to_filename(const char *) { return 0; }                                    \
  void P##_export_wisdom_to_file(FILE *) {}                                                        \
  int P##_import_wisdom_from_filename(const char *) { return 0; }                                  \
  int P##_import_wisdom_from_file(FILE *) { return 0; }                                            \
  int P##_import_wisdom_from_string(const char *) { return 0; }                                    \
  int P##_import_system_wisdom(void) { return 0; }                                                 \
  void P##_forget_wisdom(void) {}

#define PRECISION(P, D, R, C)                                                                      \
  DENSE_PLANS(P, D, , Kind::Complex, C, C, sign, , int sign)                                       \
  DENSE_PLANS(P, D, _r2c, Kind::RealToComplex, R, C, FFTW_FORWARD)                                 \
  DENSE_PLANS(P, D, _c2r, Kind::ComplexToReal, C, R, FFTW_BACKWARD)                                \
  EXECUTIONS(P, D, R, C)                                                                           \
  UTILITIES(P)

extern "C" {
PRECISION(fftw, true, double, fftw_complex)
PRECISION(fftwf, false, float, fftwf_complex)
} // extern "C"
