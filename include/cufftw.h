// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cufftw.h: FFTW3's interface (fftw.org, "FFTW Reference") as cuFFT's library for it has it. The
// functions of each precision are declared by one macro.
#ifndef _CUFFTW_H_
#define _CUFFTW_H_

#include "cufft.h"
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FFTW_FORWARD -1
#define FFTW_INVERSE 1
#define FFTW_BACKWARD 1

#define FFTW_ESTIMATE 0x01
#define FFTW_MEASURE 0x02
#define FFTW_PATIENT 0x03
#define FFTW_EXHAUSTIVE 0x04
#define FFTW_WISDOM_ONLY 0x05
#define FFTW_DESTROY_INPUT 0x08
#define FFTW_PRESERVE_INPUT 0x0C
#define FFTW_UNALIGNED 0x10

#if defined(_Complex_I) && defined(complex) && defined(I)
typedef double _Complex fftw_complex;
typedef float _Complex fftwf_complex;
#else
typedef double fftw_complex[2];
typedef float fftwf_complex[2];
#endif

typedef void *fftw_plan;
typedef void *fftwf_plan;

typedef struct {
  int n;
  int is;
  int os;
} fftw_iodim;
typedef fftw_iodim fftwf_iodim;

typedef struct {
  ptrdiff_t n;
  ptrdiff_t is;
  ptrdiff_t os;
} fftw_iodim64;
typedef fftw_iodim64 fftwf_iodim64;

#define __CUFFTW_PLANS(P, R, C)                                                                    \
  P##_plan CUFFTAPI P##_plan_dft_1d(int n, C *in, C *out, int sign, unsigned flags);               \
  P##_plan CUFFTAPI P##_plan_dft_2d(int n0, int n1, C *in, C *out, int sign, unsigned flags);      \
  P##_plan CUFFTAPI P##_plan_dft_3d(int n0, int n1, int n2, C *in, C *out, int sign,               \
                                    unsigned flags);                                               \
  P##_plan CUFFTAPI P##_plan_dft(int rank, const int *n, C *in, C *out, int sign, unsigned flags); \
  P##_plan CUFFTAPI P##_plan_dft_r2c_1d(int n, R *in, C *out, unsigned flags);                     \
  P##_plan CUFFTAPI P##_plan_dft_r2c_2d(int n0, int n1, R *in, C *out, unsigned flags);            \
  P##_plan CUFFTAPI P##_plan_dft_r2c_3d(int n0, int n1, int n2, R *in, C *out, unsigned flags);    \
  P##_plan CUFFTAPI P##_plan_dft_r2c(int rank, const int *n, R *in, C *out, unsigned flags);       \
  P##_plan CUFFTAPI P##_plan_dft_c2r_1d(int n, C *in, R *out, unsigned flags);                     \
  P##_plan CUFFTAPI P##_plan_dft_c2r_2d(int n0, int n1, C *in, R *out, unsigned flags);            \
  P##_plan CUFFTAPI P##_plan_dft_c2r_3d(int n0, int n1, int n2, C *in, R *out, unsigned flags);    \
  P##_plan CUFFTAPI P##_plan_dft_c2r(int rank, const int *n, C *in, R *out, unsigned flags);       \
  P##_plan CUFFTAPI P##_plan_many_dft(                                                             \
      int rank, const int *n, int batch, C *in, const int *inembed, int istride, int idist,        \
      C *out, const int *onembed, int ostride, int odist, int sign, unsigned flags);               \
  P##_plan CUFFTAPI P##_plan_many_dft_r2c(                                                         \
      int rank, const int *n, int batch, R *in, const int *inembed, int istride, int idist,        \
      C *out, const int *onembed, int ostride, int odist, unsigned flags);                         \
  P##_plan CUFFTAPI P##_plan_many_dft_c2r(                                                         \
      int rank, const int *n, int batch, C *in, const int *inembed, int istride, int idist,        \
      R *out, const int *onembed, int ostride, int odist, unsigned flags);                         \
  P##_plan CUFFTAPI P##_plan_guru_dft(int rank, const P##_iodim *dims, int batch_rank,             \
                                      const P##_iodim *batch_dims, C *in, C *out, int sign,        \
                                      unsigned flags);                                             \
  P##_plan CUFFTAPI P##_plan_guru_dft_r2c(int rank, const P##_iodim *dims, int batch_rank,         \
                                          const P##_iodim *batch_dims, R *in, C *out,              \
                                          unsigned flags);                                         \
  P##_plan CUFFTAPI P##_plan_guru_dft_c2r(int rank, const P##_iodim *dims, int batch_rank,         \
                                          const P##_iodim *batch_dims, C *in, R *out,              \
                                          unsigned flags);                                         \
  P##_plan CUFFTAPI P##_plan_guru64_dft(int rank, const P##_iodim64 *dims, int batch_rank,         \
                                        const P##_iodim64 *batch_dims, C *in, C *out, int sign,    \
                                        unsigned flags);                                           \
  P##_plan CUFFTAPI P##_plan_guru64_dft_r2c(int rank, const P##_iodim64 *dims, int batch_rank,     \
                                            const P##_iodim64 *batch_dims, R *in, C *out,          \
                                            unsigned flags);                                       \
  P##_plan CUFFTAPI P##_plan_guru64_dft_c2r(int rank, const P##_iodim64 *dims, int batch_rank,     \
                                            const P##_iodim64 *batch_dims, C *in, R *out,          \
                                            unsigned flags);

