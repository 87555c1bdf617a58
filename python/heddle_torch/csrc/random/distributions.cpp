// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "distributions.h"

#include "../arguments.h"
#include "../device.h"
#include "../fallback.h"
#include "grid.h"
#include "samples.h"

#include <ATen/Dispatch.h>
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/view_as_real.h>

#include <algorithm>
#include <limits>

namespace heddle::aten {
namespace {

using at::Tensor;
using c10::IValue;
using torch::jit::Stack;

// Uniform numbers in (0, 1] of the type that `T` is computed in, through `Value`.
template <typename T, typename Fn>
void fillUniform(const Tensor &Out, const Draw &From, const Grid &G, const Fn &Value) {
  if constexpr (std::is_same_v<T, double>)
    fill(Out.data_ptr<T>(), G, From, [&](const Words &W) {
      return std::array<double, 2>{Value(uniformDouble(W[0], W[1])),
                                   Value(uniformDouble(W[2], W[3]))};
    });
  else
    fill(Out.data_ptr<T>(), G, From, [&](const Words &W) {
      std::array<float, 4> V;
      for (int K = 0; K < 4; ++K)
        V[K] = float(Value(uniformFloat(W[K])));
      return V;
    });
}

template <typename T, typename Fn>
void fillNormal(const Tensor &Out, const Draw &From, const Grid &G, const Fn &Value) {
  if constexpr (std::is_same_v<T, double>)
    fill(Out.data_ptr<T>(), G, From, [&](const Words &W) {
      const auto N = normalDoubles(W);
      return std::array<double, 2>{Value(N[0]), Value(N[1])};
    });
  else
    fill(Out.data_ptr<T>(), G, From, [&](const Words &W) {
      auto V = normalFloats(W);
      for (float &X : V)
        X = float(Value(X));
      return V;
    });
}

// Runs `Fill(contiguous tensor, draw, grid)` for an operation whose first argument is written.
// `Wide`: a thread makes two elements of its four words.
template <typename Fn>
void inPlace(const c10::OperatorHandle &Op, Stack *Stack, bool Wide, const Fn &Fill) {
  const auto &Formal = Op.schema().arguments();
  const size_t First = Stack->size() - Formal.size();
  const Tensor Out = (*Stack)[First].toTensor();
  const std::optional<at::Generator> Source = takeGenerator(Op, Stack);
  const c10::DeviceIndex Device = Out.get_device();
  // The parts of a complex number are two elements.
  const Grid G(Out.is_complex() ? 2 * Out.numel() : Out.numel(), Wide ? 2 : 4, Device);
  const Draw From(Source, Device, G.Increment);
  onHost(Op, Stack, [Fill, From, G, Count = Formal.size()](torch::jit::Stack *S) {
    const Tensor Host = (*S)[S->size() - Count].toTensor();
    const Tensor Contiguous = Host.is_contiguous() ? Host : at::empty(Host.sizes(), Host.options());
    if (G.Elements > 0)
      Fill(Contiguous.is_complex() ? at::view_as_real(Contiguous) : Contiguous, From, G);
    if (!Contiguous.is_same(Host))
      Host.copy_(Contiguous);
    S->erase(S->end() - Count, S->end());
    S->emplace_back(Host);
  });
}

const Tensor &tensorOf(const c10::OperatorHandle &Op, const Stack &S) {
  return S[S.size() - Op.schema().arguments().size()].toTensor();
}
const IValue &argument(const c10::OperatorHandle &Op, const Stack &S, size_t I) {
  return S[S.size() - Op.schema().arguments().size() + I];
}
bool isDouble(const Tensor &T) { return c10::toRealValueType(T.scalar_type()) == at::kDouble; }

void uniform(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  const double From = argument(Op, *S, 1).toDouble(), To = argument(Op, *S, 2).toDouble();
  TORCH_CHECK(From <= To, "uniform_ expects to return a [from, to) range, but found from=", From,
              " > to=", To);
  inPlace(Op, S, isDouble(tensorOf(Op, *S)), [=](const Tensor &Out, const Draw &D, const Grid &G) {
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, Out.scalar_type(), "uniform_", [&] {
      using Math = at::opmath_type<scalar_t>;
      const scalar_t Low = scalar_t(From), High = scalar_t(To);
      const Math Range = Math(High) - Math(Low);
      // From (0, 1] to [0, 1).
      fillUniform<scalar_t>(Out, D, G, [=](Math X) {
        const scalar_t V = scalar_t(X * Range + Math(Low));
        return Math(V == High ? Low : V);
      });
    });
  });
}

void normal(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  const double Mean = argument(Op, *S, 1).toDouble();
  double Deviation = argument(Op, *S, 2).toDouble();
  TORCH_CHECK(Deviation >= 0, "normal expects std >= 0.0, but found std ", Deviation);
  if (tensorOf(Op, *S).is_complex()) // half of the variance is each part's
    Deviation /= std::sqrt(2);
  inPlace(Op, S, isDouble(tensorOf(Op, *S)), [=](const Tensor &Out, const Draw &D, const Grid &G) {
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, Out.scalar_type(), "normal_", [&] {
      using Math = at::opmath_type<scalar_t>;
      fillNormal<scalar_t>(Out, D, G, [=](Math X) { return X * Math(Deviation) + Math(Mean); });
    });
  });
}

