// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/kinds/widen_strided.h"
#include "engine/compiler/simd/analysis/alignment_analysis.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/widen/kinds/contiguous_access.h"
#include "engine/compiler/simd/widen/memory/widen_prefetch.h"

#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// The `step` vectors that cover the elements. They are whole lines if the position of the first
// element in its line is known: a vector across two lines takes twice as long, and much longer
// after a store to a part of it. Otherwise the last vector ends with the last element: nothing
// after it is accessed, not even under a mask, as masked accesses to unmapped pages are slow.
struct Cover {
  unsigned lanes, step;
  std::optional<unsigned> before; // elements before the first one in its line

  int64_t start(unsigned part) const {
    if (before)
      return int64_t(part) * lanes - *before;
    return part + 1 < step ? part * lanes : (lanes - 1) * (step - 1);
  }
  // The lane's element in the concatenated vectors.
  unsigned place(unsigned lane) const {
    if (before)
      return lane * step + *before;
    const unsigned element = lane * step, before_last = (step - 1) * lanes;
    return element < before_last ? element : before_last + unsigned(element - start(step - 1));
  }
  // For each element of a part, its lane, counted from `first`, or `no_lane`.
  SmallVector<int> lanesOf(unsigned part, unsigned first, unsigned no_lane) const {
    SmallVector<int> result(lanes, int(no_lane));
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (place(lane) / lanes == part)
        result[place(lane) % lanes] = int(first + lane);
    return result;
  }
};

} // namespace

std::optional<unsigned> placeInLine(VectorBuilder &v, Value *old_pointer, Type *type, unsigned step,
                                    unsigned lanes) {
  const uint64_t size = v.sizeOf(type), span = uint64_t(lanes) * step * size;
  const LowBits known = knownAlignmentOf(*old_pointer, v.shapes, v.data);
  const uint64_t bytes = known.value % line_bytes;
  if (uint64_t(1) << std::min(known.count, 63u) < line_bytes || bytes % size != 0 ||
      step * size > line_bytes || (span > line_bytes && span % line_bytes != 0) ||
      bytes / size >= step)
    return std::nullopt;
  return unsigned(bytes / size);
}

// The lanes' mask in this order; `v.lanes` stands for no lane. Through bytes, as LLVM would move
// single bits.
static Value *chosenLanes(VectorBuilder &v, Value *mask, ArrayRef<int> lanes) {
  auto *bytes = FixedVectorType::get(v.b.getInt8Ty(), v.lanes);
  Value *chosen =
      v.b.CreateShuffleVector(v.b.CreateSExt(mask, bytes), Constant::getNullValue(bytes), lanes);
  return v.b.CreateIsNeg(chosen);
}

Value *loadEvery(VectorBuilder &v, LoadInst &old) {
  Type *type = old.getType();
  const unsigned step = v.accesses.smallStep(v.shape(old.getPointerOperand()), type);
  const Cover cover{v.rowLength(), step,
                    placeInLine(v, old.getPointerOperand(), type, step, v.rowLength())};
  const Rows pointers = v.rowsOf(old.getPointerOperand());
  prefetchAhead(v, old, pointers);
  SmallVector<int> order;
  for (unsigned lane = 0; lane < v.rowLength(); ++lane)
    order.push_back(int(cover.place(lane)));
  SmallVector<Value *> rows;
  for (unsigned row = 0; row < v.rowCount(); ++row) {
    SmallVector<Value *> parts;
    for (unsigned part = 0; part < step; ++part) {
      Value *pointer = v.b.CreateConstGEP1_64(type, pointers[row], uint64_t(cover.start(part)));
      Value *mask =
          v.mask.allActive()
              ? nullptr
              : chosenLanes(v, v.mask.vector(), cover.lanesOf(part, row * v.rowLength(), v.lanes));
      parts.push_back(loadVector(v, old, FixedVectorType::get(type, v.rowLength()), pointer, mask));
    }
    rows.push_back(v.b.CreateShuffleVector(concatenateVectors(v.b, parts), order));
  }
  return concatenateVectors(v.b, rows);
}

void storeEvery(VectorBuilder &v, StoreInst &old) {
  Type *type = old.getValueOperand()->getType();
  const unsigned step = v.accesses.smallStep(v.shape(old.getPointerOperand()), type);
  const Cover cover{v.rowLength(), step,
                    placeInLine(v, old.getPointerOperand(), type, step, v.rowLength())};
  const Rows pointers = v.rowsOf(old.getPointerOperand());
  Value *value = v.vectorOf(old.getValueOperand());
  for (unsigned row = 0; row < v.rowCount(); ++row)
    for (unsigned part = 0; part < step; ++part) {
      Value *pointer = v.b.CreateConstGEP1_64(type, pointers[row], uint64_t(cover.start(part)));
      const auto lanes = cover.lanesOf(part, row * v.rowLength(), v.lanes);
      Value *mask = chosenLanes(v, v.mask.laneMask(), lanes); // a constant if all lanes are active
      storeUnderMask(v,
                     v.b.CreateShuffleVector(value, cover.lanesOf(part, row * v.rowLength(), ~0u)),
                     pointer, alignOfNeighbours(v, type, old.getAlign()), mask);
    }
}

} // namespace heddle::engine::simd
