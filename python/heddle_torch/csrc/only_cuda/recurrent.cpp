// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrent networks: cuDNN's by ATen's own, whose gradients come from running them once more with
// autograd, and the fused cells by their formulas.
#include "kernels.h"

#include "../device.h"
#include "../random/random.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <torch/csrc/autograd/autograd.h>

namespace heddle::aten {
namespace {

using at::IntArrayRef;
using at::Tensor;
using MaybeTensor = std::optional<Tensor>;

enum Mode : int64_t { Relu = 0, Tanh = 1, Lstm = 2, Gru = 3 }; // cudnnRNNMode_t

struct Network {
  std::vector<Tensor> Weights;
  int64_t PerLayer, Mode, Layers;
  bool BatchFirst, Train, Bidirectional;
  double Dropout;
  std::vector<int64_t> BatchSizes;

  std::tuple<Tensor, Tensor, Tensor> run(const Tensor &Input, const Tensor &Hx,
                                         const Tensor &Cx) const;
  // By which dropout draws: kept in what the forward pass reserves.
  uint64_t Seed = 0;
};

// ATen's recurrent networks draw their dropout from the CPU's default generator.
class Seeded {
public:
  explicit Seeded(uint64_t Seed) : Source(at::detail::getDefaultCPUGenerator()) {
    const std::lock_guard Lock(Source.mutex());
    Before = Source.get_state();
    Source.set_current_seed(Seed);
  }
  ~Seeded() {
    const std::lock_guard Lock(Source.mutex());
    Source.set_state(Before);
  }

private:
  at::Generator Source;
  Tensor Before;
};

std::tuple<Tensor, Tensor, Tensor> Network::run(const Tensor &Input, const Tensor &Hx,
                                                const Tensor &Cx) const {
  std::optional<Seeded> Drawn;
  if (Train && Dropout > 0)
    Drawn.emplace(Seed);
  const bool Biases = PerLayer >= 4;
  const auto Plain = [&](auto Packed, auto Padded) -> std::tuple<Tensor, Tensor, Tensor> {
    if (!BatchSizes.empty()) {
      auto [Out, Hy] = Packed(Input, at::tensor(BatchSizes, at::kLong), Hx, Weights, Biases, Layers,
                              Dropout, Train, Bidirectional);
      return {Out, Hy, Tensor()};
    }
    auto [Out, Hy] =
        Padded(Input, Hx, Weights, Biases, Layers, Dropout, Train, Bidirectional, BatchFirst);
    return {Out, Hy, Tensor()};
  };
  using PackedFn =
      std::tuple<Tensor, Tensor> (*)(const Tensor &, const Tensor &, const Tensor &, at::TensorList,
                                     bool, int64_t, double, bool, bool);
  using PaddedFn = std::tuple<Tensor, Tensor> (*)(const Tensor &, const Tensor &, at::TensorList,
                                                  bool, int64_t, double, bool, bool, bool);
  switch (Mode) {
  case Relu:
    return Plain(static_cast<PackedFn>(at::rnn_relu), static_cast<PaddedFn>(at::rnn_relu));
  case Tanh:
    return Plain(static_cast<PackedFn>(at::rnn_tanh), static_cast<PaddedFn>(at::rnn_tanh));
  case Gru:
    return Plain(static_cast<PackedFn>(at::gru), static_cast<PaddedFn>(at::gru));
  default:
    if (!BatchSizes.empty())
      return at::lstm(Input, at::tensor(BatchSizes, at::kLong), {Hx, Cx}, Weights, Biases, Layers,
                      Dropout, Train, Bidirectional);
    return at::lstm(Input, {Hx, Cx}, Weights, Biases, Layers, Dropout, Train, Bidirectional,
                    BatchFirst);
  }
}

// cuDNN's networks get no batch-first tensors from PyTorch, which transposes them, unless packed.
std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor>
cudnnRnn(const Tensor &Input, at::TensorList Weights, int64_t PerLayer, const MaybeTensor &Buffer,
         const Tensor &Hx, const MaybeTensor &Cx, int64_t Mode, int64_t, int64_t, int64_t Layers,
         bool BatchFirst, double Dropout, bool Train, bool Bidirectional, IntArrayRef BatchSizes,
         const MaybeTensor &) {
  Network N{Weights.vec(), PerLayer,      Mode,    Layers,          BatchFirst,
            Train,         Bidirectional, Dropout, BatchSizes.vec()};
  if (Train && Dropout > 0)
    N.Seed = Draw(std::nullopt, currentDevice(), 4).offset() * 2654435761u + 1;
  auto [Out, Hy, Cy] = N.run(Input, Hx, Cx.value_or(Tensor()));
  if (!Cy.defined())
    Cy = at::empty({0}, Input.options());
  const Tensor Reserve = at::empty({1}, Input.options().dtype(at::kLong));
  Reserve.fill_(int64_t(N.Seed));
  return {Out, Hy, Cy, Reserve,
          Buffer && Buffer->defined() ? *Buffer : at::empty({0}, Input.options())};
}

std::tuple<Tensor, Tensor, Tensor, std::vector<Tensor>>
cudnnRnnBackward(const Tensor &Input, at::TensorList Weights, int64_t PerLayer, const Tensor &,
                 const Tensor &Hx, const MaybeTensor &Cx, const Tensor &,
                 const MaybeTensor &GradOut, const MaybeTensor &GradHy, const MaybeTensor &GradCy,
                 int64_t Mode, int64_t, int64_t, int64_t Layers, bool BatchFirst, double Dropout,
                 bool Train, bool Bidirectional, IntArrayRef BatchSizes, const MaybeTensor &,
                 const Tensor &Reserve, std::array<bool, 4>) {
  // Here no autograd is active; it is needed for the second run.
  c10::impl::ForceDispatchKeyGuard Keys(c10::default_included_set, c10::default_excluded_set);
  at::AutoGradMode Record(true);
  const auto Leaf = [](const Tensor &T) { return T.detach().requires_grad_(); };
  std::vector<Tensor> Inputs{Leaf(Input), Leaf(Hx)};
  const bool HasCell = Mode == Lstm;
  if (HasCell)
    Inputs.push_back(Leaf(*Cx));
  const size_t First = Inputs.size();
  for (const Tensor &W : Weights)
    Inputs.push_back(Leaf(W));
  Network N{{Inputs.begin() + First, Inputs.end()},
            PerLayer,
            Mode,
            Layers,
            BatchFirst,
            Train,
            Bidirectional,
            Dropout,
            BatchSizes.vec(),
            uint64_t(Reserve.item<int64_t>())};
  auto [Out, Hy, Cy] = N.run(Inputs[0], Inputs[1], HasCell ? Inputs[2] : Tensor());
  std::vector<Tensor> Outputs, Grads;
  const auto Add = [&](const Tensor &Output, const MaybeTensor &Grad) {
    if (Grad && Grad->defined()) {
      Outputs.push_back(Output);
      Grads.push_back(*Grad);
    }
  };
  Add(Out, GradOut);
  Add(Hy, GradHy);
  if (HasCell)
    Add(Cy, GradCy);
  std::vector<Tensor> Found = torch::autograd::grad(Outputs, Inputs, Grads, /*retain=*/false,
                                                    /*create=*/false, /*allow_unused=*/true);
  for (size_t I = 0; I < Found.size(); ++I)
    if (!Found[I].defined())
      Found[I] = at::zeros_like(Inputs[I]);
  return {Found[0], Found[1], HasCell ? Found[2] : Tensor(),
          std::vector<Tensor>(Found.begin() + First, Found.end())};
}

// A copy in one piece: the networks here take the weights one by one.
Tensor flattenWeight(at::TensorList Weights, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                     bool, bool) {
  std::vector<Tensor> Flat;
  for (const Tensor &W : Weights)
    Flat.push_back(W.reshape(-1));
  return at::cat(Flat);
}

Tensor gates(const Tensor &Input, const Tensor &Hidden, const MaybeTensor &InputBias,
             const MaybeTensor &HiddenBias) {
  Tensor Sum = Input + Hidden;
  if (InputBias && InputBias->defined())
    Sum = Sum + *InputBias + *HiddenBias;
  return Sum;
}

std::tuple<Tensor, Tensor, Tensor> lstmCell(const Tensor &Input, const Tensor &Hidden,
                                            const Tensor &Cx, const MaybeTensor &InputBias,
                                            const MaybeTensor &HiddenBias) {
  const auto G = gates(Input, Hidden, InputBias, HiddenBias).chunk(4, 1);
  const Tensor I = G[0].sigmoid(), F = G[1].sigmoid(), C = G[2].tanh(), O = G[3].sigmoid();
  const Tensor Cy = F * Cx + I * C;
  return {O * Cy.tanh(), Cy, at::cat({I, F, C, O}, 1)};
}

std::tuple<Tensor, Tensor, Tensor> lstmCellBackward(const MaybeTensor &GradHy,
                                                    const MaybeTensor &GradCy, const Tensor &Cx,
                                                    const Tensor &Cy, const Tensor &Workspace,
                                                    bool HasBias) {
  const auto G = Workspace.chunk(4, 1);
  const Tensor &I = G[0], &F = G[1], &C = G[2], &O = G[3];
  const Tensor T = Cy.tanh();
  const Tensor Hy = GradHy && GradHy->defined() ? *GradHy : at::zeros_like(Cy);
  Tensor Cell = Hy * O * (1 - T.square());
  if (GradCy && GradCy->defined())
    Cell = Cell + *GradCy;
  const Tensor Gates = at::cat({Cell * C * I * (1 - I), Cell * Cx * F * (1 - F),
                                Cell * I * (1 - C.square()), Hy * T * O * (1 - O)},
                               1);
  return {Gates, Cell * F, HasBias ? Gates.sum(0) : Tensor()};
}

std::tuple<Tensor, Tensor> gruCell(const Tensor &Input, const Tensor &Hidden, const Tensor &Hx,
                                   const MaybeTensor &InputBias, const MaybeTensor &HiddenBias) {
  const bool Biased = InputBias && InputBias->defined();
  const auto X = (Biased ? Input + *InputBias : Input).chunk(3, 1);
  const auto H = (Biased ? Hidden + *HiddenBias : Hidden).chunk(3, 1);
  const Tensor R = (X[0] + H[0]).sigmoid(), Z = (X[1] + H[1]).sigmoid();
  const Tensor N = (X[2] + R * H[2]).tanh();
  return {N + Z * (Hx - N), at::cat({R, Z, N, Hx, H[2]}, 1)};
}

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor>
gruCellBackward(const Tensor &GradHy, const Tensor &Workspace, bool HasBias) {
  const auto W = Workspace.chunk(5, 1);
  const Tensor &R = W[0], &Z = W[1], &N = W[2], &Hx = W[3], &Hn = W[4];
  const Tensor New = GradHy * (1 - Z) * (1 - N.square());
  const Tensor Update = GradHy * (Hx - N) * (1 - Z) * Z, Reset = New * Hn * (1 - R) * R;
  const Tensor Input = at::cat({Reset, Update, New}, 1);
  const Tensor Hidden = at::cat({Reset, Update, New * R}, 1);
  return {Input, Hidden, GradHy * Z, HasBias ? Input.sum(0) : Tensor(),
          HasBias ? Hidden.sum(0) : Tensor()};
}

} // namespace

OnlyCudaKernels recurrentKernels() {
  return {
      {"aten::_cudnn_rnn", onlyCuda<&cudnnRnn>()},
      {"aten::_cudnn_rnn_backward", onlyCuda<&cudnnRnnBackward>()},
      {"aten::_cudnn_rnn_flatten_weight", onlyCuda<&flattenWeight>()},
      {"aten::_thnn_fused_lstm_cell", onlyCuda<&lstmCell>()},
      {"aten::_thnn_fused_lstm_cell_backward_impl", onlyCuda<&lstmCellBackward>()},
      {"aten::_thnn_fused_gru_cell", onlyCuda<&gruCell>()},
      {"aten::_thnn_fused_gru_cell_backward", onlyCuda<&gruCellBackward>()},
  };
}

} // namespace heddle::aten