void logNormal(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  const double Mean = argument(Op, *S, 1).toDouble(), Deviation = argument(Op, *S, 2).toDouble();
  TORCH_CHECK(Deviation > 0, "log_normal_ expects std > 0.0, but found std=", Deviation);
  inPlace(Op, S, isDouble(tensorOf(Op, *S)), [=](const Tensor &Out, const Draw &D, const Grid &G) {
    AT_DISPATCH_FLOATING_TYPES_AND2(
        at::kHalf, at::kBFloat16, Out.scalar_type(), "log_normal_", [&] {
          using Math = at::opmath_type<scalar_t>;
          fillNormal<scalar_t>(Out, D, G,
                               [=](Math X) { return std::exp(X * Math(Deviation) + Math(Mean)); });
        });
  });
}

void exponential(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  const double Lambda = argument(Op, *S, 1).toDouble();
  TORCH_CHECK(Lambda > 0, "exponential_ expects lambda > 0.0, but found lambda=", Lambda);
  inPlace(Op, S, isDouble(tensorOf(Op, *S)), [=](const Tensor &Out, const Draw &D, const Grid &G) {
    AT_DISPATCH_FLOATING_TYPES_AND2(
        at::kHalf, at::kBFloat16, Out.scalar_type(), "exponential_", [&] {
          using Math = at::opmath_type<scalar_t>;
          constexpr Math Half = std::numeric_limits<Math>::epsilon() / 2;
          fillUniform<scalar_t>(Out, D, G, [=](Math X) {
            const Math Log = X >= 1 - Half ? -Half : std::log(X); // never zero
            return Math(-1 / Lambda) * Log;
          });
        });
  });
}

void cauchy(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  const double Median = argument(Op, *S, 1).toDouble(), Sigma = argument(Op, *S, 2).toDouble();
  TORCH_CHECK(Sigma > 0, "cauchy_ expects sigma > 0.0, but found sigma=", Sigma);
  inPlace(Op, S, isDouble(tensorOf(Op, *S)), [=](const Tensor &Out, const Draw &D, const Grid &G) {
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, Out.scalar_type(), "cauchy_", [&] {
      using Math = at::opmath_type<scalar_t>;
      constexpr Math Eps = std::numeric_limits<Math>::epsilon();
      fillUniform<scalar_t>(Out, D, G, [=](Math X) {
        X = std::clamp(X, Eps, 1 - Eps);
        return Math(Median) + Math(Sigma) * std::tan(Math(M_PI) * (X - Math(0.5)));
      });
    });
  });
}

void geometric(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  const double P = argument(Op, *S, 1).toDouble();
  TORCH_CHECK(0 < P && P < 1, "geometric_ expects p to be in (0, 1), but got p=", P);
  inPlace(Op, S, isDouble(tensorOf(Op, *S)), [=](const Tensor &Out, const Draw &D, const Grid &G) {
    AT_DISPATCH_ALL_TYPES_AND2(at::kHalf, at::kBFloat16, Out.scalar_type(), "geometric_", [&] {
      fillUniform<scalar_t>(
          Out, D, G, [=](auto X) { return std::ceil(std::log(X) / std::log(decltype(X)(1 - P))); });
    });
  });
}

