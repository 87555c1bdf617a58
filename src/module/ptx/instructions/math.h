// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point steps that several PTX instructions share.
#pragma once

#include "module/ptx/type.h"

#include "llvm/IR/IRBuilder.h"

namespace heddle {

/// .ftz: a subnormal float becomes a zero of its sign. Doubles stay as they are.
llvm::Value *flushSubnormal(llvm::IRBuilder<> &builder, llvm::Value *value);

/// .sat: clamped to [0, 1]; NaN becomes 0.
llvm::Value *saturateToOne(llvm::IRBuilder<> &builder, llvm::Value *value);

/// min and max: -0 is less than +0. A NaN loses against a number, or with `keep_nan` wins.
llvm::Value *minimumOf(llvm::IRBuilder<> &builder, llvm::Value *a, llvm::Value *b, bool keep_nan);
llvm::Value *maximumOf(llvm::IRBuilder<> &builder, llvm::Value *a, llvm::Value *b, bool keep_nan);

llvm::Value *isNaN(llvm::IRBuilder<> &builder, llvm::Value *value);

/// The float with the value of an f16 or bf16 (`type`), held as i16.
llvm::Value *widenHalf(llvm::IRBuilder<> &builder, PtxType type, llvm::Value *bits);

/// A float rounded to f16 or bf16, as i16. `rounding` is "rn", "rz", "rd" or "ru"; NaN gives
/// 0x7fff.
llvm::Value *narrowToHalf(llvm::IRBuilder<> &builder, PtxType type, llvm::Value *value,
                          llvm::StringRef rounding);

/// `nearest` is a rounded value and `inexact` says whether rounding lost something, `too_large`
/// whether it went away from zero. Gives the value "rounded to odd": with its last bit set if
/// inexact, so that rounding it again to half as many bits is as good as rounding once.
llvm::Value *roundToOdd(llvm::IRBuilder<> &builder, llvm::Value *nearest, llvm::Value *inexact,
                        llvm::Value *too_large);

/// A double as float, rounded to odd.
llvm::Value *narrowToOdd(llvm::IRBuilder<> &builder, llvm::Value *value);

} // namespace heddle
