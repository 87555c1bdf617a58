// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "samples.h"

#include "grid.h"
#include "poisson.h"

#include <ATen/ATen.h>
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/ExpandUtils.h>
#include <ATen/native/Distributions.h>
#include <ATen/ops/multinomial_native.h>

#include <numeric>

namespace heddle::aten {
namespace {

using at::Tensor;
using torch::jit::Stack;

const c10::IValue &argument(const c10::OperatorHandle &Op, const Stack &S, size_t I) {
  return S[S.size() - Op.schema().arguments().size() + I];
}

// Runs `Compute(arguments)`, a tensor from CPU tensors, in the place of the CPU's kernel.
template <typename Fn>
void onHostArguments(const c10::OperatorHandle &Op, Stack *S, const Fn &Compute) {
  onHost(Op, S, [Compute, Count = Op.schema().arguments().size()](Stack *S) {
    const std::vector<c10::IValue> Arguments(S->end() - Count, S->end());
    S->erase(S->end() - Count, S->end());
    S->emplace_back(Compute(Arguments));
  });
}

// The same with Compute(arguments, numbers): a thread's next `Increment` random numbers, drawn from the
// generator for the device of the first argument.
template <typename Fn>
void drawn(const c10::OperatorHandle &Op, Stack *S, uint64_t Increment, const Fn &Compute) {
  const c10::DeviceIndex Device = argument(Op, *S, 0).toTensor().get_device();
  const Draw From(takeGenerator(Op, S), Device, Increment);
  onHostArguments(Op, S, [=](const std::vector<c10::IValue> &Arguments) {
    return Compute(Arguments, From);
  });
}

template <typename Fn> void forEachElement(int64_t Count, const Fn &Each) {
  at::parallel_for(0, Count, 1024, [&](int64_t Begin, int64_t End) {
    for (int64_t I = Begin; I < End; ++I)
      Each(I);
  });
}

// The order of dimensions in which CUDA_tensor_apply2 counts the elements of two tensors: the one
// with longer strides in both comes first.
std::vector<int64_t> orderOf(const Tensor &A, const Tensor &B) {
  std::vector<int64_t> Order(A.dim());
  std::iota(Order.begin(), Order.end(), 0);
  for (size_t I = 0; I + 1 < Order.size(); ++I)
    for (size_t J = I + 1; J < Order.size(); ++J) {
      const int64_t X = Order[I], Y = Order[J];
      if (A.size(X) == 1 || A.size(Y) == 1)
        continue;
      const bool Longer = A.stride(X) < A.stride(Y) || B.stride(X) < B.stride(Y);
      const bool Shorter = A.stride(X) > A.stride(Y) || B.stride(X) > B.stride(Y);
      if (Longer && !Shorter)
        std::swap(Order[I], Order[J]);
    }
  return Order;
}

// (self, p, generator): a thread's four numbers go to four elements side by side.
void bernoulli(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  drawn(Op, S, 10, [](const std::vector<c10::IValue> &Arguments, const Draw &From) {
    const Tensor Self = Arguments[0].toTensor();
    const auto Expanded = at::expand_inplace(Self, Arguments[1].toTensor());
    const auto Order = orderOf(Self, *Expanded);
    Tensor P = Expanded->permute(Order).contiguous();
    if (P.scalar_type() != at::kDouble)
      P = P.to(at::kFloat);
    TORCH_CHECK(P.numel() == 0 || P.ge(0).logical_and_(P.le(1)).all().item<bool>(),
                "Expected p_in >= 0 && p_in <= 1 to be true, but got false.");
    const Tensor Drawn = at::empty(P.sizes(), P.options().dtype(at::kFloat));
    float *const R = Drawn.data_ptr<float>();
    forEachElement((P.numel() + 3) / 4, [&](int64_t Thread) {
      const Words W = philox(From.seed(), uint64_t(Thread), From.offset());
      for (int64_t K = 0; K < std::min<int64_t>(4, P.numel() - Thread * 4); ++K)
        R[Thread * 4 + K] = uniformFloat(W[K]);
    });
    Self.permute(Order).copy_(Drawn.le(P));
    return Self;
  });
}

// A tensor like `In` with Sample(thread, element), computed by a GPU thread for each.
template <typename Fn> Tensor sampled(const Tensor &In, const Draw &From, const Fn &Sample) {
  const Tensor Contiguous = In.contiguous(), Out = at::empty_like(Contiguous);
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, In.scalar_type(), "sampled", [&] {
    const scalar_t *const X = Contiguous.const_data_ptr<scalar_t>();
    scalar_t *const Y = Out.data_ptr<scalar_t>();
    forEachElement(In.numel(), [&](int64_t I) {
      PhiloxThread Thread(From.seed(), uint64_t(I), From.offset());
      Y[I] = Sample(Thread, X[I]);
    });
  });
  return Out;
}

template <typename Fn>
void elementwise(const c10::OperatorHandle &Op, Stack *S, uint64_t Increment, const Fn &Compute) {
  drawn(Op, S, Increment, [=](const std::vector<c10::IValue> &Arguments, const Draw &From) {
    return Compute(Arguments[0].toTensor(), From);
  });
}

void poisson(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  elementwise(Op, S, 20, [](const Tensor &Means, const Draw &From) {
    TORCH_CHECK(Means.numel() == 0 || Means.ge(0).all().item<bool>(),
                "invalid Poisson rate, expected rate to be non-negative");
    return sampled(Means, From, [](PhiloxThread &Thread, auto Mean) {
      return decltype(Mean)(poissonNumber(Thread, double(Mean)));
    });
  });
}

Tensor gammas(const Tensor &Alpha, const Draw &From) {
  return sampled(Alpha, From, [](PhiloxThread &Thread, auto A) {
    using Value = decltype(A);
    using Math = at::acc_type<Value, /*is_cuda=*/true>;
    auto Uniform = [&Thread] { return Thread.uniform(); };
    auto Normal = [&Thread] { return Thread.normal(); };
    BaseSampler<Math, decltype(Uniform)> Uniforms(Uniform);
    BaseSampler<Math, decltype(Normal)> Normals(Normal);
    const Value Sample =
        sample_gamma<Value, Math, decltype(Uniform), decltype(Normal)>(A, Uniforms, Normals);
    return std::max(std::numeric_limits<Value>::min(), Sample);
  });
}

void standardGamma(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  elementwise(Op, S, 10, gammas);
}

void dirichlet(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  elementwise(Op, S, 10, [](const Tensor &Alpha, const Draw &From) {
    const Tensor Gammas = gammas(Alpha, From);
    Tensor Out = Gammas / Gammas.sum(-1, /*keepdim=*/true);
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, Out.scalar_type(), "dirichlet", [&] {
      using Limits = std::numeric_limits<scalar_t>;
      Out.clamp_(double(Limits::min()), 1 - double(Limits::epsilon()));
    });
    return Out;
  });
}

