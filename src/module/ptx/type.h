// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types that PTX instructions name (PTX ISA, "Fundamental Types").
#pragma once

#include "llvm/IR/DerivedTypes.h"

#include <optional>

namespace heddle {

/// ".s32", ".f16x2", … Registers have only a width; the instruction gives the type.
struct PtxType {
  enum Kind { Bits, Unsigned, Signed, Float, BFloat, TFloat, E4M3, E5M2, Predicate };
  Kind kind = Bits;
  unsigned bits = 32; // all lanes together
  unsigned lanes = 1;

  bool isSigned() const { return kind == Signed; }
  bool isInteger() const { return kind == Bits || kind == Unsigned || kind == Signed; }
  /// 16-bit floating point, one or two at a time. LLVM's half and bfloat are not used, since they
  /// differ in rounding and NaNs; such values are kept as integers.
  bool isHalf() const { return (kind == Float || kind == BFloat) && bits / lanes == 16; }
  bool isFloat() const { return kind == Float && bits >= 32 && lanes == 1; }
  /// Two 8-bit floating-point numbers.
  bool isFloat8() const { return kind == E4M3 || kind == E5M2; }
  PtxType lane() const { return {kind, bits / lanes, 1}; }

  /// The type that represents such values in LLVM IR.
  llvm::Type *inIR(llvm::LLVMContext &context) const {
    if (!isFloat())
      return llvm::IntegerType::get(context, bits);
    return bits == 32 ? llvm::Type::getFloatTy(context) : llvm::Type::getDoubleTy(context);
  }
};

/// The type with that name (without the dot), if there is one.
std::optional<PtxType> parsePtxType(llvm::StringRef name);

} // namespace heddle
