// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batch normalisation by cuDNN and over several processes (SyncBatchNorm), and the gradient of
// RMSNorm. Sums are taken in float, or in double for doubles.
#include "kernels.h"

#include <ATen/ATen.h>

namespace heddle::aten {
namespace {

using at::Tensor;
using MaybeTensor = std::optional<Tensor>;

at::ScalarType sumsOf(const Tensor &T) {
  return T.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

Tensor given(const MaybeTensor &T) { return T.value_or(Tensor()); }

// Every dimension but the channels', which is the second.
std::vector<int64_t> otherDimensions(const Tensor &T) {
  std::vector<int64_t> Found{0};
  for (int64_t D = 2; D < T.dim(); ++D)
    Found.push_back(D);
  return Found;
}

// A value for each channel, in the shape that multiplies `Like`.
Tensor byChannel(const Tensor &Values, const Tensor &Like) {
  std::vector<int64_t> Shape(Like.dim(), 1);
  Shape[1] = -1;
  return Values.reshape(Shape);
}

std::tuple<Tensor, Tensor, Tensor, Tensor>
cudnnBatchNorm(const Tensor &Input, const Tensor &Weight, const MaybeTensor &Bias,
               const MaybeTensor &Mean, const MaybeTensor &Variance, bool Training, double Momentum,
               double Epsilon) {
  auto [Out, SaveMean, SaveInvstd] =
      at::native_batch_norm(Input, Weight, Bias, Mean, Variance, Training, Momentum, Epsilon);
  return {Out, SaveMean, SaveInvstd, at::empty({0}, Input.options().dtype(at::kByte))};
}

std::tuple<Tensor, Tensor, Tensor>
cudnnBatchNormBackward(const Tensor &Input, const Tensor &Grad, const Tensor &Weight,
                       const MaybeTensor &Mean, const MaybeTensor &Variance,
                       const MaybeTensor &SaveMean, const MaybeTensor &SaveInvstd, double Epsilon,
                       const Tensor &) {
  return at::native_batch_norm_backward(Grad, Input, Weight, Mean, Variance, SaveMean, SaveInvstd,
                                        /*train=*/true, Epsilon, {true, true, true});
}

std::tuple<Tensor, Tensor> stats(const Tensor &Input, double Epsilon) {
  const Tensor X = Input.to(sumsOf(Input));
  auto [Variance, Mean] = at::var_mean(X, otherDimensions(X), /*unbiased=*/false);
  return {Mean, (Variance + Epsilon).rsqrt()};
}

Tensor elemt(const Tensor &Input, const MaybeTensor &Weight, const MaybeTensor &Bias,
             const Tensor &Mean, const Tensor &Invstd, double) {
  Tensor Out = (Input.to(sumsOf(Input)) - byChannel(Mean, Input)) * byChannel(Invstd, Input);
  if (given(Weight).defined())
    Out = Out * byChannel(*Weight, Input);
  if (given(Bias).defined())
    Out = Out + byChannel(*Bias, Input);
  return Out.to(Input.scalar_type());
}

Tensor &elemtOut(const Tensor &Input, const MaybeTensor &Weight, const MaybeTensor &Bias,
                 const Tensor &Mean, const Tensor &Invstd, double Epsilon, Tensor &Out) {
  Out.resize_(Input.sizes());
  return Out.copy_(elemt(Input, Weight, Bias, Mean, Invstd, Epsilon));
}

std::tuple<Tensor, Tensor> gatherWithCounts(const Tensor &, const Tensor &Means,
                                            const Tensor &Invstds, const MaybeTensor &RunningMean,
                                            const MaybeTensor &RunningVariance, double Momentum,
                                            double Epsilon, const Tensor &Counts) {
  const Tensor N = Counts.to(Means.scalar_type()).reshape({-1, 1});
  const Tensor Total = N.sum();
  const Tensor Mean = (Means * N).sum(0) / Total;
  const Tensor Variances = Invstds.square().reciprocal() - Epsilon;
  const Tensor Variance = ((Variances + (Means - Mean).square()) * N).sum(0) / Total;
  if (given(RunningMean).defined())
    RunningMean->mul_(1 - Momentum).add_(Mean, Momentum);
  if (given(RunningVariance).defined())
    RunningVariance->mul_(1 - Momentum).add_(Variance * Total / (Total - 1), Momentum);
  return {Mean, (Variance + Epsilon).rsqrt()};
}

std::tuple<Tensor, Tensor> gather(const Tensor &Input, const Tensor &Means, const Tensor &Invstds,
                                  const MaybeTensor &RunningMean,
                                  const MaybeTensor &RunningVariance, double Momentum,
                                  double Epsilon, int64_t Count) {
  return gatherWithCounts(Input, Means, Invstds, RunningMean, RunningVariance, Momentum, Epsilon,
                          at::full({Means.size(0)}, Count, Means.options()));
}

std::tuple<Tensor, Tensor, Tensor, Tensor> backwardReduce(const Tensor &Grad, const Tensor &Input,
                                                          const Tensor &Mean, const Tensor &Invstd,
                                                          const MaybeTensor &Weight, bool InputGrad,
                                                          bool WeightGrad, bool BiasGrad) {
  const Tensor G = Grad.to(sumsOf(Input));
  const Tensor Sum = G.sum(otherDimensions(G));
  const Tensor SumTimes =
      (G * (Input.to(sumsOf(Input)) - byChannel(Mean, Input))).sum(otherDimensions(G));
  const at::ScalarType Type = given(Weight).defined() ? Weight->scalar_type() : Mean.scalar_type();
  return {InputGrad ? Sum : Tensor(), InputGrad ? SumTimes : Tensor(),
          WeightGrad ? (SumTimes * Invstd).to(Type) : Tensor(), BiasGrad ? Sum.to(Type) : Tensor()};
}

Tensor backwardElemt(const Tensor &Grad, const Tensor &Input, const Tensor &Mean,
                     const Tensor &Invstd, const MaybeTensor &Weight, const Tensor &Sum,
                     const Tensor &SumTimes, const Tensor &Counts) {
  const Tensor N = Counts.sum().to(sumsOf(Input));
  const Tensor X = Input.to(sumsOf(Input)) - byChannel(Mean, Input);
  Tensor Scale = Invstd;
  if (given(Weight).defined())
    Scale = Scale * *Weight;
  const Tensor Out = (Grad.to(sumsOf(Input)) - byChannel(Sum / N, Input) -
                      X * byChannel(Invstd.square() * SumTimes / N, Input)) *
                     byChannel(Scale, Input);
  return Out.to(Input.scalar_type());
}

std::tuple<Tensor, Tensor> rmsNormBackward(const Tensor &Grad, const Tensor &Input,
                                           at::IntArrayRef Shape, const Tensor &Rstd,
                                           const MaybeTensor &Weight, std::array<bool, 2> Wanted) {
  const at::ScalarType Sums = sumsOf(Input);
  const Tensor G = Grad.to(Sums), Xhat = Input.to(Sums) * Rstd;
  std::vector<int64_t> Normal, Others;
  for (int64_t D = 0; D < Input.dim(); ++D)
    (D < Input.dim() - int64_t(Shape.size()) ? Others : Normal).push_back(D);
  Tensor InputGrad, WeightGrad;
  if (Wanted[0]) {
    const Tensor Scaled = given(Weight).defined() ? G * Weight->to(Sums) : G;
    InputGrad = ((Scaled - Xhat * (Xhat * Scaled).mean(Normal, /*keepdim=*/true)) * Rstd)
                    .to(Input.scalar_type());
  }
  if (Wanted[1] && given(Weight).defined()) {
    const Tensor Product = G * Xhat;
    WeightGrad = (Others.empty() ? Product : Product.sum(Others)).to(Weight->scalar_type());
  }
  return {InputGrad, WeightGrad};
}

} // namespace

OnlyCudaKernels normalizationKernels() {
  return {
      {"aten::cudnn_batch_norm", onlyCuda<&cudnnBatchNorm>()},
      {"aten::cudnn_batch_norm_backward", onlyCuda<&cudnnBatchNormBackward>()},
      {"aten::batch_norm_stats", onlyCuda<&stats>()},
      {"aten::batch_norm_elemt", onlyCuda<&elemt>()},
      {"aten::batch_norm_elemt.out", onlyCuda<&elemtOut>()},
      {"aten::batch_norm_gather_stats", onlyCuda<&gather>()},
      {"aten::batch_norm_gather_stats_with_counts", onlyCuda<&gatherWithCounts>()},
      {"aten::batch_norm_backward_reduce", onlyCuda<&backwardReduce>()},
      {"aten::batch_norm_backward_elemt", onlyCuda<&backwardElemt>()},
      {"aten::_fused_rms_norm_backward", onlyCuda<&rmsNormBackward>()},
  };
}

} // namespace heddle::aten
