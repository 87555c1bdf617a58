// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widen.h"

#include "../arguments.h"

#include <ATen/ops/copy.h>
#include <ATen/ops/resize.h>

#include <cstring>
#include <optional>

namespace heddle::aten {
namespace {

using at::ScalarType;
using at::Tensor;
using c10::IValue;

// Complex numbers of two BFloat16, BComplex32; in PyTorch 2.10, which has none, it is the number of
// no type (Undefined).
constexpr ScalarType BComplexHalf = ScalarType(46);
static_assert(BComplexHalf <= ScalarType::Undefined);

std::optional<ScalarType> wider(ScalarType Type) {
  switch (Type) {
  case at::kHalf:
  case at::kBFloat16:
  case at::kFloat8_e4m3fn:
  case at::kFloat8_e4m3fnuz:
  case at::kFloat8_e5m2:
  case at::kFloat8_e5m2fnuz:
    return at::kFloat;
  case at::kComplexHalf:
  case BComplexHalf:
    return at::kComplexFloat;
  case at::kBool:
    return at::kByte;
  case at::kByte:
  case at::kChar:
  case at::kShort:
  case at::kInt:
  case at::kLong:
    return at::kDouble;
  default:
    return std::nullopt;
  }
}

// The type that the message says has no kernel: "…" not implemented for 'Half', or: MKL FFT doesn't
// support tensors of type: Half, or: Expected self to be a floating-point or complex tensor, but
// got BFloat16; or does not hold a number that the GPU's kernel does not need to: value cannot be
// converted to type uint8_t without overflow.
std::optional<ScalarType> lacking(const char *What) {
  if (std::strstr(What, "value cannot be converted to type uint8_t"))
    return at::kByte;
  if (std::strstr(What, "value cannot be converted to type int8_t"))
    return at::kChar;
  for (const char *Words : {"not implemented for '", "doesn't support tensors of type: ",
                            "to be a floating-point or complex tensor, but got "})
    if (const char *Found = std::strstr(What, Words)) {
      const char *const Name = Found + std::strlen(Words);
      for (const ScalarType Type :
           {at::kHalf, at::kBFloat16, at::kComplexHalf, BComplexHalf, at::kBool, at::kByte,
            at::kChar, at::kShort, at::kInt, at::kLong, at::kFloat8_e4m3fn, at::kFloat8_e4m3fnuz,
            at::kFloat8_e5m2, at::kFloat8_e5m2fnuz}) {
        const std::string Text = c10::toString(Type);
        if (std::strncmp(Name, Text.c_str(), Text.size()) == 0 && !std::isalnum(Name[Text.size()]))
          return Type;
      }
    }
  return std::nullopt;
}

// From the kernel's types back to the GPU's.
std::optional<ScalarType> narrowed(ScalarType Type, ScalarType Lacking) {
  const bool Reduced = Lacking == at::kHalf || Lacking == at::kComplexHalf;
  if (Reduced && Type == at::kFloat)
    return at::kHalf;
  if (Reduced && Type == at::kComplexFloat)
    return at::kComplexHalf;
  if (BComplexHalf != ScalarType::Undefined &&
      (Lacking == at::kBFloat16 || Lacking == BComplexHalf)) {
    if (Type == at::kFloat)
      return at::kBFloat16;
    if (Type == at::kComplexFloat)
      return BComplexHalf;
  }
  return Type == wider(Lacking) ? std::optional(Lacking) : std::nullopt;
}

class Wider {
public:
  explicit Wider(ScalarType Lacking) : Lacking(Lacking) {}

  void widen(IValue &V) {
    mapTensors(V, [&](const Tensor &T) { return of(T); });
  }

  // The caller's own tensor for a copy of it, with its values if it was written.
  Tensor narrow(const Tensor &T) {
    if (!T.defined())
      return T;
    for (const auto &[Own, Copy] : Copies)
      if (Copy.is_same(T)) {
        if (Own.sizes() != T.sizes())
          Own.resize_(T.sizes());
        Own.copy_(T);
        return Own;
      }
    const auto Type = narrowed(T.scalar_type(), Lacking);
    return Type ? T.to(*Type) : T;
  }

  void copyBack(const Tensor &Own) {
    for (const auto &[Known, Copy] : Copies)
      if (Known.is_same(Own))
        narrow(Copy);
  }

private:
  Tensor of(const Tensor &T) {
    // An FFT speaks of the type of a complex number's parts.
    const bool Parts =
        T.defined() && ((Lacking == at::kHalf && T.scalar_type() == at::kComplexHalf) ||
                        (Lacking == at::kBFloat16 && T.scalar_type() == BComplexHalf));
    if (!T.defined() || (T.scalar_type() != Lacking && !Parts))
      return T;
    for (const auto &[Own, Copy] : Copies)
      if (Own.is_same(T))
        return Copy;
    // The conjugate is taken of what is wider, since that may lack the type, too.
    const Tensor Copy = (T.is_conj() ? T.conj() : T).to(*wider(T.scalar_type()));
    Copies.emplace_back(T, T.is_conj() ? Copy.conj() : Copy);
    return Copies.back().second;
  }

  const ScalarType Lacking;
  std::vector<std::pair<Tensor, Tensor>> Copies;
};

bool isType(const c10::Argument &Formal) {
  return Formal.name() == "dtype" || Formal.name() == "out_dtype";
}

} // namespace

uint64_t typesWithWider() {
  static const uint64_t Types = [] {
    uint64_t Found = 0;
    for (int Type = 0; Type < int(ScalarType::NumOptions); ++Type)
      if (wider(ScalarType(Type)))
        Found |= 1ull << Type;
    return Found;
  }();
  return Types;
}

bool mayNeedWiderTypes(const IValue *Arguments, size_t Count) {
  bool Found = false;
  for (size_t I = 0; I < Count && !Found; ++I)
    forEachTensor(Arguments[I], [&](const Tensor &T) {
      Found |= T.defined() && (typesWithWider() >> int(T.scalar_type()) & 1);
    });
  return Found;
}

bool retryWithWiderTypes(const c10::OperatorHandle &Op, torch::jit::Stack *Stack,
                         std::vector<IValue> Arguments, const char *What,
                         const HostKernel &Kernel) {
  const std::optional<ScalarType> Lacking = lacking(What);
  if (!Lacking)
    return false;
  const c10::FunctionSchema &Schema = Op.schema();
  Wider W(*Lacking);
  for (size_t I = 0; I < Arguments.size(); ++I) {
    IValue Argument = Arguments[I];
    W.widen(Argument);
    if (isType(Schema.arguments()[I]) && Argument.isInt() && Argument.toScalarType() == *Lacking)
      Argument = *wider(*Lacking);
    Stack->push_back(std::move(Argument));
  }
  Kernel(Stack);
  for (size_t I = Stack->size() - Schema.returns().size(); I < Stack->size(); ++I)
    mapTensors((*Stack)[I], [&](const Tensor &T) { return W.narrow(T); });
  // Operations on lists write their arguments and return nothing.
  if (Schema.returns().empty())
    for (size_t I = 0; I < Arguments.size(); ++I)
      if (isWritten(Schema.arguments()[I]))
        forEachTensor(Arguments[I], [&](const Tensor &T) { W.copyBack(T); });
  return true;
}

} // namespace heddle::aten
