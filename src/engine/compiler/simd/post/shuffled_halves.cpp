// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/post/shuffled_halves.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine {

void joinShuffledHalves(Function &function) {
  constexpr uint64_t half = 32;
  SmallVector<WeakTrackingVH> replaced;
  for (Instruction &instruction : instructions(function)) {
    Value *low_of = nullptr, *high_of = nullptr;
    ArrayRef<int> low_lanes, high_lanes;
    const auto low = m_ZExt(m_Shuffle(m_Trunc(m_Value(low_of)), m_Poison(), m_Mask(low_lanes)));
    const auto high = m_Shl(m_ZExt(m_Shuffle(m_Trunc(m_LShr(m_Value(high_of), m_SpecificInt(half))),
                                             m_Poison(), m_Mask(high_lanes))),
                            m_SpecificInt(half));
    if (!instruction.getType()->isVectorTy() ||
        instruction.getType()->getScalarSizeInBits() != 2 * half ||
        !match(&instruction, m_c_Or(low, high)) || low_of != high_of || low_lanes != high_lanes ||
        low_of->getType()->getScalarType() != instruction.getType()->getScalarType())
      continue;
    IRBuilder<> b(&instruction);
    instruction.replaceAllUsesWith(b.CreateShuffleVector(low_of, low_lanes));
    replaced.emplace_back(&instruction);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
}

} // namespace heddle::engine
