// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that only lanes known at compile time execute (known_lane_peeling.h). The first 16 elements
// are a vector of 16 instead of a masked one of 32: a CPU forwards a store to the next load of the
// same bytes, but not a masked one, so that the load would wait about 20 cycles for the cache in
// each step of a tree reduction. In a tiled gang, the first lanes of each row (`threadIdx.x < 4`,
// the border of a tile) are a short vector per row. Up to eight lanes with unrelated addresses
// access memory one by one, also if they are not the first ones, but, say, one of each warp.
#include "engine/compiler/simd/widen/widener.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// Splits the lanes into powers of two: 24 as 16 and 8. Calls body(first, count).
template <typename Body> void forEachPart(unsigned lanes, const Body &body) {
  for (unsigned first = 0, count = 0; first < lanes; first += count) {
    count = bit_floor(lanes - first);
    body(first, count);
  }
}

} // namespace

std::optional<SmallVector<unsigned>> lanesOf(const Value &mask) {
  const auto *constant = dyn_cast<Constant>(&mask);
  const auto *type = dyn_cast<FixedVectorType>(mask.getType());
  if (!constant || !type)
    return std::nullopt;
  SmallVector<unsigned> lanes;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    const auto *bit = dyn_cast_or_null<ConstantInt>(constant->getAggregateElement(lane));
    if (!bit)
      return std::nullopt;
    if (bit->isOne())
      lanes.push_back(lane);
  }
  return lanes;
}

std::optional<unsigned> firstLanesOf(const Value &mask) {
  const auto lanes = lanesOf(mask);
  if (!lanes || (!lanes->empty() && lanes->back() + 1 != lanes->size()))
    return std::nullopt;
  return unsigned(lanes->size());
}

SmallVector<unsigned> Widener::numbersHere() const {
  if (areFew())
    return few_;
  return to_vector<0>(seq(0u, lanesHere()));
}

// Sets the mask of the current block.
void Widener::setMask(Value *mask) {
  mask_ = mask;
  first_ = firstLanesOf(*mask).value_or(0);
  const auto lanes = lanesOf(*mask);
  few_ = lanes && lanes->size() <= fewLanes() ? *lanes : SmallVector<unsigned>();
  if (lanes) {
    APInt bits(bitsType()->getBitWidth(), 0);
    for (const unsigned lane : *lanes)
      bits.setBit(lane);
    bits_ = b_.getInt(bits);
    all_here_ = b_.getInt1(lanes->size() == lanes_);
    return;
  }
  bits_ = bitsOf(mask_);
  all_here_ = b_.CreateICmpEQ(bits_, allLanes(), "all.here");
}

// The number of active lanes of the row, if known and if they are its first ones.
std::optional<unsigned> Widener::firstInRow(unsigned row) const {
  if (allActive())
    return rowLength();
  const auto lanes = lanesOf(*mask_);
  if (!lanes)
    return std::nullopt;
  unsigned count = 0;
  for (const unsigned lane : *lanes)
    if (lane / rowLength() == row && lane % rowLength() != count++)
      return std::nullopt;
  return count;
}

bool Widener::areFirstInRows() const {
  return all_of(seq(0u, rowCount()), [&](unsigned row) { return firstInRow(row).has_value(); });
}

// An upper bound of the active lanes of a row.
unsigned Widener::mostInRow() const {
  unsigned result = 1;
  for (unsigned row = 0; row < rowCount(); ++row)
    result = std::max(result, firstInRow(row).value_or(rowLength()));
  return result;
}

// Loads the first `here` of `lanes` contiguous elements from `pointer` on; the rest is poison.
Value *Widener::loadFirst(LoadInst &old, Value *pointer, unsigned here, unsigned lanes) {
  Type *type = old.getType();
  Value *result = PoisonValue::get(FixedVectorType::get(type, lanes));
  forEachPart(here, [&](unsigned first, unsigned count) {
    Value *part = loadVector(old, FixedVectorType::get(type, count),
                             b_.CreateConstGEP1_64(type, pointer, first), nullptr);
    if (count < lanes)
      part = b_.CreateShuffleVector(part, createSequentialMask(0, count, lanes - count));
    if (first == 0) {
      result = part;
      return;
    }
    SmallVector<int> order = createSequentialMask(0, first, lanes - first);
    for (unsigned lane = 0; lane < count; ++lane)
      order[first + lane] = int(lanes + lane);
    result = b_.CreateShuffleVector(result, part, order);
  });
  return result;
}

void Widener::storeFirst(StoreInst &old, Value *pointer, Value *vector, unsigned here) {
  Type *type = old.getValueOperand()->getType();
  forEachPart(here, [&](unsigned first, unsigned count) {
    Value *part = b_.CreateShuffleVector(vector, createSequentialMask(first, count, 0));
    StoreInst *store =
        b_.CreateAlignedStore(part, b_.CreateConstGEP1_64(type, pointer, first),
                              alignOfNeighbours(type, old.getAlign()), old.isVolatile());
    store->copyMetadata(old, kept_of_access);
  });
}

} // namespace heddle::engine::simd
