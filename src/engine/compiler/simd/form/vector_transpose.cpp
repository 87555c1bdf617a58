// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/form/vector_transpose.h"

#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace heddle::engine::simd {

// Splits into elements at even and odd positions, recursively, until each vector has only one kind.
Vectors separate(IRBuilder<> &b, ArrayRef<Value *> sequence) {
  if (sequence.size() == 1)
    return {sequence.front()};
  const unsigned lanes = cast<FixedVectorType>(sequence.front()->getType())->getNumElements();
  Vectors halves[2];
  for (unsigned i = 0; i < sequence.size(); i += 2)
    for (unsigned odd = 0; odd < 2; ++odd)
      halves[odd].push_back(
          b.CreateShuffleVector(sequence[i], sequence[i + 1], createStrideMask(odd, 2, lanes)));
  const Vectors even = separate(b, halves[0]), odd = separate(b, halves[1]);
  Vectors result;
  for (unsigned i = 0; i < even.size(); ++i)
    result.append({even[i], odd[i]});
  return result;
}

// The inverse.
Vectors join(IRBuilder<> &b, ArrayRef<Value *> kinds) {
  if (kinds.size() == 1)
    return {kinds.front()};
  const unsigned lanes = cast<FixedVectorType>(kinds.front()->getType())->getNumElements();
  Vectors halves[2];
  for (unsigned i = 0; i < kinds.size(); ++i)
    halves[i % 2].push_back(kinds[i]);
  const Vectors even = join(b, halves[0]), odd = join(b, halves[1]);
  const SmallVector<int> order = createInterleaveMask(lanes, 2);
  Vectors result;
  for (unsigned i = 0; i < even.size(); ++i)
    for (unsigned half = 0; half < 2; ++half)
      result.push_back(
          b.CreateShuffleVector(even[i], odd[i], ArrayRef(order).slice(half * lanes, lanes)));
  return result;
}

} // namespace heddle::engine::simd
