// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the scalar and the SIMD video instructions share (PTX ISA, "Video Instructions").
#pragma once

#include "module/ptx/instructions/instructions.h"

namespace heddle {

/// An operation on numbers that are wide enough for its result, and signed.
using VideoOperation =
    std::function<llvm::Value *(llvm::IRBuilder<> &, llvm::Value *, llvm::Value *)>;

/// vadd, vsub, vabsdiff, vmin, vmax.
llvm::StringMap<VideoOperation> videoOperations();

struct VideoTypes {
  PtxType result, a, b;
};

/// Takes .dtype.atype.btype, or one of them: .u32 or .s32.
VideoTypes takeVideoTypes(PtxInstruction &in);
PtxType takeVideoType(PtxInstruction &in);

/// Takes .eq and its kin, for numbers that are signed.
llvm::CmpInst::Predicate takeComparison(PtxInstruction &in);

/// The register that an operand is a part of.
PtxOperand wholeOf(PtxOperand operand);

void requireOperands(const PtxInstruction &in, size_t count);

/// .sat: the nearest number that `bits` bits hold.
llvm::Value *clampTo(llvm::IRBuilder<> &builder, llvm::Value *value, unsigned bits, bool is_signed);

} // namespace heddle
