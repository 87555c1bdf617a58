// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transforms that cuFFT needs, instantiated for one type. DUCC's own fft_inst*.cc have those of
// cosines and Hartley, too, which would take a quarter more of the time to compile.
#include "ducc0/fft/fftnd_impl.h"

#define HEDDLE_FFT_INSTANCES(T)                                                                    \
  namespace ducc0::detail_fft {                                                                    \
  template void c2c(const cfmav<std::complex<T>> &, const vfmav<std::complex<T>> &,                \
                    const shape_t &, bool, T, size_t);                                             \
  template void r2c(const cfmav<T> &, const vfmav<std::complex<T>> &, const shape_t &, bool, T,    \
                    size_t);                                                                       \
  template void c2r(const cfmav<std::complex<T>> &, const vfmav<T> &, const shape_t &, bool, T,    \
                    size_t);                                                                       \
  }
