// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "special.h"

#include "copy.h"
#include "random/distributions.h"

#include <ATen/ATen.h>

namespace heddle::aten {
namespace {

using at::Tensor;
using torch::jit::Stack;

// The i-th of `Count` arguments.
const c10::IValue &argument(const Stack &S, size_t Count, size_t I) {
  return S[S.size() - Count + I];
}

void give(Stack *S, size_t Count, std::initializer_list<Tensor> Results) {
  S->erase(S->end() - Count, S->end());
  for (const Tensor &T : Results)
    S->emplace_back(T);
}

Tensor fill(const c10::IValue &Out, const Tensor &Values) {
  Tensor T = Out.toTensor();
  T.resize_(Values.sizes());
  return T.copy_(Values);
}

// On a GPU, half precision may go in and single come out (half_to_float).
template <bool Log>
void softmax(const c10::OperatorHandle &Op, c10::DispatchKeySet Keys, Stack *S) {
  const size_t Count = Op.schema().arguments().size(); // one more with out
  if (!argument(*S, Count, 2).toBool())
    return fallback(Op, Keys, S);
  onHost(Op, S, [Count](Stack *S) {
    const Tensor In = argument(*S, Count, 0).toTensor().to(at::kFloat);
    const int64_t Dim = argument(*S, Count, 1).toInt();
    Tensor Result = Log ? at::_log_softmax(In, Dim, false) : at::_softmax(In, Dim, false);
    if (Count == 4)
      Result = fill(argument(*S, Count, 3), Result);
    give(S, Count, {Result});
  });
}

// Its gradient: of single precision, for an input of half.
template <bool Log>
void softmaxBackward(const c10::OperatorHandle &Op, c10::DispatchKeySet Keys, Stack *S) {
  const size_t Count = Op.schema().arguments().size();
  if (argument(*S, Count, 0).toTensor().scalar_type() == argument(*S, Count, 3).toScalarType())
    return fallback(Op, Keys, S);
  onHost(Op, S, [Count](Stack *S) {
    const Tensor Grad = argument(*S, Count, 0).toTensor();
    const Tensor Out = argument(*S, Count, 1).toTensor().to(Grad.scalar_type());
    const int64_t Dim = argument(*S, Count, 2).toInt();
    Tensor Result = (Log ? at::_log_softmax_backward_data(Grad, Out, Dim, Grad.scalar_type())
                         : at::_softmax_backward_data(Grad, Out, Dim, Grad.scalar_type()))
                        .to(argument(*S, Count, 3).toScalarType());
    if (Count == 5)
      Result = fill(argument(*S, Count, 4), Result);
    give(S, Count, {Result});
  });
}

// (In, dim, keepdim, dtype, out): a complex number counts if both of its parts do.
void nansum(const c10::OperatorHandle &Op, c10::DispatchKeySet Keys, Stack *S) {
  const size_t Count = Op.schema().arguments().size();
  const Tensor &Given = argument(*S, Count, 0).toTensor();
  if (!Given.is_complex())
    return fallback(Op, Keys, S);
  onHost(Op, S, [Count](Stack *S) {
    Tensor In = argument(*S, Count, 0).toTensor();
    const at::ScalarType Type =
        argument(*S, Count, 3).toOptional<at::ScalarType>().value_or(In.scalar_type());
    if (In.scalar_type() == at::kComplexHalf)
      In = In.to(at::kComplexFloat);
    const Tensor Sum =
        at::sum(In.masked_fill(In.isnan(), 0),
                at::OptionalIntArrayRef(argument(*S, Count, 1).toOptional<std::vector<int64_t>>()),
                argument(*S, Count, 2).toBool())
            .to(Type);
    give(S, Count, {Count == 5 ? fill(argument(*S, Count, 4), Sum) : Sum});
  });
}

// Gauss without exchanging rows; cuSOLVER and MAGMA have it, LAPACK does not.
Tensor eliminate(const Tensor &A) {
  Tensor LU = A.clone();
  for (int64_t K = 0; K < std::min(A.size(-2), A.size(-1)) - (A.size(-2) <= A.size(-1)); ++K) {
    Tensor Below = LU.slice(-2, K + 1).slice(-1, K, K + 1);
    Below.div_(LU.slice(-2, K, K + 1).slice(-1, K, K + 1));
    LU.slice(-2, K + 1).slice(-1, K + 1).sub_(
        at::matmul(Below, LU.slice(-2, K, K + 1).slice(-1, K + 1)));
  }
  return LU;
}

// The row of the first zero on U's diagonal, from 1 on, or 0.
Tensor firstZero(const Tensor &LU) {
  const Tensor Zero = LU.diagonal(0, -2, -1).eq(0);
  if (Zero.size(-1) == 0)
    return at::zeros(LU.sizes().slice(0, LU.dim() - 2), at::kInt);
  return at::where(Zero.any(-1), Zero.to(at::kInt).argmax(-1) + 1, 0).to(at::kInt);
}

// (A, pivot, check_errors, LU, pivots, info)
void luFactor(const c10::OperatorHandle &Op, c10::DispatchKeySet Keys, Stack *S) {
  const size_t Count = Op.schema().arguments().size();
  if (argument(*S, Count, 1).toBool())
    return fallback(Op, Keys, S);
  onHost(Op, S, [Count](Stack *S) {
    const Tensor A = argument(*S, Count, 0).toTensor(), LU = eliminate(A), Info = firstZero(LU);
    const int64_t Rank = std::min(A.size(-2), A.size(-1));
    auto Sizes = A.sizes().slice(0, A.dim() - 2).vec();
    Sizes.push_back(Rank);
    const Tensor Pivots = at::arange(1, Rank + 1, at::kInt).expand(Sizes);
    TORCH_CHECK(!argument(*S, Count, 2).toBool() || Info.eq(0).all().item<bool>(),
                "torch.linalg.lu_factor: U is singular, and using it to solve a system would "
                "divide by zero");
    if (Count == 6)
      give(S, Count,
           {fill(argument(*S, Count, 3), LU), fill(argument(*S, Count, 4), Pivots),
            fill(argument(*S, Count, 5), Info)});
    else
      give(S, Count, {LU, Pivots.contiguous(), Info});
  });
}

// (A, pivot, P, L, U)
void lu(const c10::OperatorHandle &Op, c10::DispatchKeySet Keys, Stack *S) {
  const size_t Count = Op.schema().arguments().size();
  if (argument(*S, Count, 1).toBool())
    return fallback(Op, Keys, S);
  onHost(Op, S, [Count](Stack *S) {
    const Tensor A = argument(*S, Count, 0).toTensor(), LU = eliminate(A);
    const int64_t Rank = std::min(A.size(-2), A.size(-1));
    Tensor L = LU.slice(-1, 0, Rank).tril(-1);
    L.diagonal(0, -2, -1).fill_(1);
    const Tensor U = LU.slice(-2, 0, Rank).triu(), P = at::empty({0}, A.options());
    if (Count == 5)
      give(S, Count,
           {fill(argument(*S, Count, 2), P), fill(argument(*S, Count, 3), L),
            fill(argument(*S, Count, 4), U)});
    else
      give(S, Count, {P, L, U});
  });
}

} // namespace

void unsupported(const c10::OperatorHandle &Op, c10::DispatchKeySet, Stack *) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      false, "heddle: PyTorch's operation ", Op.operator_name(),
      " has a kernel for GPUs alone, as machine code, which Heddle cannot run, and nothing has "
      "been "
      "written in its place. Use another operation, or move the tensors to the CPU for this one.");
}

Boxed specialKernel(const std::string &Name) {
  static const std::unordered_map<std::string, Boxed> Kernels = {
      {"aten::copy_", copy},
      {"aten::_softmax", softmax<false>},
      {"aten::_softmax.out", softmax<false>},
      {"aten::_log_softmax", softmax<true>},
      {"aten::_log_softmax.out", softmax<true>},
      {"aten::_softmax_backward_data", softmaxBackward<false>},
      {"aten::_softmax_backward_data.out", softmaxBackward<false>},
      {"aten::_log_softmax_backward_data", softmaxBackward<true>},
      {"aten::_log_softmax_backward_data.out", softmaxBackward<true>},
      {"aten::nansum", nansum},
      {"aten::nansum.out", nansum},
      {"aten::linalg_lu_factor_ex", luFactor},
      {"aten::linalg_lu_factor_ex.out", luFactor},
      {"aten::linalg_lu", lu},
      {"aten::linalg_lu.out", lu},
  };
  const auto Found = Kernels.find(Name);
  return Found == Kernels.end() ? distribution(Name) : Found->second;
}

} // namespace heddle::aten
