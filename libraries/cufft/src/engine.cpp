// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine.h"

#include "ducc0/fft/fft.h"
#include "ducc0/infra/threading.h"

#include <algorithm>
#include <complex>
#include <new>
#include <vector>

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

// Rows whose length in bytes is a multiple of this lie at the same places of a cache.
constexpr size_t CriticalBytes = 512;
constexpr size_t CacheBytes = 256 << 10;
// What the copies take of it, if a vector of rows does not take more.
constexpr size_t ApartBytes = 128 << 10;

// Whether the transforms are of short rows, one behind the other, that get in each other's way when
// the engine takes a vector of them at once.
template <typename T> bool collide(const Transform &What) {
  const Dimension &Rows = What.Dims[0], &Row = What.Dims[1];
  return What.What == Kind::Complex && What.Count == 2 && What.Rank == 1 && Row.In == 1 &&
         Row.Out == 1 && Rows.Size > 1 && Rows.In * 2 * sizeof(T) % CriticalBytes == 0 &&
         Row.Size * 2 * sizeof(T) * (64 / sizeof(T)) <= CacheBytes;
}

// Rows are copied to where they lie apart, and transformed there: a multiple of a vector's
// elements, and so many that finding the engine's plan and memory for each call costs little.
template <typename T> void runApart(const Transform &What, const void *In, void *Out) {
  using C = std::complex<T>;
  constexpr size_t Vector = 64 / sizeof(T), Pad = 64 / sizeof(C);
  const Dimension &Rows = What.Dims[0];
  const size_t Size = What.Dims[1].Size, Step = Size + Pad;
  const size_t Group = std::max<size_t>(1, ApartBytes / (Vector * Step * sizeof(C))) * Vector;
  const auto *From = static_cast<const C *>(In);
  auto *To = static_cast<C *>(Out);
  ducc0::execParallel(
      0, (Rows.Size + Group - 1) / Group, Rows.Size * Size < ElementsForThreads ? 1 : 0,
      [&](size_t Begin, size_t End) {
        std::vector<C> Apart(Group * Step);
        for (size_t G = Begin * Group; G < End * Group && G < Rows.Size; G += Group) {
          const size_t Count = std::min(Group, Rows.Size - G);
          for (size_t I = 0; I < Count; ++I)
            std::copy_n(From + ptrdiff_t(G + I) * Rows.In, Size, &Apart[I * Step]);
          const Shape Sizes{Count, Size};
          const Strides Steps{ptrdiff_t(Step), 1};
          ducc0::c2c(ducc0::cfmav<C>(Apart.data(), Sizes, Steps),
                     ducc0::vfmav<C>(Apart.data(), Sizes, Steps), Shape{1}, What.Forward, T(1), 1);
          for (size_t I = 0; I < Count; ++I)
            std::copy_n(&Apart[I * Step], Size, To + ptrdiff_t(G + I) * Rows.Out);
        }
      });
}

template <typename T> void run(const Transform &What, const void *In, void *Out) {
  using C = std::complex<T>;
  if (collide<T>(What))
    return runApart<T>(What, In, Out);
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
