// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lane-by-lane code for operations without vector instructions.
#include "engine/compiler/simd/widen/widener.h"

#include "engine/compiler/errors.h"
#include <stdexcept>
#include <utility>

using namespace llvm;

namespace heddle::engine::simd {

Widener::LaneElements::LaneElements(Widener &widener, Value *vector, bool in_memory)
    : widener_(widener), vector_(vector) {
  constexpr unsigned most_in_registers = 8;
  auto *type = dyn_cast<FixedVectorType>(vector->getType());
  if (!in_memory || !type || type->getElementType()->isIntegerTy(1) || isa<Constant>(vector) ||
      widener.numbersHere().size() <= most_in_registers)
    return;
  auto &unused = widener.unused_elements_[type];
  memory_ = unused.empty() ? widener.temporary(type, "elements") : unused.pop_back_val();
  widener.b_.CreateStore(vector, memory_);
}

Widener::LaneElements::LaneElements(LaneElements &&other) noexcept
    : widener_(other.widener_), vector_(other.vector_),
      memory_(std::exchange(other.memory_, nullptr)) {}

Widener::LaneElements::~LaneElements() {
  if (memory_)
    widener_.unused_elements_[memory_->getAllocatedType()].push_back(memory_);
}

Value *Widener::LaneElements::at(unsigned lane) {
  IRBuilder<> &b = widener_.b_;
  if (!memory_)
    return b.CreateExtractElement(vector_, b.getInt32(lane));
  Type *type = memory_->getAllocatedType()->getScalarType();
  // Volatile, or LLVM would replace it by an extraction from the vector.
  return b.CreateLoad(type, b.CreateConstInBoundsGEP1_32(type, memory_, lane), /*isVolatile=*/true);
}

// A lane's value of a tiled affine value.
Value *Widener::ofLaneInRow(Value *old, unsigned lane) {
  Value *first = rowsOf(old)[lane / rowLength()];
  const uint64_t distance = uint64_t(shape(old).stride) * (lane % rowLength());
  return first->getType()->isPointerTy() ? b_.CreateConstGEP1_64(b_.getInt8Ty(), first, distance)
         : distance == 0                 ? first
                         : b_.CreateAdd(first, ConstantInt::get(first->getType(), distance));
}

Widener::LaneValue::LaneValue(Widener &widener, Value *old) : widener_(widener), old_(old) {}

Value *Widener::LaneValue::at(Value *lane) {
  IRBuilder<> &b = widener_.b_;
  const Shape shape = widener_.shape(old_);
  if (shape.isUniform() && (isa<Constant>(old_) || widener_.scalars_.count(old_)))
    return widener_.scalarOf(old_);
  if (shape.isAffine()) {
    Value *base = widener_.scalarOf(old_);
    Type *type = base->getType()->isPointerTy() ? b.getInt64Ty() : base->getType();
    Value *offset = b.CreateMul(b.CreateZExtOrTrunc(lane, type),
                                ConstantInt::get(type, uint64_t(shape.stride)));
    return base->getType()->isPointerTy() ? b.CreateGEP(b.getInt8Ty(), base, offset)
                                          : b.CreateAdd(base, offset);
  }
  if (const auto *number = dyn_cast<ConstantInt>(lane); number && shape.isTiledAffine())
    return widener_.ofLaneInRow(old_, unsigned(number->getZExtValue()));
  Value *vector = widener_.vectorOf(old_);
  if (vector->getType()->isAggregateType())
    throw Unsupported("it passes structures by value lane by lane");
  if (const auto *number = dyn_cast<ConstantInt>(lane)) {
    if (!elements_)
      elements_.emplace(widener_, vector, /*in_memory=*/!widener_.areFew());
    return elements_->at(unsigned(number->getZExtValue()));
  }
  // Extracting an element with a variable index is expensive; memory is not. Bits are kept as
  // bytes.
  Type *element = vector->getType()->getScalarType();
  const bool bit = element->isIntegerTy(1);
  Type *kept = bit ? b.getInt8Ty() : element;
  if (!spilled_) {
    spilled_ = widener_.temporary(widener_.wide(kept), "lanes");
    // Inserted before the loop over lanes that is being built.
    const IRBuilder<>::InsertPointGuard guard(b);
    if (auto *at = cast<Instruction>(lane)->getParent()->getSinglePredecessor())
      b.SetInsertPoint(at->getTerminator());
    else
      b.SetInsertPoint((*pred_begin(cast<Instruction>(lane)->getParent()))->getTerminator());
    b.CreateStore(bit ? b.CreateZExt(vector, widener_.wide(kept)) : vector, spilled_);
  }
  Value *value = b.CreateLoad(kept, b.CreateInBoundsGEP(kept, spilled_, lane));
  return bit ? b.CreateTrunc(value, element) : value;
}

std::optional<Widener::IndexedAddress> Widener::indexedAddress(Value *pointer) const {
  IndexedAddress result;
  result.gep = dyn_cast<GetElementPtrInst>(pointer);
  if (!result.gep || !shape(result.gep->getPointerOperand()).isUniform())
    return std::nullopt;
  for (Value *index : result.gep->indices())
    if (!shape(index).isUniform()) {
      if (result.index)
        return std::nullopt;
      result.index = index;
    }
  if (!result.index)
    return std::nullopt;
  result.narrow = result.index;
  if (isa<SExtInst, ZExtInst>(result.index)) {
    result.extension = cast<CastInst>(result.index);
    result.narrow = result.extension->getOperand(0);
  }
  return result;
}

Widener::LaneAddresses::LaneAddresses(Widener &widener, Value *old_pointer, bool stores)
    : widener_(widener), pointer_(old_pointer), shape_(widener.shape(old_pointer)) {
  if (shape_.isUniform() || (shape_.hasRowBases() && widener.isLaneByLane()))
    return;
  if (!shape_.isAffine())
    indexed_ = widener.indexedAddress(old_pointer);
  Value *vector = widener.vectorOf(indexed_ ? indexed_->narrow : old_pointer);
  if (!widener.isLaneByLane()) {
    IRBuilder<> &b = widener.b_;
    Value *of_someone = b.CreateExtractElement(vector, widener.firstLane());
    vector = b.CreateSelect(widener.mask_, vector, b.CreateVectorSplat(widener.lanes_, of_someone));
  }
  elements_.emplace(widener, vector, stores);
}

Value *Widener::LaneAddresses::at(unsigned lane) {
  IRBuilder<> &b = widener_.b_;
  if (!elements_ && shape_.isTiledAffine())
    return widener_.ofLaneInRow(pointer_, lane);
  if (!elements_) {
    Value *first = widener_.scalarOf(pointer_);
    return shape_.isUniform()
               ? first
               : b.CreateConstGEP1_64(b.getInt8Ty(), first, uint64_t(shape_.stride) * lane);
  }
  Value *index = elements_->at(lane);
  if (!indexed_)
    return index;
  if (indexed_->extension)
    index = b.CreateCast(indexed_->extension->getOpcode(), index, indexed_->extension->getType());
  GetElementPtrInst *gep = indexed_->gep;
  SmallVector<Value *> operands;
  for (Value *operand : gep->indices())
    operands.push_back(operand == indexed_->index ? index : widener_.scalarOf(operand));
  return b.CreateGEP(gep->getSourceElementType(), widener_.scalarOf(gep->getPointerOperand()),
                     operands);
}

Widener::LaneAddress::LaneAddress(Widener &widener, Value *old) : LaneValue(widener, old) {
  if (widener.isLaneByLane())
    all_lanes_.emplace(widener, old, /*stores=*/true);
}

Value *Widener::LaneAddress::at(Value *lane) {
  return all_lanes_ ? all_lanes_->at(unsigned(cast<ConstantInt>(lane)->getZExtValue()))
                    : LaneValue::at(lane);
}

Value *Widener::forEachLane(Type *result, const std::function<Value *(Value *)> &body) {
  if (lanes_ == 1)
    return body(b_.getInt32(0));
  const bool collects = result && !result->isVoidTy();
  if (isLaneByLane() && !(collects && result->isAggregateType())) {
    Value *vector = collects ? PoisonValue::get(wide(result)) : nullptr;
    for (const unsigned lane : numbersHere()) {
      Value *value = body(b_.getInt32(lane));
      if (collects)
        vector = b_.CreateInsertElement(vector, value, lane);
    }
    return vector;
  }
  LLVMContext &context = new_->getContext();
  Type *kept = collects && result->isIntegerTy(1) ? b_.getInt8Ty() : result;
  SmallVector<AllocaInst *> results;
  SmallVector<Type *> parts;
  if (collects && result->isStructTy())
    parts.append(result->subtype_begin(), result->subtype_end());
  else if (collects)
    parts.push_back(result);
  for (Type *&part : parts) {
    kept = part->isIntegerTy(1) ? b_.getInt8Ty() : part;
    results.push_back(temporary(wide(kept), "results"));
  }
  Value *all = laneBits();
  BasicBlock *before = b_.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(context, "lane", new_);
  BasicBlock *end = BasicBlock::Create(context, "lanes.end", new_);
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  PHINode *rest = b_.CreatePHI(bitsType(), 2, "rest");
  Value *lane = firstOf(rest);
  lane->setName("lane");
  Value *value = body(lane);
  for (unsigned i = 0; i < parts.size(); ++i) {
    Value *part = result->isStructTy() ? b_.CreateExtractValue(value, i) : value;
    if (parts[i]->isIntegerTy(1))
      part = b_.CreateZExt(part, b_.getInt8Ty());
    b_.CreateStore(part, b_.CreateInBoundsGEP(part->getType(), results[i], lane));
  }
  Value *others = b_.CreateAnd(rest, b_.CreateSub(rest, ConstantInt::get(bitsType(), 1)));
  rest->addIncoming(all, before);
  rest->addIncoming(others, b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateIsNull(others), end, loop);
  b_.SetInsertPoint(end);
  if (!collects)
    return nullptr;
  const auto read = [&](unsigned i) -> Value * {
    Value *vector = b_.CreateLoad(results[i]->getAllocatedType(), results[i]);
    return parts[i]->isIntegerTy(1) ? b_.CreateTrunc(vector, wide(parts[i])) : vector;
  };
  if (!result->isStructTy())
    return read(0);
  Value *structure = PoisonValue::get(wide(result));
  for (unsigned i = 0; i < parts.size(); ++i)
    structure = b_.CreateInsertValue(structure, read(i), i);
  return structure;
}

} // namespace heddle::engine::simd
