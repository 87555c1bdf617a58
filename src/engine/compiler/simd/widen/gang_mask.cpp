// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/gang_mask.h"

#include "llvm/ADT/Sequence.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// The active lanes, if the mask is a constant.
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

} // namespace

std::optional<unsigned> firstLanesOf(const Value &mask) {
  const auto lanes = lanesOf(mask);
  if (!lanes || (!lanes->empty() && lanes->back() + 1 != lanes->size()))
    return std::nullopt;
  return unsigned(lanes->size());
}

// ---- The mask of the current block ----

void GangMask::setAll() {
  mask_ = bits_ = all_here_ = nullptr;
  first_ = 0;
  few_.clear();
}

SmallVector<unsigned> GangMask::numbersHere() const {
  if (areFew())
    return few_;
  return to_vector<0>(seq(0u, lanesHere()));
}

IntegerType *GangMask::bitsType() const { return b_->getIntNTy(std::max(32u, layout_.lanes)); }

Value *GangMask::bitsOf(Value *mask) const {
  return b_->CreateZExt(b_->CreateBitCast(mask, b_->getIntNTy(layout_.lanes)), bitsType());
}

Value *GangMask::allLanes() const {
  return b_->getInt(APInt::getLowBitsSet(bitsType()->getBitWidth(), layout_.lanes));
}

Value *GangMask::laneBits() const { return allActive() ? allLanes() : bits_; }

Value *GangMask::laneMask() const {
  return allActive() ? static_cast<Value *>(Constant::getAllOnesValue(
                           FixedVectorType::get(b_->getInt1Ty(), layout_.lanes)))
                     : mask_;
}

Value *GangMask::firstOf(Value *bits) const {
  return b_->CreateTrunc(b_->CreateBinaryIntrinsic(Intrinsic::cttz, bits, b_->getTrue()),
                         b_->getInt32Ty());
}

Value *GangMask::firstLane() const {
  if (areFew())
    return b_->getInt32(few_.front());
  return allActive() || first_ ? b_->getInt32(0) : firstOf(laneBits());
}

Value *GangMask::allHere() const { return allActive() ? b_->getTrue() : all_here_; }

Value *GangMask::onlyHere(Value *condition) const {
  return allActive()
             ? condition
             : b_->CreateSelect(mask_, condition, Constant::getNullValue(condition->getType()));
}

void GangMask::set(Value *mask) {
  mask_ = mask;
  first_ = firstLanesOf(*mask).value_or(0);
  const auto lanes = lanesOf(*mask);
  few_ = lanes && lanes->size() <= fewLanes(layout_) ? *lanes : SmallVector<unsigned>();
  if (lanes) {
    APInt bits(bitsType()->getBitWidth(), 0);
    for (const unsigned lane : *lanes)
      bits.setBit(lane);
    bits_ = b_->getInt(bits);
    all_here_ = b_->getInt1(lanes->size() == layout_.lanes);
    return;
  }
  bits_ = bitsOf(mask_);
  all_here_ = b_->CreateICmpEQ(bits_, allLanes(), "all.here");
}

std::optional<unsigned> GangMask::firstInRow(unsigned row) const {
  if (allActive())
    return layout_.rowLength();
  const auto lanes = lanesOf(*mask_);
  if (!lanes)
    return std::nullopt;
  unsigned count = 0;
  for (const unsigned lane : *lanes)
    if (lane / layout_.rowLength() == row && lane % layout_.rowLength() != count++)
      return std::nullopt;
  return count;
}

bool GangMask::areFirstInRows() const {
  return all_of(seq(0u, layout_.lanes / layout_.rowLength()),
                [&](unsigned row) { return firstInRow(row).has_value(); });
}

unsigned GangMask::mostInRow() const {
  unsigned result = 1;
  for (unsigned row = 0; row < layout_.lanes / layout_.rowLength(); ++row)
    result = std::max(result, firstInRow(row).value_or(layout_.rowLength()));
  return result;
}

Value *GangMask::rowIsHere(unsigned row) const {
  const APInt lanes = APInt::getBitsSet(bitsType()->getBitWidth(), row * layout_.rowLength(),
                                        (row + 1) * layout_.rowLength());
  return b_->CreateIsNotNull(b_->CreateAnd(laneBits(), b_->getInt(lanes)));
}

} // namespace heddle::engine::simd