void bernoulli(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  const double P = argument(Op, *S, 1).toDouble();
  TORCH_CHECK(0 <= P && P <= 1, "bernoulli_ expects p to be in [0, 1], but got p=", P);
  inPlace(Op, S, isDouble(tensorOf(Op, *S)), [=](const Tensor &Out, const Draw &D, const Grid &G) {
    AT_DISPATCH_ALL_TYPES_AND3(
        at::kBool, at::kHalf, at::kBFloat16, Out.scalar_type(), "bernoulli_", [&] {
          fillUniform<scalar_t>(Out, D, G, [=](auto X) { return decltype(X)(X < decltype(X)(P)); });
        });
  });
}

// Integers: `Value` of one word, or, `Wide`, of two.
template <typename Fn>
void integers(const Tensor &Out, const Draw &D, const Grid &G, bool Wide, const Fn &Value) {
  AT_DISPATCH_V2(Out.scalar_type(), "random_", AT_WRAP([&] {
                   if (Wide)
                     fill(Out.data_ptr<scalar_t>(), G, D, [&](const Words &W) {
                       return std::array<scalar_t, 2>{scalar_t(Value(uint64_t(W[0]) << 32 | W[1])),
                                                      scalar_t(Value(uint64_t(W[2]) << 32 | W[3]))};
                     });
                   else
                     fill(Out.data_ptr<scalar_t>(), G, D, [&](const Words &W) {
                       std::array<scalar_t, 4> V;
                       for (int K = 0; K < 4; ++K)
                         V[K] = scalar_t(Value(W[K]));
                       return V;
                     });
                 }),
                 AT_EXPAND(AT_ALL_TYPES), at::kBool, at::kHalf, at::kBFloat16,
                 AT_EXPAND(AT_BAREBONES_UNSIGNED_TYPES));
}

void between(const c10::OperatorHandle &Op, Stack *S, int64_t Base, uint64_t Range) {
  // From 2^28 on, a remainder of 32 bits would be too uneven.
  const bool Wide = Range >= 1ull << 28;
  inPlace(Op, S, Wide, [=](const Tensor &Out, const Draw &D, const Grid &G) {
    integers(Out, D, G, Wide, [=](uint64_t X) { return int64_t(X % Range + uint64_t(Base)); });
  });
}

// The greatest number up to which all integers are of the type, plus one; of 64 bits, 0.
uint64_t integersOf(at::ScalarType Type) {
  switch (Type) {
  case at::kHalf:
    return (1ull << 11) + 1;
  case at::kBFloat16:
    return (1ull << 8) + 1;
  case at::kFloat:
    return (1ull << 24) + 1;
  case at::kDouble:
    return (1ull << 53) + 1;
  case at::kBool:
    return 2;
  case at::kByte:
    return 1ull << 8;
  case at::kChar:
    return 1ull << 7;
  case at::kShort:
    return 1ull << 15;
  case at::kUInt16:
    return 1ull << 16;
  case at::kInt:
    return 1ull << 31;
  case at::kUInt32:
    return 1ull << 32;
  case at::kUInt64:
    return 0;
  default:
    return 1ull << 63;
  }
}

void randomTo(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  const int64_t To = argument(Op, *S, 1).toInt();
  TORCH_CHECK(To > 0, "random_ expects 'from' to be less than 'to', but got from=0 >= to=", To);
  between(Op, S, 0, uint64_t(To));
}

void randomFrom(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  const int64_t From = argument(Op, *S, 1).toInt();
  const IValue &To = argument(Op, *S, 2);
  if (!To.isNone()) {
    TORCH_CHECK(From < To.toInt(),
                "random_ expects 'from' to be less than 'to', but got from=", From,
                " >= to=", To.toInt());
    return between(Op, S, From, uint64_t(To.toInt()) - uint64_t(From));
  }
  const at::ScalarType Type = tensorOf(Op, *S).scalar_type();
  if (Type == at::kLong && From == std::numeric_limits<int64_t>::min()) // all 64 bits
    return inPlace(Op, S, true, [=](const Tensor &Out, const Draw &D, const Grid &G) {
      integers(Out, D, G, true, [](uint64_t X) { return int64_t(X); });
    });
  between(Op, S, From, integersOf(Type) - uint64_t(From));
}

