// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generators each of whose words becomes one number, of any kind.
#pragma once
#include "generator.h"
#include "poisson.h"

#include <curand_kernel.h>

namespace heddle::curand {

template <typename Word> struct RawOf {
  using Out = Word;
  __device__ Out operator()(Word x) const { return x; }
};
struct UniformOf {
  using Out = float;
  template <typename Word> __device__ Out operator()(Word x) const { return _curand_uniform(x); }
};
struct UniformDoubleOf {
  using Out = double;
  template <typename Word> __device__ Out operator()(Word x) const {
    return _curand_uniform_double(x);
  }
};
struct NormalOf {
  using Out = float;
  float Mean, Spread;
  template <typename Word> __device__ Out operator()(Word x) const {
    return fmaf(_curand_normal_icdf(x), Spread, Mean);
  }
};
struct NormalDoubleOf {
  using Out = double;
  double Mean, Spread;
  template <typename Word> __device__ Out operator()(Word x) const {
    return fma(_curand_normal_icdf_double(x), Spread, Mean);
  }
};
struct LogNormalOf {
  using Out = float;
  float Mean, Spread;
  template <typename Word> __device__ Out operator()(Word x) const {
    return expf(fmaf(_curand_normal_icdf(x), Spread, Mean));
  }
};
struct LogNormalDoubleOf {
  using Out = double;
  double Mean, Spread;
  template <typename Word> __device__ Out operator()(Word x) const {
    return exp(fma(_curand_normal_icdf_double(x), Spread, Mean));
  }
};

struct TableOf {
  using Out = unsigned;
  curandDiscreteDistribution_st *Table;
  template <typename Word> __device__ Out operator()(Word x) const {
    return _curand_discrete(x, Table);
  }
};
struct RoundedOf {
  using Out = unsigned;
  double Mean, Spread;
  template <typename Word> __device__ Out operator()(Word x) const {
    return (unsigned)(fma((double)_curand_normal_icdf(x), Spread, Mean) + 0.5);
  }
};
// The inverse of the distribution function, by bisection.
struct InverseOf {
  using Out = unsigned;
  const double *Sums;
  unsigned First, Length;
  template <typename Word> __device__ Out operator()(Word x) const {
    const double U = _curand_uniform_double(x);
    unsigned Low = 0, High = Length - 1;
    while (Low < High) {
      const unsigned Middle = (Low + High) / 2;
      if (Sums[Middle] < U)
        Low = Middle + 1;
      else
        High = Middle;
    }
    return First + Low;
  }
};

struct DevicePoissonOf {
  using Out = unsigned;
  double Mean;
  template <typename Word> __device__ Out operator()(Word x) const {
    return _curand_poisson(x, Mean);
  }
};

// Calls F with the rule that a request asks for.
template <typename Word, class Function>
curandStatus_t withRule(const Request &Asked, Function &&F) {
  const float Mean = (float)Asked.Mean, Spread = (float)Asked.Spread;
  switch (Asked.What) {
  case Kind::Raw:
    return F(RawOf<Word>{});
  case Kind::Uniform:
    return F(UniformOf{});
  case Kind::UniformDouble:
    return F(UniformDoubleOf{});
  case Kind::Normal:
    return F(NormalOf{Mean, Spread});
  case Kind::NormalDouble:
    return F(NormalDoubleOf{Asked.Mean, Asked.Spread});
  case Kind::LogNormal:
    return F(LogNormalOf{Mean, Spread});
  case Kind::LogNormalDouble:
    return F(LogNormalDoubleOf{Asked.Mean, Asked.Spread});
  case Kind::Poisson:
    if (Asked.Way == PoissonWay::Rounded)
      return F(RoundedOf{Asked.Mean, Asked.Spread});
    if (Asked.Way == PoissonWay::Device)
      return F(DevicePoissonOf{Asked.Mean});
    if (Asked.Way == PoissonWay::Inverse)
      return F(InverseOf{Asked.Table->sums, Asked.Table->first, Asked.Table->length});
    return F(TableOf{Asked.Table->distribution});
  }
  return CURAND_STATUS_INTERNAL_ERROR;
}

} // namespace heddle::curand
