// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/vector_builder.h"

#include "engine/abi.h"
#include "engine/compiler/errors.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/widen/kinds/widen_columns.h"
#include "engine/compiler/simd/widen/tiled_values.h"
#include "engine/compiler/simd/widen/widen_packs.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace heddle::engine::simd {

VectorBuilder::VectorBuilder(Function &thread, const WidenOptions &options,
                             std::vector<Remark> *remarks)
    : thread(thread), options(options), data(thread.getParent()->getDataLayout()),
      lanes(options.layout.lanes), code(thread, options.layout), shapes(code.shapes),
      accesses(thread, shapes, options.layout, options.native_gather,
               [this](const Value &address) { return rowStepOf(*this, address); }),
      b(thread.getContext()), mask(b, options.layout), remarks_(remarks) {}

Type *VectorBuilder::wide(Type *type) const {
  if (type->isVoidTy())
    return type;
  if (auto *structure = dyn_cast<StructType>(type)) {
    SmallVector<Type *> fields;
    for (Type *field : structure->elements())
      fields.push_back(wide(field));
    return StructType::get(type->getContext(), fields);
  }
  if (auto *array = dyn_cast<ArrayType>(type))
    return ArrayType::get(wide(array->getElementType()), array->getNumElements());
  if (const auto *pack = dyn_cast<FixedVectorType>(type))
    return FixedVectorType::get(pack->getElementType(), pack->getNumElements() * lanes);
  if (!FixedVectorType::isValidElementType(type))
    throw Unsupported("it has values of a type that cannot be put into vectors");
  return FixedVectorType::get(type, lanes);
}

Value *VectorBuilder::scalarOf(Value *value) {
  if (isa<Constant, MetadataAsValue, InlineAsm>(value))
    return value;
  Value *scalar = scalars.lookup(value);
  if (!scalar)
    throw InternalError("a value has no scalar form");
  return scalar;
}

// The vector of all lanes' values, where the value has a base, at the builder's position.
Value *VectorBuilder::spreadOut(Value *scalar, const Shape &shape) {
  Type *type = scalar->getType();
  if (type->isStructTy() || type->isArrayTy()) {
    Value *result = PoisonValue::get(wide(type));
    const unsigned count =
        type->isStructTy() ? type->getStructNumElements() : unsigned(type->getArrayNumElements());
    for (unsigned i = 0; i < count; ++i)
      result = b.CreateInsertValue(result, spreadOut(b.CreateExtractValue(scalar, i), {}), i);
    return result;
  }
  if (type->isVectorTy())
    return repeatedPack(*this, scalar);
  return growing(scalar, shape.stride, lanes);
}

Value *VectorBuilder::growing(Value *first, int64_t stride, unsigned count) {
  if (stride == 0)
    return b.CreateVectorSplat(count, first, first->getName());
  Type *type = first->getType();
  SmallVector<Constant *> steps;
  for (unsigned i = 0; i < count; ++i)
    steps.push_back(
        ConstantInt::get(type->isPointerTy() ? b.getInt64Ty() : type, uint64_t(stride) * i));
  Constant *offsets = ConstantVector::get(steps);
  if (type->isPointerTy())
    return b.CreateGEP(b.getInt8Ty(), first, offsets, first->getName());
  return b.CreateAdd(b.CreateVectorSplat(count, first), offsets, first->getName());
}

Value *VectorBuilder::vectorOf(Value *value) {
  if (auto *constant = dyn_cast<Constant>(value)) {
    if (isa<PoisonValue>(constant))
      return PoisonValue::get(wide(constant->getType()));
    if (isa<UndefValue>(constant))
      return UndefValue::get(wide(constant->getType()));
    if (constant->getType()->isVectorTy())
      return repeatedPack(*this, constant);
    if (constant->getType()->isAggregateType())
      return spreadOut(constant, {});
    return ConstantVector::getSplat(ElementCount::getFixed(lanes), constant);
  }
  if (Value *vector = vectors.lookup(value))
    return vector;
  if (shape(value).isTiledAffine())
    return vectors[value] = vectorOfRows(value);
  Value *scalar = scalarOf(value);
  // After the definition, so that it dominates all uses.
  const IRBuilder<>::InsertPointGuard guard(b);
  if (auto *instruction = dyn_cast<Instruction>(scalar))
    // A block that is being written may end with the definition.
    b.SetInsertPoint(instruction->getParent(), instruction->getInsertionPointAfterDef().value_or(
                                                   instruction->getParent()->end()));
  else
    b.SetInsertPoint(function->getEntryBlock().getTerminator());
  return vectors[value] = spreadOut(scalar, shape(value));
}

Value *VectorBuilder::vectorOfRows(Value *value) {
  const IRBuilder<>::InsertPointGuard guard(b);
  // After the definition, so that it dominates all uses. Without one, all rows are constants.
  if (Instruction *end = rows_end.lookup(value)) {
    BasicBlock *block = end->getParent();
    b.SetInsertPoint(block,
                     isa<PHINode>(end) ? block->getFirstNonPHIIt() : std::next(end->getIterator()));
  }
  if (value->getType()->isIntegerTy(1))
    return maskOfRows(*this, row_values.lookup(value));
  SmallVector<Value *> parts;
  for (Value *first : row_values.lookup(value))
    parts.push_back(growing(first, shape(value).stride, rowLength()));
  return concatenateVectors(b, parts);
}