// (count, prob, generator): blocks of 128 threads, and each thread takes eight elements that lie a
// block apart.
void binomial(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  constexpr int64_t Threads = 128, Each = 8;
  drawn(Op, S, 42, [](const std::vector<c10::IValue> &Arguments, const Draw &From) {
    const auto Both = at::expand_outplace(Arguments[0].toTensor(), Arguments[1].toTensor());
    const Tensor Count = std::get<0>(Both)->contiguous(), P = std::get<1>(Both)->contiguous();
    TORCH_CHECK(Count.scalar_type() == P.scalar_type(), "Found dtype ", P.scalar_type(),
                " but expected ", Count.scalar_type());
    const Tensor Out = at::empty_like(Count);
    const int64_t Elements = Count.numel(),
                  Blocks = (Elements + Threads * Each - 1) / (Threads * Each);
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, Out.scalar_type(), "binomial", [&] {
      using Math = at::acc_type<scalar_t, /*is_cuda=*/true>;
      const scalar_t *const N = Count.const_data_ptr<scalar_t>(), *const Q =
                                                                      P.const_data_ptr<scalar_t>();
      scalar_t *const Y = Out.data_ptr<scalar_t>();
      forEachElement(Blocks * Threads, [&](int64_t T) {
        PhiloxThread Thread(From.seed(), uint64_t(T), From.offset());
        // Not cuRAND's numbers, but [0, 1) of the lowest bits.
        auto Uniform = [&Thread] { return float(Thread.word() & 0xFFFFFF) * 0x1p-24f; };
        BaseSampler<Math, decltype(Uniform)> Uniforms(Uniform);
        for (int64_t K = 0; K < Each; ++K)
          if (const int64_t I = T / Threads * Threads * Each + K * Threads + T % Threads;
              I < Elements)
            Y[I] = sample_binomial<scalar_t, Math, decltype(Uniform)>(N[I], Q[I], Uniforms);
      });
    });
    return Out;
  });
}

