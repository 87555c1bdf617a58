// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a lane of a generator gives at a time, for each kind of numbers: a Draw is called with the
// lane's state and the place for its Outputs numbers, which stand side by side.
#pragma once
#include "generator.h"
#include "poisson.h"

#include <curand_kernel.h>

namespace heddle::curand {

struct RawDraw {
  using Out = unsigned;
  static constexpr int Outputs = 1;
  template <class S> __device__ void operator()(S *State, Out *To) const { *To = ::curand(State); }
};
struct UniformDraw {
  using Out = float;
  static constexpr int Outputs = 1;
  template <class S> __device__ void operator()(S *State, Out *To) const {
    *To = curand_uniform(State);
  }
};
struct UniformDoubleDraw {
  using Out = double;
  static constexpr int Outputs = 1;
  template <class S> __device__ void operator()(S *State, Out *To) const {
    *To = curand_uniform_double(State);
  }
};
struct NormalDraw {
  using Out = float;
  static constexpr int Outputs = 2;
  float Mean, Spread;
  template <class S> __device__ void operator()(S *State, Out *To) const {
    const float2 V = curand_normal2(State);
    To[0] = fmaf(V.x, Spread, Mean);
    To[1] = fmaf(V.y, Spread, Mean);
  }
};
struct NormalDoubleDraw {
  using Out = double;
  static constexpr int Outputs = 2;
  double Mean, Spread;
  template <class S> __device__ void operator()(S *State, Out *To) const {
    const double2 V = curand_normal2_double(State);
    To[0] = fma(V.x, Spread, Mean);
    To[1] = fma(V.y, Spread, Mean);
  }
};
struct LogNormalDraw {
  using Out = float;
  static constexpr int Outputs = 2;
  float Mean, Spread;
  template <class S> __device__ void operator()(S *State, Out *To) const {
    const float2 V = curand_log_normal2(State, Mean, Spread);
    To[0] = V.x;
    To[1] = V.y;
  }
};
struct LogNormalDoubleDraw {
  using Out = double;
  static constexpr int Outputs = 2;
  double Mean, Spread;
  template <class S> __device__ void operator()(S *State, Out *To) const {
    const double2 V = curand_log_normal2_double(State, Mean, Spread);
    To[0] = V.x;
    To[1] = V.y;
  }
};
// Poisson numbers: a table makes one of each word; those of a large mean are rounded normal
// numbers, of which a lane keeps the second one for its next turn.
struct TableDraw {
  using Out = unsigned;
  static constexpr int Outputs = 1;
  curandDiscreteDistribution_st *Table;
  template <class S> __device__ void operator()(S *State, Out *To) const {
    *To = _curand_discrete(::curand(State), Table);
  }
};
struct RoundedDraw {
  using Out = unsigned;
  static constexpr int Outputs = 1;
  double Mean, Spread;
  template <class S> __device__ void operator()(S *State, Out *To) const {
    *To = (unsigned)(fma((double)curand_normal(State), Spread, Mean) + 0.5);
  }
};

struct DevicePoissonDraw {
  using Out = unsigned;
  static constexpr int Outputs = 1;
  double Mean;
  template <class S> __device__ void operator()(S *State, Out *To) const {
    *To = curand_poisson(State, Mean);
  }
};

// Calls F with the Draw that a request asks for.
template <class Function> curandStatus_t withDraw(const Request &Asked, Function &&F) {
  const float Mean = (float)Asked.Mean, Spread = (float)Asked.Spread;
  switch (Asked.What) {
  case Kind::Raw:
    return F(RawDraw{});
  case Kind::Uniform:
    return F(UniformDraw{});
  case Kind::UniformDouble:
    return F(UniformDoubleDraw{});
  case Kind::Normal:
    return F(NormalDraw{Mean, Spread});
  case Kind::NormalDouble:
    return F(NormalDoubleDraw{Asked.Mean, Asked.Spread});
  case Kind::LogNormal:
    return F(LogNormalDraw{Mean, Spread});
  case Kind::LogNormalDouble:
    return F(LogNormalDoubleDraw{Asked.Mean, Asked.Spread});
  case Kind::Poisson:
    if (Asked.Way == PoissonWay::Device)
      return F(DevicePoissonDraw{Asked.Mean});
    if (Asked.Way == PoissonWay::Rounded)
      return F(RoundedDraw{Asked.Mean, Asked.Spread});
    return F(TableDraw{Asked.Table->distribution});
  }
  return CURAND_STATUS_INTERNAL_ERROR;
}

} // namespace heddle::curand