Rows VectorBuilder::rowsOf(Value *value) {
  const Shape form = shape(value);
  if (form.isTiledAffine())
    return row_values.lookup(value);
  Value *first = scalarOf(value);
  Rows result;
  for (unsigned row = 0; row < rowCount(); ++row) {
    const uint64_t distance = uint64_t(form.stride) * row * rowLength();
    if (distance == 0)
      result.push_back(first);
    else if (first->getType()->isPointerTy())
      result.push_back(b.CreateConstGEP1_64(b.getInt8Ty(), first, distance));
    else
      result.push_back(b.CreateAdd(first, ConstantInt::get(first->getType(), distance)));
  }
  return result;
}

void VectorBuilder::defineRows(Instruction &old, Rows rows) {
  for (Value *row : rows)
    if (isa<Instruction>(row) && !row->hasName())
      row->setName(old.getName());
  BasicBlock *block = b.GetInsertBlock();
  rows_end[&old] = block->empty() ? nullptr : &block->back();
  row_values[&old] = std::move(rows);
}

Value *VectorBuilder::partOf(Value *vector, unsigned first, unsigned count) {
  const unsigned all = cast<FixedVectorType>(vector->getType())->getNumElements();
  if (count == all)
    return vector;
  if (vector->getType()->getScalarType()->isIntegerTy(1)) { // LLVM would shuffle bit by bit
    Value *bits = b.CreateLShr(b.CreateBitCast(vector, b.getIntNTy(all)), first);
    return b.CreateBitCast(b.CreateTrunc(bits, b.getIntNTy(count)),
                           FixedVectorType::get(b.getInt1Ty(), count));
  }
  return b.CreateShuffleVector(vector, createSequentialMask(first, count, 0));
}

Value *VectorBuilder::rowOf(Value *vector, unsigned row) {
  return partOf(vector, row * rowLength(), rowLength());
}

void VectorBuilder::define(Instruction &old, Value *value) {
  if (!value)
    return;
  if (value->getType() == old.getType() && shape(&old).hasBase())
    scalars[&old] = value;
  else
    vectors[&old] = value;
  if (isa<Instruction>(value) && !value->hasName())
    value->takeName(&old);
}

Value *VectorBuilder::insertOrFold(Instruction *copy) {
  Constant *known = ConstantFoldInstruction(copy, data);
  if (!known)
    return b.Insert(copy);
  copy->deleteValue();
  return known;
}

Instruction *copyForFirst(const Instruction &instruction) {
  const auto *bits = dyn_cast<PossiblyDisjointInst>(&instruction);
  Instruction *copy = bits && bits->isDisjoint()
                          ? BinaryOperator::CreateAdd(bits->getOperand(0), bits->getOperand(1))
                          : instruction.clone();
  copy->dropPoisonGeneratingFlags();
  return copy;
}

void VectorBuilder::keepScalar(Instruction &instruction) {
  const bool plain = all_of(instruction.operands(),
                            [&](const Use &operand) { return shape(operand).isUniform(); });
  Instruction *copy = plain ? instruction.clone() : copyForFirst(instruction);
  for (Use &operand : copy->operands()) {
    const Shape form = shape(operand);
    if (form.isTiledAffine())
      operand.set(rowsOf(operand).front());
    else if (form.hasBase())
      operand.set(scalarOf(operand));
    else // it does not affect the result: the condition of a select between equals
      operand.set(Constant::getNullValue(operand->getType()));
  }
  Value *result = insertOrFold(copy);
  if (isa<Instruction>(result))
    result->takeName(&instruction);
  scalars[&instruction] = result;
}

Value *VectorBuilder::linearIndex() {
  return contextField(b.getInt32Ty(), offsetof(ThreadContext, linear_index));
}

Value *VectorBuilder::contextField(Type *type, uint64_t offset) {
  return loadThreadField(b, gang, type, offset);
}

Value *VectorBuilder::blockField(uint64_t offset) {
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), block, offset);
}

AllocaInst *VectorBuilder::temporary(Type *type, const Twine &name) {
  const IRBuilder<>::InsertPointGuard guard(b);
  BasicBlock &entry = function->getEntryBlock();
  b.SetInsertPoint(&entry, entry.begin());
  b.SetCurrentDebugLocation(DebugLoc());
  return b.CreateAlloca(type, nullptr, name);
}

Value *VectorBuilder::either(Value *condition, const std::function<Value *()> &yes,
                             const std::function<Value *()> &no) {
  if (auto *constant = dyn_cast<ConstantInt>(condition))
    return constant->isOne() ? yes() : no();
  LLVMContext &context = function->getContext();
  BasicBlock *then = BasicBlock::Create(context, "all", function);
  BasicBlock *other = BasicBlock::Create(context, "some", function);
  BasicBlock *end = BasicBlock::Create(context, "joined", function);
  b.CreateCondBr(condition, then, other);
  // What one path has loaded is not there on the other, nor behind them.
  const auto loaded = emitters.group_values;
  b.SetInsertPoint(then);
  Value *first = yes();
  then = b.GetInsertBlock();
  b.CreateBr(end);
  emitters.group_values = loaded;
  b.SetInsertPoint(other);
  Value *second = no();
  other = b.GetInsertBlock();
  b.CreateBr(end);
  emitters.group_values = loaded;
  b.SetInsertPoint(end);
  if (!first || first->getType()->isVoidTy())
    return nullptr;
  PHINode *phi = b.CreatePHI(first->getType(), 2);
  phi->addIncoming(first, then);
  phi->addIncoming(second, other);
  return phi;
}

void VectorBuilder::remark(const Instruction &instruction, Remark::Kind kind, const Twine &what) {
  if (remarks_)
    remarks_->emplace_back(kind, instruction, what.str()).masked = !mask.areFirstInRows();
}

} // namespace heddle::engine::simd
