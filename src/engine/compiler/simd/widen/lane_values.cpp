// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/lane_values.h"

#include "engine/compiler/errors.h"
#include <stdexcept>
#include <utility>

using namespace llvm;

namespace heddle::engine::simd {

LaneElements::LaneElements(VectorBuilder &v, Value *vector, bool in_memory)
    : v_(v), vector_(vector) {
  constexpr unsigned most_in_registers = 8;
  auto *type = dyn_cast<FixedVectorType>(vector->getType());
  if (!in_memory || !type || type->getElementType()->isIntegerTy(1) || isa<Constant>(vector) ||
      v.mask.numbersHere().size() <= most_in_registers)
    return;
  auto &unused = v.emitters.unused_elements[type];
  memory_ = unused.empty() ? v.temporary(type, "elements") : unused.pop_back_val();
  v.b.CreateStore(vector, memory_);
}

LaneElements::LaneElements(LaneElements &&other) noexcept
    : v_(other.v_), vector_(other.vector_), memory_(std::exchange(other.memory_, nullptr)) {}

LaneElements::~LaneElements() {
  if (memory_)
    v_.emitters.unused_elements[memory_->getAllocatedType()].push_back(memory_);
}

Value *LaneElements::at(unsigned lane) {
  IRBuilder<> &b = v_.b;
  if (!memory_)
    return b.CreateExtractElement(vector_, b.getInt32(lane));
  Type *type = memory_->getAllocatedType()->getScalarType();
  // Volatile, or LLVM would replace it by an extraction from the vector.
  return b.CreateLoad(type, b.CreateConstInBoundsGEP1_32(type, memory_, lane), /*isVolatile=*/true);
}

// A lane's value of a tiled affine value.
static Value *ofLaneInRow(VectorBuilder &v, Value *old, unsigned lane) {
  Value *first = v.rowsOf(old)[lane / v.rowLength()];
  const uint64_t distance = uint64_t(v.shape(old).stride) * (lane % v.rowLength());
  return first->getType()->isPointerTy() ? v.b.CreateConstGEP1_64(v.b.getInt8Ty(), first, distance)
         : distance == 0                 ? first
                         : v.b.CreateAdd(first, ConstantInt::get(first->getType(), distance));
}

LaneValue::LaneValue(VectorBuilder &v, Value *old) : v_(v), old_(old) {}

Value *LaneValue::at(Value *lane) {
  IRBuilder<> &b = v_.b;
  const Shape shape = v_.shape(old_);
  if (shape.isUniform() && (isa<Constant>(old_) || v_.scalars.count(old_)))
    return v_.scalarOf(old_);
  if (shape.isAffine()) {
    Value *base = v_.scalarOf(old_);
    Type *type = base->getType()->isPointerTy() ? b.getInt64Ty() : base->getType();
    Value *offset = b.CreateMul(b.CreateZExtOrTrunc(lane, type),
                                ConstantInt::get(type, uint64_t(shape.stride)));
    return base->getType()->isPointerTy() ? b.CreateGEP(b.getInt8Ty(), base, offset)
                                          : b.CreateAdd(base, offset);
  }
  if (const auto *number = dyn_cast<ConstantInt>(lane); number && shape.isTiledAffine())
    return ofLaneInRow(v_, old_, unsigned(number->getZExtValue()));
  Value *vector = v_.vectorOf(old_);
  if (vector->getType()->isAggregateType())
    throw Unsupported("it passes structures by value lane by lane");
  if (const auto *number = dyn_cast<ConstantInt>(lane)) {
    if (!elements_)
      elements_.emplace(v_, vector, /*in_memory=*/!v_.mask.areFew());
    return elements_->at(unsigned(number->getZExtValue()));
  }
  // Extracting an element with a variable index is expensive; memory is not. Bits are kept as
  // bytes.
  Type *element = vector->getType()->getScalarType();
  const bool bit = element->isIntegerTy(1);
  Type *kept = bit ? b.getInt8Ty() : element;
  if (!spilled_) {
    spilled_ = v_.temporary(v_.wide(kept), "lanes");
    // Inserted before the loop over lanes that is being built.
    const IRBuilder<>::InsertPointGuard guard(b);
    if (auto *at = cast<Instruction>(lane)->getParent()->getSinglePredecessor())
      b.SetInsertPoint(at->getTerminator());
    else
      b.SetInsertPoint((*pred_begin(cast<Instruction>(lane)->getParent()))->getTerminator());
    b.CreateStore(bit ? b.CreateZExt(vector, v_.wide(kept)) : vector, spilled_);
  }
  Value *value = b.CreateLoad(kept, b.CreateInBoundsGEP(kept, spilled_, lane));
  return bit ? b.CreateTrunc(value, element) : value;
}

LaneAddresses::LaneAddresses(VectorBuilder &v, Value *old_pointer, bool stores)
    : v_(v), pointer_(old_pointer), shape_(v.shape(old_pointer)) {
  if (shape_.isUniform() || (shape_.hasRowBases() && v.mask.isLaneByLane()))
    return;
  if (!shape_.isAffine())
    indexed_ = indexedAddress(old_pointer, v.shapes);
  Value *vector = v.vectorOf(indexed_ ? indexed_->narrow : old_pointer);
  if (!v.mask.isLaneByLane()) {
    IRBuilder<> &b = v.b;
    Value *of_someone = b.CreateExtractElement(vector, v.mask.firstLane());
    vector = b.CreateSelect(v.mask.vector(), vector, b.CreateVectorSplat(v.lanes, of_someone));
  }
  elements_.emplace(v, vector, stores);
}

Value *LaneAddresses::at(unsigned lane) {
  IRBuilder<> &b = v_.b;
  if (!elements_ && shape_.isTiledAffine())
    return ofLaneInRow(v_, pointer_, lane);
  if (!elements_) {
    Value *first = v_.scalarOf(pointer_);
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
    operands.push_back(operand == indexed_->index ? index : v_.scalarOf(operand));
  return b.CreateGEP(gep->getSourceElementType(), v_.scalarOf(gep->getPointerOperand()), operands);
}

LaneAddress::LaneAddress(VectorBuilder &v, Value *old) : LaneValue(v, old) {
  if (v.mask.isLaneByLane())
    all_lanes_.emplace(v, old, /*stores=*/true);
}

Value *LaneAddress::at(Value *lane) {
  return all_lanes_ ? all_lanes_->at(unsigned(cast<ConstantInt>(lane)->getZExtValue()))
                    : LaneValue::at(lane);
}

Value *forEachLane(VectorBuilder &v, Type *result, const std::function<Value *(Value *)> &body) {
  if (v.lanes == 1)
    return body(v.b.getInt32(0));
  const bool collects = result && !result->isVoidTy();
  if (v.mask.isLaneByLane() && !(collects && result->isAggregateType())) {
    Value *vector = collects ? PoisonValue::get(v.wide(result)) : nullptr;
    for (const unsigned lane : v.mask.numbersHere()) {
      Value *value = body(v.b.getInt32(lane));
      if (collects)
        vector = v.b.CreateInsertElement(vector, value, lane);
    }
    return vector;
  }
  LLVMContext &context = v.function->getContext();
  Type *kept = collects && result->isIntegerTy(1) ? v.b.getInt8Ty() : result;
  SmallVector<AllocaInst *> results;
  SmallVector<Type *> parts;
  if (collects && result->isStructTy())
    parts.append(result->subtype_begin(), result->subtype_end());
  else if (collects)
    parts.push_back(result);
  for (Type *&part : parts) {
    kept = part->isIntegerTy(1) ? v.b.getInt8Ty() : part;
    results.push_back(v.temporary(v.wide(kept), "results"));
  }
  Value *all = v.mask.laneBits();
  BasicBlock *before = v.b.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(context, "lane", v.function);
  BasicBlock *end = BasicBlock::Create(context, "lanes.end", v.function);
  v.b.CreateBr(loop);
  v.b.SetInsertPoint(loop);
  PHINode *rest = v.b.CreatePHI(v.mask.bitsType(), 2, "rest");
  Value *lane = v.mask.firstOf(rest);
  lane->setName("lane");
  Value *value = body(lane);
  for (unsigned i = 0; i < parts.size(); ++i) {
    Value *part = result->isStructTy() ? v.b.CreateExtractValue(value, i) : value;
    if (parts[i]->isIntegerTy(1))
      part = v.b.CreateZExt(part, v.b.getInt8Ty());
    v.b.CreateStore(part, v.b.CreateInBoundsGEP(part->getType(), results[i], lane));
  }
  Value *others = v.b.CreateAnd(rest, v.b.CreateSub(rest, ConstantInt::get(v.mask.bitsType(), 1)));
  rest->addIncoming(all, before);
  rest->addIncoming(others, v.b.GetInsertBlock());
  v.b.CreateCondBr(v.b.CreateIsNull(others), end, loop);
  v.b.SetInsertPoint(end);
  if (!collects)
    return nullptr;
  const auto read = [&](unsigned i) -> Value * {
    Value *vector = v.b.CreateLoad(results[i]->getAllocatedType(), results[i]);
    return parts[i]->isIntegerTy(1) ? v.b.CreateTrunc(vector, v.wide(parts[i])) : vector;
  };
  if (!result->isStructTy())
    return read(0);
  Value *structure = PoisonValue::get(v.wide(result));
  for (unsigned i = 0; i < parts.size(); ++i)
    structure = v.b.CreateInsertValue(structure, read(i), i);
  return structure;
}

} // namespace heddle::engine::simd
