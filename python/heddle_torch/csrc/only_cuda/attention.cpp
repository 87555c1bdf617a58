// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scaled dot product attention: the operations behind PyTorch's flash, memory-efficient and cuDNN
// attention. Without dropout, bias and window it is ATen's flash attention for the CPU; otherwise
// the scores are computed as a matrix.
#include "kernels.h"

#include "../device.h"
#include "../random/random.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ExpandUtils.h>

#include <cmath>

namespace heddle::aten {
namespace {

using at::Tensor;
using MaybeTensor = std::optional<Tensor>;

// One attention of [batch, heads, rows, size] tensors.
struct Attention {
  Tensor Query, Key, Value;
  Tensor Bias; // added to the scores, if defined
  double Dropout = 0;
  bool Causal = false, CausalFromEnd = false;
  int64_t Left = -1, Right = -1; // a window around the diagonal, if not negative
  std::optional<double> Scale;
  uint64_t Seed = 0;
  Tensor QueryStarts, KeyStarts; // where sequences begin that are packed into one batch

  double scale() const { return Scale.value_or(1 / std::sqrt(double(Query.size(3)))); }
  Tensor mask() const;
  Tensor scores() const;
  Tensor kept() const;
  Attention expanded() const;
  std::tuple<Tensor, Tensor> forward() const;
  std::tuple<Tensor, Tensor, Tensor, Tensor> backward(const Tensor &Grad, const Tensor &Out,
                                                      const Tensor &Lse) const;
};

at::ScalarType sumsOf(const Tensor &T) {
  return T.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

// Which sequence each row is of.
Tensor sequenceOf(const Tensor &Starts, int64_t Rows) {
  return at::searchsorted(Starts.to(at::kLong), at::arange(Rows, at::kLong), false, /*right=*/true);
}

// Row by column, true where a query sees a key.
Tensor Attention::mask() const {
  const int64_t Rows = Query.size(2), Columns = Key.size(2);
  Tensor Row = at::arange(Rows, at::kLong), Column = at::arange(Columns, at::kLong);
  Tensor Seen = at::ones({Rows, Columns}, at::kBool);
  Tensor Shift = at::zeros({1}, at::kLong);
  const bool FromEnd = CausalFromEnd || Left >= 0 || Right >= 0;
  if (QueryStarts.defined()) {
    const Tensor Q = sequenceOf(QueryStarts, Rows), K = sequenceOf(KeyStarts, Columns);
    Seen = Q.unsqueeze(1).eq(K.unsqueeze(0));
    const Tensor QFrom = QueryStarts.to(at::kLong), KFrom = KeyStarts.to(at::kLong);
    Row = Row - QFrom.index({Q - 1});
    Column = Column - KFrom.index({K - 1});
    if (FromEnd)
      Shift = (KFrom.index({Q}) - KFrom.index({Q - 1})) - (QFrom.index({Q}) - QFrom.index({Q - 1}));
  } else if (FromEnd) {
    Shift = Shift + (Columns - Rows);
  }
  const Tensor Ahead = Column.unsqueeze(0) - (Row + Shift).unsqueeze(1);
  if (Causal)
    Seen = Seen.logical_and(Ahead.le(0));
  if (Left >= 0)
    Seen = Seen.logical_and(Ahead.ge(-Left));
  if (Right >= 0)
    Seen = Seen.logical_and(Ahead.le(Right));
  return Seen;
}

Tensor Attention::scores() const {
  Tensor S = at::matmul(Query.to(sumsOf(Query)), Key.to(sumsOf(Query)).transpose(2, 3)) * scale();
  if (Bias.defined())
    S = S + Bias.to(S.scalar_type());
  if (Causal || Left >= 0 || Right >= 0 || QueryStarts.defined())
    S = S.masked_fill(mask().logical_not(), -std::numeric_limits<double>::infinity());
  return S;
}

// What dropout leaves, and by how much it is scaled.
Tensor Attention::kept() const {
  at::Generator Source = at::make_generator<at::CPUGeneratorImpl>(Seed);
  return at::empty({Query.size(0), Query.size(1), Query.size(2), Key.size(2)},
                   Query.options().dtype(sumsOf(Query)))
      .bernoulli_(1 - Dropout, Source)
      .div_(1 - Dropout);
}

// With as many heads of keys and values as of queries (grouped queries).
Attention Attention::expanded() const {
  Attention A = *this;
  if (Key.size(1) != Query.size(1))
    A.Key = Key.repeat_interleave(Query.size(1) / Key.size(1), 1);
  if (Value.size(1) != Query.size(1))
    A.Value = Value.repeat_interleave(Query.size(1) / Value.size(1), 1);
  return A;
}

bool isPlain(const Attention &A) {
  return A.Dropout == 0 && !A.Bias.defined() && A.Left < 0 && A.Right < 0 &&
         !A.QueryStarts.defined() && !(A.CausalFromEnd && A.Query.size(2) != A.Key.size(2)) &&
         A.Value.size(3) == A.Query.size(3) && A.Query.numel() > 0 && A.Key.numel() > 0;
}

std::tuple<Tensor, Tensor> Attention::forward() const {
  const Attention A = expanded();
  if (isPlain(A)) {
    auto [Out, Lse] = at::_scaled_dot_product_flash_attention_for_cpu(A.Query, A.Key, A.Value, 0,
                                                                      Causal, {}, scale());
    // The GPU's has rows last, side by side.
    return {Out, Lse.contiguous()};
  }
  const Tensor S = A.scores(), Lse = S.logsumexp(-1);
  // A row that sees no key has a sum of zero, and its result is zero.
  Tensor P = (S - Lse.unsqueeze(-1)).exp().nan_to_num(0);
  if (Dropout > 0)
    P = P * A.kept();
  return {at::matmul(P, A.Value.to(P.scalar_type())).to(Query.scalar_type()), Lse};
}

Tensor sumGroups(const Tensor &Grad, const Tensor &Like) {
  if (Grad.size(1) == Like.size(1))
    return Grad;
  return Grad.reshape({Grad.size(0), Like.size(1), -1, Grad.size(2), Grad.size(3)}).sum(2);
}

std::tuple<Tensor, Tensor, Tensor, Tensor>
Attention::backward(const Tensor &Grad, const Tensor &Out, const Tensor &Lse) const {
  const Attention A = expanded();
  const at::ScalarType Sums = sumsOf(Query);
  const Tensor G = Grad.to(Sums), Q = A.Query.to(Sums), K = A.Key.to(Sums), V = A.Value.to(Sums);
  const Tensor L = Lse.narrow(2, 0, Query.size(2)).unsqueeze(-1).to(Sums);
  const Tensor P = (A.scores() - L).exp().nan_to_num(0);
  const Tensor Kept = Dropout > 0 ? A.kept() : Tensor();
  const Tensor GradV = at::matmul((Kept.defined() ? P * Kept : P).transpose(2, 3), G);
  Tensor GradP = at::matmul(G, V.transpose(2, 3));
  if (Kept.defined())
    GradP = GradP * Kept;
  const Tensor Delta = (G * Out.to(Sums)).sum(-1, /*keepdim=*/true);
  const Tensor GradS = P * (GradP - Delta);
  const at::ScalarType Type = Query.scalar_type();
  return {(at::matmul(GradS, K) * scale()).to(Type),
          sumGroups(at::matmul(GradS.transpose(2, 3), Q) * scale(), Key).to(Type),
          sumGroups(GradV, Value).to(Type), GradS};
}

// Two numbers as PyTorch hands them to the backward pass, and the seed that follows from them.
struct State {
  Tensor Seed, Offset;
  uint64_t value() const {
    return uint64_t(Seed.item<int64_t>()) ^ uint64_t(Offset.item<int64_t>()) * 0x9E3779B97F4A7C15u;
  }
};

Tensor number(uint64_t Value) { return at::scalar_tensor(int64_t(Value), at::kLong); }

State draw(double Dropout) {
  if (Dropout == 0)
    return {number(0), number(0)};
  const Draw D(std::nullopt, currentDevice(), 4);
  return {number(D.seed()), number(D.offset())};
}

// [batch, rows, heads, size], or [rows, heads, size] of packed sequences, as [batch, heads, rows,
// size].
Tensor heads(const Tensor &T) { return (T.dim() == 3 ? T.unsqueeze(0) : T).transpose(1, 2); }
Tensor rows(const Tensor &T, const Tensor &Like) {
  const Tensor R = T.transpose(1, 2);
  return Like.dim() == 3 ? R.squeeze(0) : R;
}

// Compiled code (torch.compile) relies on the layouts of the GPU's kernels: rows before heads in
// the memory-efficient ones, whose sums are of a multiple of 32 rows; as the input in the others.
Tensor rowsFirst(const Tensor &T) { return T.transpose(1, 2).contiguous().transpose(1, 2); }
Tensor padded(const Tensor &Lse) {
  return at::constant_pad_nd(Lse, {0, (32 - Lse.size(2) % 32) % 32});
}
Tensor laidOutAs(const Tensor &T, const Tensor &Like) {
  return T.strides() == Like.strides() ? T : at::empty_like(Like).copy_(T);
}

using Flash = std::tuple<Tensor, Tensor, Tensor, Tensor, int64_t, int64_t, Tensor, Tensor, Tensor>;

Flash sdpFlash(const Tensor &Q, const Tensor &K, const Tensor &V, double Dropout, bool Causal, bool,
               std::optional<double> Scale) {
  const State S = draw(Dropout);
  auto [Out, Lse] =
      Attention{Q, K, V, {}, Dropout, Causal, false, -1, -1, Scale, S.value(), {}, {}}.forward();
  // The state is one tensor of two numbers.
  return {laidOutAs(Out, Q),
          Lse,
          Tensor(),
          Tensor(),
          Q.size(2),
          K.size(2),
          at::stack({S.Seed, S.Offset}),
          at::empty({0}, at::kLong),
          at::empty({0}, Q.options())};
}

std::tuple<Tensor, Tensor, Tensor>
sdpFlashBackward(const Tensor &Grad, const Tensor &Q, const Tensor &K, const Tensor &V,
                 const Tensor &Out, const Tensor &Lse, const Tensor &, const Tensor &, int64_t,
                 int64_t, double Dropout, bool Causal, const Tensor &Seeds, const Tensor &,
                 std::optional<double> Scale) {
  const uint64_t Seed = Dropout > 0 ? State{Seeds[0], Seeds[1]}.value() : 0;
  auto [GQ, GK, GV, GB] =
      Attention{Q, K, V, {}, Dropout, Causal, false, -1, -1, Scale, Seed, {}, {}}.backward(
          Grad, Out, Lse);
  return {laidOutAs(GQ, Q), laidOutAs(GK, K), laidOutAs(GV, V)};
}

Flash sdpCudnn(const Tensor &Q, const Tensor &K, const Tensor &V, const MaybeTensor &Bias, bool,
               double Dropout, bool Causal, bool, std::optional<double> Scale) {
  const State S = draw(Dropout);
  auto [Out, Lse] =
      Attention{Q,         K,  V, Bias.value_or(Tensor()), Dropout, Causal, false, -1, -1, Scale,
                S.value(), {}, {}}
          .forward();
  return {laidOutAs(Out, Q), Lse.unsqueeze(-1), Tensor(), Tensor(), Q.size(2), K.size(2), S.Seed,
          S.Offset,          Tensor()};
}

std::tuple<Tensor, Tensor, Tensor>
sdpCudnnBackward(const Tensor &Grad, const Tensor &Q, const Tensor &K, const Tensor &V,
                 const Tensor &Out, const Tensor &Lse, const Tensor &Seed, const Tensor &Offset,
                 const Tensor &Bias, const Tensor &, const Tensor &, int64_t, int64_t,
                 double Dropout, bool Causal, std::optional<double> Scale) {
  const uint64_t From = Dropout > 0 ? State{Seed, Offset}.value() : 0;
  auto [GQ, GK, GV, GB] =
      Attention{Q, K, V, Bias, Dropout, Causal, false, -1, -1, Scale, From, {}, {}}.backward(
          Grad, Out, Lse.dim() == 4 ? Lse.squeeze(-1) : Lse);
  return {laidOutAs(GQ, Q), laidOutAs(GK, K), laidOutAs(GV, V)};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> sdpEfficient(const Tensor &Q, const Tensor &K,
                                                        const Tensor &V, const MaybeTensor &Bias,
                                                        bool WithLse, double Dropout, bool Causal,
                                                        std::optional<double> Scale) {
  const State S = draw(Dropout);
  auto [Out, Lse] =
      Attention{Q,         K,  V, Bias.value_or(Tensor()), Dropout, Causal, false, -1, -1, Scale,
                S.value(), {}, {}}
          .forward();
  if (!WithLse)
    Lse = at::empty({Q.size(0), Q.size(1), 0}, Lse.options());
  return {rowsFirst(Out), WithLse ? padded(Lse) : Lse, S.Seed, S.Offset};
}

// The bias' gradient, in the bias' own shape.
Tensor biasGradient(const Tensor &Scores, const Tensor &Bias) {
  return at::sum_to(Scores, Bias.sizes()).to(Bias.scalar_type());
}

std::tuple<Tensor, Tensor, Tensor, Tensor>
sdpEfficientBackward(const Tensor &Grad, const Tensor &Q, const Tensor &K, const Tensor &V,
                     const Tensor &Bias, const Tensor &Out, const Tensor &Lse, const Tensor &Seed,
                     const Tensor &Offset, double Dropout, std::array<bool, 4> Wanted, bool Causal,
                     std::optional<double> Scale) {
  if (!Grad.defined())
    return {};
  const uint64_t From = Dropout > 0 ? State{Seed, Offset}.value() : 0;
  auto [GQ, GK, GV, GS] =
      Attention{Q, K, V, Bias, Dropout, Causal, false, -1, -1, Scale, From, {}, {}}.backward(
          Grad, Out, Lse);
  return {rowsFirst(GQ), rowsFirst(GK), rowsFirst(GV),
          Bias.defined() && Wanted[3] ? biasGradient(GS, Bias) : Tensor()};
}

Tensor given(const MaybeTensor &T) { return T.value_or(Tensor()); }

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor>
flash(const Tensor &Q, const Tensor &K, const Tensor &V, const MaybeTensor &QStarts,
      const MaybeTensor &KStarts, int64_t, int64_t, double Dropout, bool Causal, bool,
      std::optional<double> Scale, std::optional<int64_t> Left, std::optional<int64_t> Right,
      const MaybeTensor &UsedK, const MaybeTensor &Alibi) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      !given(UsedK).defined() && !given(Alibi).defined(),
      "heddle: flash attention with seqused_k or alibi_slopes is not supported");
  const State S = draw(Dropout);
  auto [Out, Lse] =
      Attention{
          heads(Q),      heads(K),          heads(V),           {},    Dropout,   Causal,
          Causal,        Left.value_or(-1), Right.value_or(-1), Scale, S.value(), given(QStarts),
          given(KStarts)}
          .forward();
  return {rows(Out, Q), Q.dim() == 3 ? Lse.squeeze(0) : Lse, at::stack({S.Seed, S.Offset}),
          at::empty({0}, at::kLong), at::empty({0}, Q.options())};
}

// Since PyTorch 2.11 or later.
std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor>
flashOfPages(const Tensor &Q, const Tensor &K, const Tensor &V, const MaybeTensor &QStarts,
             const MaybeTensor &KStarts, int64_t MaxQ, int64_t MaxK, double Dropout, bool Causal,
             bool Debug, std::optional<double> Scale, std::optional<int64_t> Left,
             std::optional<int64_t> Right, const MaybeTensor &UsedK, const MaybeTensor &Alibi,
             const MaybeTensor &Pages, std::optional<int64_t>) {
  TORCH_CHECK_NOT_IMPLEMENTED(!given(Pages).defined(),
                              "heddle: flash attention with block_table is not supported");
  return flash(Q, K, V, QStarts, KStarts, MaxQ, MaxK, Dropout, Causal, Debug, Scale, Left, Right,
               UsedK, Alibi);
}

Tensor flashInto(const Tensor &Into, const Tensor &Q, const Tensor &K, const Tensor &V,
                 const MaybeTensor &QStarts, const MaybeTensor &KStarts, int64_t MaxQ, int64_t MaxK,
                 double Dropout, bool Causal, bool Debug, std::optional<double> Scale,
                 std::optional<int64_t> Left, std::optional<int64_t> Right,
                 const MaybeTensor &UsedK, const MaybeTensor &Alibi, const MaybeTensor &Pages,
                 std::optional<int64_t> Splits) {
  TORCH_CHECK(Dropout == 0, "dropout is not supported here");
  const auto Results = flashOfPages(Q, K, V, QStarts, KStarts, MaxQ, MaxK, Dropout, Causal, Debug,
                                    Scale, Left, Right, UsedK, Alibi, Pages, Splits);
  Into.copy_(std::get<0>(Results));
  return std::get<1>(Results);
}

std::tuple<Tensor, Tensor, Tensor>
flashBackward(const Tensor &Grad, const Tensor &Q, const Tensor &K, const Tensor &V,
              const Tensor &Out, const Tensor &Lse, const Tensor &QStarts, const Tensor &KStarts,
              int64_t, int64_t, double Dropout, bool Causal, const Tensor &Seeds, const Tensor &,
              std::optional<double> Scale, std::optional<int64_t> Left,
              std::optional<int64_t> Right) {
  const uint64_t Seed = Dropout > 0 ? State{Seeds[0], Seeds[1]}.value() : 0;
  auto [GQ, GK, GV, GS] =
      Attention{heads(Q),          heads(K),           heads(V), {},   Dropout, Causal, Causal,
                Left.value_or(-1), Right.value_or(-1), Scale,    Seed, QStarts, KStarts}
          .backward(heads(Grad), heads(Out), Lse.dim() == 2 ? Lse.unsqueeze(0) : Lse);
  return {rows(GQ, Q), rows(GK, K), rows(GV, V)};
}

Attention efficientOf(const Tensor &Q, const Tensor &K, const Tensor &V, const Tensor &Bias,
                      const Tensor &QStarts, const Tensor &KStarts, double Dropout,
                      int64_t MaskType, std::optional<double> Scale, std::optional<int64_t> Window,
                      uint64_t Seed) {
  // 1: causal from the first key on, 2: so that the last query sees the last key.
  Attention A{heads(Q), heads(K), heads(V), Bias, Dropout, MaskType != 0, MaskType == 2,
              -1,       -1,       Scale,    Seed, QStarts, KStarts};
  if (Window && *Window > 0)
    A.Left = *Window - 1;
  return A;
}

std::tuple<Tensor, Tensor, Tensor, Tensor, int64_t, int64_t>
efficient(const Tensor &Q, const Tensor &K, const Tensor &V, const MaybeTensor &Bias,
          const MaybeTensor &QStarts, const MaybeTensor &KStarts, std::optional<int64_t> MaxQ,
          std::optional<int64_t> MaxK, double Dropout, int64_t MaskType, bool WithLse,
          std::optional<double> Scale, const MaybeTensor &UsedK, std::optional<int64_t> Window) {
  TORCH_CHECK_NOT_IMPLEMENTED(!given(UsedK).defined(),
                              "heddle: efficient attention with seqlen_k is not supported");
  const State S = draw(Dropout);
  auto [Out, Lse] = efficientOf(Q, K, V, given(Bias), given(QStarts), given(KStarts), Dropout,
                                MaskType, Scale, Window, S.value())
                        .forward();
  if (!WithLse)
    Lse = at::empty({Lse.size(0), Lse.size(1), 0}, Lse.options());
  return {rows(Out, Q).contiguous(), WithLse ? padded(Lse) : Lse, S.Seed, S.Offset,
          MaxQ.value_or(Q.size(1)),  MaxK.value_or(K.size(1))};
}

std::tuple<Tensor, Tensor, Tensor, Tensor>
efficientBackward(const Tensor &Grad, const Tensor &Q, const Tensor &K, const Tensor &V,
                  const MaybeTensor &Bias, const Tensor &Out, const MaybeTensor &QStarts,
                  const MaybeTensor &KStarts, int64_t, int64_t, const Tensor &Lse, double Dropout,
                  const Tensor &Seed, const Tensor &Offset, int64_t MaskType, bool BiasGrad,
                  std::optional<double> Scale, std::optional<int64_t>,
                  std::optional<int64_t> Window, bool) {
  const uint64_t From = Dropout > 0 ? State{Seed, Offset}.value() : 0;
  auto [GQ, GK, GV, GS] = efficientOf(Q, K, V, given(Bias), given(QStarts), given(KStarts), Dropout,
                                      MaskType, Scale, Window, From)
                              .backward(heads(Grad), heads(Out), Lse);
  return {rows(GQ, Q), rows(GK, K), rows(GV, V),
          BiasGrad && given(Bias).defined() ? biasGradient(GS, *Bias) : Tensor()};
}

} // namespace

OnlyCudaKernels attentionKernels() {
  return {
      {"aten::_scaled_dot_product_flash_attention", onlyCuda<&sdpFlash>()},
      {"aten::_scaled_dot_product_flash_attention_backward", onlyCuda<&sdpFlashBackward>()},
      {"aten::_scaled_dot_product_cudnn_attention", onlyCuda<&sdpCudnn>()},
      {"aten::_scaled_dot_product_cudnn_attention_backward", onlyCuda<&sdpCudnnBackward>()},
      {"aten::_scaled_dot_product_efficient_attention", onlyCuda<&sdpEfficient>()},
      {"aten::_scaled_dot_product_efficient_attention_backward", onlyCuda<&sdpEfficientBackward>()},
      {"aten::_flash_attention_forward", onlyCuda<&flash>()},
      {"aten::_flash_attention_forward", onlyCuda<&flashOfPages>()},
      {"aten::_flash_attention_forward_no_dropout_inplace", onlyCuda<&flashInto>()},
      {"aten::_flash_attention_backward", onlyCuda<&flashBackward>()},
      {"aten::_efficient_attention_forward", onlyCuda<&efficient>()},
      {"aten::_efficient_attention_backward", onlyCuda<&efficientBackward>()},
  };
}

} // namespace heddle::aten
