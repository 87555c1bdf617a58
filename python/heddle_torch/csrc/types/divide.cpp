// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divide.h"

#include <ATen/ATen.h>

#include <cstring>

namespace heddle::aten {
namespace {

using at::Tensor;
using c10::IValue;

Tensor tensorOf(const IValue &V) {
  return V.isTensor() ? V.toTensor().clone() : at::scalar_tensor(V.toScalar(), at::kLong);
}

bool isFloor(const c10::OperatorHandle &Op, const std::vector<IValue> &Arguments) {
  for (const IValue &V : Arguments)
    if (V.isString())
      return V.toStringRef() == "floor";
  return Op.operator_name().name.find("floor") != std::string::npos;
}

} // namespace

bool retryWithoutZeros(const c10::OperatorHandle &Op, torch::jit::Stack *Stack,
                       std::vector<IValue> Arguments, const char *What, const HostKernel &Kernel) {
  const auto &Formal = Op.schema().arguments();
  if (std::strstr(What, "ZeroDivisionError") == nullptr || Formal.size() < 2 ||
      Formal[0].name() != "self" || Formal[1].name() != "other")
    return false;
  const Tensor Dividend = tensorOf(Arguments[0]), Divisor = tensorOf(Arguments[1]);
  const Tensor Zero = Divisor.eq(0);
  Arguments[1] = Arguments[1].isTensor() ? IValue(Divisor.masked_fill(Zero, 1)) : IValue(1);
  const bool Floor = isFloor(Op, Arguments);
  for (IValue &V : Arguments)
    Stack->push_back(std::move(V));
  Kernel(Stack);
  Tensor Result = Stack->back().toTensor();
  Result.masked_fill_(Zero, -1);
  if (Result.scalar_type() == at::kLong) // divided as 32 bits, if they have no more
    Result.masked_fill_(Zero.logical_and(Dividend.ge(0)).logical_and_(Dividend.le(UINT32_MAX)),
                        UINT32_MAX);
  if (Floor) // the remainder is not zero, and the signs differ
    Result.masked_fill_(Zero.logical_and(Dividend.lt(0)), -2);
  return true;
}

} // namespace heddle::aten