#define __CUFFTW_CALLS(P, R, C)                                                                    \
  void CUFFTAPI P##_execute(const P##_plan plan);                                                  \
  void CUFFTAPI P##_execute_dft(const P##_plan plan, C *idata, C *odata);                          \
  void CUFFTAPI P##_execute_dft_r2c(const P##_plan plan, R *idata, C *odata);                      \
  void CUFFTAPI P##_execute_dft_c2r(const P##_plan plan, C *idata, R *odata);                      \
  void *CUFFTAPI P##_malloc(size_t n);                                                             \
  void CUFFTAPI P##_free(void *pointer);                                                           \
  void CUFFTAPI P##_destroy_plan(P##_plan plan);                                                   \
  void CUFFTAPI P##_cleanup(void);                                                                 \
  void CUFFTAPI P##_set_timelimit(double seconds);                                                 \
  double CUFFTAPI P##_cost(const P##_plan plan);                                                   \
  void CUFFTAPI P##_flops(const P##_plan plan, double *add, double *mul, double *fma);             \
  void CUFFTAPI P##_print_plan(const P##_plan plan);                                               \
  void CUFFTAPI P##_fprint_plan(const P##_plan plan, FILE *output_file);                           \
  int CUFFTAPI P##_init_threads(void);                                                             \
  void CUFFTAPI P##_plan_with_nthreads(int nthreads);                                              \
  void CUFFTAPI P##_cleanup_threads(void);                                                         \
  int CUFFTAPI P##_export_wisdom_to_filename(const char *filename);                                \
  void CUFFTAPI P##_export_wisdom_to_file(FILE *output_file);                                      \
  int CUFFTAPI P##_import_wisdom_from_filename(const char *filename);                              \
  int CUFFTAPI P##_import_wisdom_from_file(FILE *input_file);                                      \
  int CUFFTAPI P##_import_wisdom_from_string(const char *input_string);                            \
  int CUFFTAPI P##_import_system_wisdom(void);                                                     \
  void CUFFTAPI P##_forget_wisdom(void);

__CUFFTW_PLANS(fftw, double, fftw_complex)
__CUFFTW_CALLS(fftw, double, fftw_complex)
__CUFFTW_PLANS(fftwf, float, fftwf_complex)
__CUFFTW_CALLS(fftwf, float, fftwf_complex)
#undef __CUFFTW_PLANS
#undef __CUFFTW_CALLS

#ifdef __cplusplus
}
#endif
#endif