void random(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  const at::ScalarType Type = tensorOf(Op, *S).scalar_type();
  const bool Wide = Type == at::kDouble || Type == at::kLong || Type == at::kUInt64;
  const uint64_t Range = integersOf(Type);
  inPlace(Op, S, Wide, [=](const Tensor &Out, const Draw &D, const Grid &G) {
    integers(Out, D, G, Wide, [=](uint64_t X) { return Range ? X % Range : X; });
  });
}

// Of how many elements at once the kernel of dropout takes: four, two or one.
int64_t vectorOf(const Tensor &T) {
  int64_t Vector = 4;
  while (Vector > 1 &&
         (!T.is_contiguous() || T.numel() % Vector != 0 ||
          reinterpret_cast<uintptr_t>(T.data_ptr()) % (Vector * T.element_size()) != 0))
    Vector /= 2;
  return Vector;
}

// In vectors, a thread's numbers go to elements that lie side by side.
template <typename Fn>
void forEachOfVectors(const Grid &G, int64_t Vector, const Draw &From, const Fn &Each) {
  const uint64_t Seed = From.seed(), Offset = From.offset();
  const int64_t Vectors = G.Elements / Vector;
  at::parallel_for(0, Vectors, 4096, [&](int64_t Begin, int64_t End) {
    for (int64_t V = Begin; V < End; ++V) {
      const uint64_t Round = uint64_t(V / G.Threads), Thread = uint64_t(V % G.Threads);
      // Two rounds of vectors of two share four numbers.
      const Words W = philox(Seed, Thread, Offset + (Vector == 4 ? Round : Round / 2) * 4);
      for (int64_t K = 0; K < Vector; ++K)
        Each(V * Vector + K, uniformFloat(W[Vector == 4 ? K : K + (Round % 2) * 2]));
    }
  });
}

void dropout(const c10::OperatorHandle &Op, c10::DispatchKeySet Keys, Stack *S) {
  const Tensor In = tensorOf(Op, *S);
  const double P = argument(Op, *S, 1).toDouble();
  const IValue &Train = argument(Op, *S, 2);
  if (In.numel() == 0 || P == 0 || P == 1 || (Train.isBool() && !Train.toBool()) || !In.is_cuda() ||
      !at::isFloatingType(In.scalar_type()))
    return fallback(Op, Keys, S);
  const Grid G(In.numel(), 4, In.get_device());
  const Draw From(std::nullopt, In.get_device(), G.Increment);
  const int64_t Vector = vectorOf(In);
  onHost(Op, S, [=](Stack *S) {
    const Tensor Host = (*S)[S->size() - 3].toTensor().contiguous();
    const Tensor Out = at::empty_like(Host),
                 Mask = at::empty(Host.sizes(), Host.options().dtype(at::kBool));
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, Host.scalar_type(), "dropout", [&] {
      using Math = at::opmath_type<scalar_t>;
      const Math Keep = Math(1 - P), Scale = Math(1) / Keep;
      const scalar_t *const X = Host.const_data_ptr<scalar_t>();
      scalar_t *const Y = Out.data_ptr<scalar_t>();
      bool *const M = Mask.data_ptr<bool>();
      const auto Each = [&](int64_t I, float R) {
        M[I] = R < Keep;
        Y[I] = scalar_t(Math(X[I]) * Math(M[I]) * Scale);
      };
      if (Vector > 1)
        forEachOfVectors(G, Vector, From, Each);
      else
        G.forEach(From, [&](const Words &W, int64_t First) {
          for (int64_t K = 0; K < 4; ++K)
            if (const int64_t I = First + K * G.Threads; I < G.Elements)
              Each(I, uniformFloat(W[K]));
        });
    });
    S->erase(S->end() - 3, S->end());
    S->emplace_back(Out);
    S->emplace_back(Mask);
  });
}

} // namespace

Boxed distribution(const std::string &Name) {
  static const std::unordered_map<std::string, Boxed> Kernels = {
      {"aten::uniform_", uniform},
      {"aten::normal_", normal},
      {"aten::log_normal_", logNormal},
      {"aten::exponential_", exponential},
      {"aten::cauchy_", cauchy},
      {"aten::geometric_", geometric},
      {"aten::bernoulli_.float", bernoulli},
      {"aten::random_", random},
      {"aten::random_.to", randomTo},
      {"aten::random_.from", randomFrom},
      {"aten::native_dropout", dropout},
  };
  const auto Found = Kernels.find(Name);
  return Found == Kernels.end() ? sampler(Name) : Found->second;
}

} // namespace heddle::aten
