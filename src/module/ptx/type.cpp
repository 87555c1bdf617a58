// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/type.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace heddle {

std::optional<PtxType> parsePtxType(StringRef name) {
  using Result = std::optional<PtxType>;
  Result special = StringSwitch<Result>(name)
                       .Case("pred", PtxType{PtxType::Predicate, 1})
                       .Case("f16", PtxType{PtxType::Float, 16})
                       .Case("f16x2", PtxType{PtxType::Float, 32, 2})
                       .Case("bf16", PtxType{PtxType::BFloat, 16})
                       .Case("bf16x2", PtxType{PtxType::BFloat, 32, 2})
                       .Case("tf32", PtxType{PtxType::TFloat, 32})
                       .Case("f32", PtxType{PtxType::Float, 32})
                       .Case("f64", PtxType{PtxType::Float, 64})
                       .Case("u16x2", PtxType{PtxType::Unsigned, 32, 2})
                       .Case("s16x2", PtxType{PtxType::Signed, 32, 2})
                       .Case("e4m3x2", PtxType{PtxType::E4M3, 16, 2})
                       .Case("e5m2x2", PtxType{PtxType::E5M2, 16, 2})
                       .Case("b128", PtxType{PtxType::Bits, 128})
                       .Default(std::nullopt);
  if (special)
    return special;
  PtxType type;
  if (name.consume_front("b"))
    type.kind = PtxType::Bits;
  else if (name.consume_front("u"))
    type.kind = PtxType::Unsigned;
  else if (name.consume_front("s"))
    type.kind = PtxType::Signed;
  else
    return std::nullopt;
  if (name != "8" && name != "16" && name != "32" && name != "64")
    return std::nullopt;
  name.getAsInteger(10, type.bits);
  return type;
}

} // namespace heddle