// Where a number of (0, 1] falls among the sums of probabilities.
template <typename T> int64_t bucketOf(const T *Sums, const T *P, int64_t Count, T X) {
  int64_t Found = std::min<int64_t>(std::lower_bound(Sums, Sums + Count, X) - Sums, Count - 1);
  while (Found >= 1 && P[Found] == 0)
    --Found;
  return Found;
}

// A thread takes one sample, from each row of the grid.
Tensor withReplacement(const Tensor &Weights, int64_t Samples, const Draw &From) {
  const Tensor Rows = Weights.dim() == 1 ? Weights.unsqueeze(0) : Weights;
  const Tensor P = (Rows / Rows.sum(1, /*keepdim=*/true)).contiguous(),
               Sums = P.cumsum(1).to(P.scalar_type());
  const int64_t Count = P.size(0), Categories = P.size(1), RowThreads = (Samples + 127) / 128 * 128;
  constexpr int64_t MostRows = 65535;
  const Tensor Out = at::empty({Count, Samples}, Weights.options().dtype(at::kLong));
  int64_t *const Y = Out.data_ptr<int64_t>();
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, P.scalar_type(), "multinomial", [&] {
    forEachElement(Count * Samples, [&](int64_t I) {
      const int64_t Row = I / Samples, Sample = I % Samples;
      const uint64_t Thread = uint64_t(Row % MostRows * RowThreads + Sample);
      const Words W = philox(From.seed(), Thread, From.offset() + uint64_t(Row / MostRows) * 4);
      Y[I] = bucketOf(Sums.const_data_ptr<scalar_t>() + Row * Categories,
                      P.const_data_ptr<scalar_t>() + Row * Categories, Categories,
                      scalar_t(uniformFloat(W[0])));
    });
  });
  return Weights.dim() == 1 ? Out.squeeze(0) : Out;
}

void checkWeights(const Tensor &Weights) {
  const Tensor Sums =
      Weights.sum(-1, false, Weights.scalar_type() == at::kDouble ? at::kDouble : at::kFloat);
  TORCH_CHECK(Weights.ge(0).all().item<bool>() && Sums.isfinite().all().item<bool>(),
              "probability tensor contains either `inf`, `nan` or element < 0");
  TORCH_CHECK(Sums.gt(0).all().item<bool>(),
              "invalid multinomial distribution (sum of probabilities <= 0)");
}

// (self, samples, replacement, generator, out)
void multinomial(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *S) {
  const size_t Count = Op.schema().arguments().size();
  const Tensor Weights = argument(Op, *S, 0).toTensor();
  const int64_t Samples = argument(Op, *S, 1).toInt();
  const bool Replacement = argument(Op, *S, 2).toBool();
  auto Source = argument(Op, *S, 3).toOptional<at::Generator>();
  Tensor Result;
  // Checks, and what needs no kernel of its own: the greatest of weights over exponential numbers.
  if (!Replacement || Samples <= 1 || Weights.dim() < 1 || Weights.dim() > 2 ||
      Weights.numel() == 0 || !Weights.is_floating_point()) {
    Result = Count == 5
                 ? at::native::multinomial_out(Weights, Samples, Replacement, Source,
                                               const_cast<Tensor &>(argument(Op, *S, 4).toTensor()))
                 : at::native::multinomial(Weights, Samples, Replacement, Source);
    S->erase(S->end() - Count, S->end());
    S->emplace_back(Result);
    return;
  }
  const int64_t Rows = Weights.dim() == 1 ? 1 : Weights.size(0);
  const Draw From(takeGenerator(Op, S), Weights.get_device(), uint64_t((Rows - 1) / 65535 + 1) * 4);
  onHostArguments(Op, S, [=](const std::vector<c10::IValue> &Arguments) {
    const Tensor In = Arguments[0].toTensor();
    checkWeights(In);
    const Tensor Drawn = withReplacement(In, Samples, From);
    if (Count == 4)
      return Drawn;
    Tensor Out = Arguments[4].toTensor();
    Out.resize_(Drawn.sizes());
    return Out.copy_(Drawn);
  });
}

