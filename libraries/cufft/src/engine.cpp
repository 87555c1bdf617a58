// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine.h"

#include "ducc0/fft/fft.h"

#include <complex>
#include <new>

namespace heddle::fft {
namespace {

using Shape = ducc0::fmav_info::shape_t;
using Strides = ducc0::fmav_info::stride_t;

// Below this many elements, waking another thread costs more than it saves.
constexpr size_t ElementsForThreads = 1 << 14;

struct Arrays {
  Shape Real, Complex, Axes;
  Strides In, Out;
  size_t Threads;
};

Arrays describe(const Transform &What) {
  Arrays Result;
  size_t Elements = 1;
  for (int I = 0; I < What.Count; ++I) {
    const Dimension &D = What.Dims[I];
    Result.Real.push_back(D.Size);
    Result.In.push_back(D.In);
    Result.Out.push_back(D.Out);
    if (I >= What.Count - What.Rank)
      Result.Axes.push_back(I);
    Elements *= D.Size;
  }
  Result.Complex = Result.Real;
  Result.Complex.back() = Result.Real.back() / 2 + 1;
  // 0: as many as the machine has.
  Result.Threads = Elements < ElementsForThreads ? 1 : 0;
  return Result;
}

template <typename T> void run(const Transform &What, const void *In, void *Out) {
  using C = std::complex<T>;
  const Arrays A = describe(What);
  switch (What.What) {
  case Kind::Complex:
    ducc0::c2c(ducc0::cfmav<C>(static_cast<const C *>(In), A.Real, A.In),
               ducc0::vfmav<C>(static_cast<C *>(Out), A.Real, A.Out), A.Axes, What.Forward, T(1),
               A.Threads);
    break;
  case Kind::RealToComplex:
    ducc0::r2c(ducc0::cfmav<T>(static_cast<const T *>(In), A.Real, A.In),
               ducc0::vfmav<C>(static_cast<C *>(Out), A.Complex, A.Out), A.Axes, What.Forward, T(1),
               A.Threads);
    break;
  case Kind::ComplexToReal:
    ducc0::c2r(ducc0::cfmav<C>(static_cast<const C *>(In), A.Complex, A.In),
               ducc0::vfmav<T>(static_cast<T *>(Out), A.Real, A.Out), A.Axes, What.Forward, T(1),
               A.Threads);
    break;
  }
}

} // namespace
} // namespace heddle::fft

bool heddleFftRun(const heddle::fft::Transform &What, const void *In, void *Out) try {
  if (What.Double)
    heddle::fft::run<double>(What, In, Out);
  else
    heddle::fft::run<float>(What, In, Out);
  return true;
} catch (const std::bad_alloc &) {
  return false;
}
