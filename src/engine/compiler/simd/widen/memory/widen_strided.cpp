// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses with a small stride, as in arrays of small structures or in the lower levels of a tree:
// a few vectors instead of one access per lane.
#include "engine/compiler/simd/analysis/alignment_analysis.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/widen/widener.h"

#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// With larger strides, the vectors cost as much as gathers.
constexpr int64_t largest_step = 8;

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

// The stride in elements (within a row if tiled), if it is small; else 0.
unsigned Widener::smallStep(const Shape &address, Type *type) const {
  const int64_t size = int64_t(sizeOf(type));
  if (!address.hasRowBases() || !isPlain(type) || address.stride % size != 0)
    return 0;
  const int64_t step = address.stride / size;
  return step >= 2 && step <= largest_step ? unsigned(step) : 0;
}

// The number of elements before the first lane's in its line (in each row), if it is known and if
// whole lines that cover the lanes' elements touch no other lines than these.
std::optional<unsigned> Widener::placeInLine(Value *old_pointer, Type *type, unsigned step,
                                             unsigned lanes) const {
  const uint64_t size = sizeOf(type), span = uint64_t(lanes) * step * size;
  const LowBits known = knownAlignmentOf(*old_pointer, shapes_, data_);
  const uint64_t bytes = known.value % line_bytes;
  if (uint64_t(1) << std::min(known.count, 63u) < line_bytes || bytes % size != 0 ||
      step * size > line_bytes || (span > line_bytes && span % line_bytes != 0) ||
      bytes / size >= step)
    return std::nullopt;
  return unsigned(bytes / size);
}

// The lanes' mask in this order; `lanes_` stands for no lane. Through bytes, as LLVM would move
// single bits.
Value *Widener::chosenLanes(Value *mask, ArrayRef<int> lanes) {
  auto *bytes = FixedVectorType::get(b_.getInt8Ty(), lanes_);
  Value *chosen =
      b_.CreateShuffleVector(b_.CreateSExt(mask, bytes), Constant::getNullValue(bytes), lanes);
  return b_.CreateIsNeg(chosen);
}

// Loads the elements between, too; their pages are accessed anyway.
Value *Widener::loadEvery(LoadInst &old, unsigned step) {
  Type *type = old.getType();
  const Cover cover{rowLength(), step,
                    placeInLine(old.getPointerOperand(), type, step, rowLength())};
  const Rows pointers = rowsOf(old.getPointerOperand());
  prefetchAhead(old, pointers);
  SmallVector<int> order;
  for (unsigned lane = 0; lane < rowLength(); ++lane)
    order.push_back(int(cover.place(lane)));
  SmallVector<Value *> rows;
  for (unsigned row = 0; row < rowCount(); ++row) {
    SmallVector<Value *> parts;
    for (unsigned part = 0; part < step; ++part) {
      Value *pointer = b_.CreateConstGEP1_64(type, pointers[row], uint64_t(cover.start(part)));
      Value *mask = allActive()
                        ? nullptr
                        : chosenLanes(mask_, cover.lanesOf(part, row * rowLength(), lanes_));
      parts.push_back(loadVector(old, FixedVectorType::get(type, rowLength()), pointer, mask));
    }
    rows.push_back(b_.CreateShuffleVector(concatenateVectors(b_, parts), order));
  }
  return concatenateVectors(b_, rows);
}

// Masks off the elements between.
void Widener::storeEvery(StoreInst &old, unsigned step) {
  Type *type = old.getValueOperand()->getType();
  const Cover cover{rowLength(), step,
                    placeInLine(old.getPointerOperand(), type, step, rowLength())};
  const Rows pointers = rowsOf(old.getPointerOperand());
  Value *value = vectorOf(old.getValueOperand());
  for (unsigned row = 0; row < rowCount(); ++row)
    for (unsigned part = 0; part < step; ++part) {
      Value *pointer = b_.CreateConstGEP1_64(type, pointers[row], uint64_t(cover.start(part)));
      const auto lanes = cover.lanesOf(part, row * rowLength(), lanes_);
      Value *mask = chosenLanes(laneMask(), lanes); // a constant if all lanes are active
      storeUnderMask(b_.CreateShuffleVector(value, cover.lanesOf(part, row * rowLength(), ~0u)),
                     pointer, alignOfNeighbours(type, old.getAlign()), mask);
    }
}

} // namespace heddle::engine::simd