// How many bits keys need so that most permutations have no two that are equal.
int keyBits(int64_t N) {
  const double Threshold = std::log(0.9) * 12, X = double(N);
  return std::min(64, int(std::ceil(std::log2(X - (6 * X * X + 1) / Threshold))));
}

// Random keys of 64 bits: two of a thread's four words each.
std::vector<uint64_t> keys(const Grid &G, const Draw &From) {
  std::vector<uint64_t> Found(G.Elements);
  fill(Found.data(), G, From, [](const Words &W) {
    return std::array<uint64_t, 2>{uint64_t(W[0]) << 32 | W[1], uint64_t(W[2]) << 32 | W[3]};
  });
  return Found;
}

// Elements with equal keys are exchanged by the thread of the first.
void shuffleEqual(std::vector<int64_t> &Order, const std::vector<uint64_t> &Keys,
                  const Draw &From) {
  for (size_t First = 0, Next; First < Order.size(); First = Next) {
    for (Next = First + 1; Next < Order.size() && Keys[Order[Next]] == Keys[Order[First]];)
      ++Next;
    if (Next - First == 1)
      continue;
    PhiloxThread Thread(From.seed(), First, From.offset());
    for (size_t I = Next - First - 1; I > 0; --I)
      std::swap(Order[First + I], Order[First + Thread.word() % (I + 1)]);
  }
}

// (n, generator, out): numbers in the order of random keys.
void randperm(const c10::OperatorHandle &Op, c10::DispatchKeySet Keys, Stack *S) {
  const int64_t N = argument(Op, *S, 0).toInt();
  const c10::DeviceIndex Device = argument(Op, *S, 2).toTensor().get_device();
  if (N <= 0)
    return fallback(Op, Keys, S);
  const std::optional<at::Generator> Source = takeGenerator(Op, S);
  const int Bits = keyBits(N);
  const Grid G(N, 2, Device);
  const Draw ForKeys(Source, Device, G.Increment), ForEqual(Source, Device, uint64_t(N));
  onHostArguments(Op, S, [=](const std::vector<c10::IValue> &Arguments) {
    std::vector<uint64_t> Keys = keys(G, ForKeys);
    // As random_ makes integers of 32 or 64 bits between the least and the greatest one.
    for (uint64_t &K : Keys)
      K = Bits <= 32 ? uint32_t(K % UINT32_MAX + 0x80000000u) : K % UINT64_MAX + (1ull << 63);
    if (Bits < 64)
      for (uint64_t &K : Keys)
        K = (Bits == 32 ? K ^ 0x80000000u : K) & ((1ull << Bits) - 1);
    std::vector<int64_t> Order(N);
    std::iota(Order.begin(), Order.end(), 0);
    std::stable_sort(Order.begin(), Order.end(),
                     [&](int64_t A, int64_t B) { return Keys[A] < Keys[B]; });
    shuffleEqual(Order, Keys, ForEqual);
    Tensor Out = Arguments[2].toTensor();
    Out.resize_({N});
    return Out.copy_(at::from_blob(Order.data(), {N}, at::kLong));
  });
}

} // namespace

Boxed sampler(const std::string &Name) {
  static const std::unordered_map<std::string, Boxed> Kernels = {
      {"aten::bernoulli_.Tensor", bernoulli},
      {"aten::poisson", poisson},
      {"aten::_standard_gamma", standardGamma},
      {"aten::_sample_dirichlet", dirichlet},
      {"aten::binomial", binomial},
      {"aten::multinomial", multinomial},
      {"aten::multinomial.out", multinomial},
      {"aten::randperm.generator_out", randperm},
  };
  const auto Found = Kernels.find(Name);
  return Found == Kernels.end() ? nullptr : Found->second;
}

} // namespace heddle::aten
