// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/widen.h"

#include "engine/compiler/errors.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/prefix_predicates.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/widen/widener.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/CFG.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::engine::simd {

Widener::Widener(Function &thread, const WidenOptions &options, std::vector<Remark> *remarks)
    : old_(thread), options_(options), remarks_(remarks),
      data_(thread.getParent()->getDataLayout()), lanes_(options.layout.lanes),
      code_(thread, options.layout), shapes_(code_.shapes), b_(thread.getContext()) {}

Function *Widener::run() {
  for (BasicBlock &block : old_)
    if (shapes_.divergesAt(&block))
      throw InternalError("a branch is still divergent");
  findGroups();
  startFunction();
  const ReversePostOrderTraversal<Function *> order(&old_);
  for (BasicBlock *block : order)
    heads_[block] = BasicBlock::Create(new_->getContext(), block->getName(), new_);
  BranchInst::Create(heads_[&old_.getEntryBlock()], first_block_);
  for (BasicBlock *block : order)
    widenBlock(*block);
  completePhis();
  if (options_.sweeps)
    splitByState();
  old_.eraseFromParent();
  return new_;
}

void Widener::abandon() {
  if (!new_)
    return;
  new_->deleteBody();
  new_->eraseFromParent();
}

// ---- Values ----

Type *Widener::wide(Type *type) const {
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
    return FixedVectorType::get(pack->getElementType(), pack->getNumElements() * lanes_);
  if (!FixedVectorType::isValidElementType(type))
    throw Unsupported("it has values of a type that cannot be put into vectors");
  return FixedVectorType::get(type, lanes_);
}

Value *Widener::scalarOf(Value *value) {
  if (isa<Constant, MetadataAsValue, InlineAsm>(value))
    return value;
  Value *scalar = scalars_.lookup(value);
  if (!scalar)
    throw InternalError("a value has no scalar form");
  return scalar;
}

// The vector of all lanes' values, where the value has a base, at the builder's position.
Value *Widener::spreadOut(Value *scalar, const Shape &shape) {
  Type *type = scalar->getType();
  if (type->isStructTy() || type->isArrayTy()) {
    Value *result = PoisonValue::get(wide(type));
    const unsigned count =
        type->isStructTy() ? type->getStructNumElements() : unsigned(type->getArrayNumElements());
    for (unsigned i = 0; i < count; ++i)
      result = b_.CreateInsertValue(result, spreadOut(b_.CreateExtractValue(scalar, i), {}), i);
    return result;
  }
  if (type->isVectorTy())
    return repeatedPack(scalar);
  return growing(scalar, shape.stride, lanes_);
}

// A vector of `count` elements: first, first + stride, …
Value *Widener::growing(Value *first, int64_t stride, unsigned count) {
  if (stride == 0)
    return b_.CreateVectorSplat(count, first, first->getName());
  Type *type = first->getType();
  SmallVector<Constant *> steps;
  for (unsigned i = 0; i < count; ++i)
    steps.push_back(
        ConstantInt::get(type->isPointerTy() ? b_.getInt64Ty() : type, uint64_t(stride) * i));
  Constant *offsets = ConstantVector::get(steps);
  if (type->isPointerTy())
    return b_.CreateGEP(b_.getInt8Ty(), first, offsets, first->getName());
  return b_.CreateAdd(b_.CreateVectorSplat(count, first), offsets, first->getName());
}

Value *Widener::vectorOf(Value *value) {
  if (auto *constant = dyn_cast<Constant>(value)) {
    if (isa<PoisonValue>(constant))
      return PoisonValue::get(wide(constant->getType()));
    if (isa<UndefValue>(constant))
      return UndefValue::get(wide(constant->getType()));
    if (constant->getType()->isVectorTy())
      return repeatedPack(constant);
    if (constant->getType()->isAggregateType())
      return spreadOut(constant, {});
    return ConstantVector::getSplat(ElementCount::getFixed(lanes_), constant);
  }
  if (Value *vector = vectors_.lookup(value))
    return vector;
  if (shape(value).isTiledAffine())
    return vectors_[value] = vectorOfRows(value);
  Value *scalar = scalarOf(value);
  // After the definition, so that it dominates all uses.
  const IRBuilder<>::InsertPointGuard guard(b_);
  if (auto *instruction = dyn_cast<Instruction>(scalar))
    // A block that is being written may end with the definition.
    b_.SetInsertPoint(instruction->getParent(), instruction->getInsertionPointAfterDef().value_or(
                                                    instruction->getParent()->end()));
  else
    b_.SetInsertPoint(new_->getEntryBlock().getTerminator());
  return vectors_[value] = spreadOut(scalar, shape(value));
}

// Records the value that replaces an instruction of the thread's code.
void Widener::define(Instruction &old, Value *value) {
  if (!value)
    return;
  if (value->getType() == old.getType() && shape(&old).hasBase())
    scalars_[&old] = value;
  else
    vectors_[&old] = value;
  if (isa<Instruction>(value) && !value->hasName())
    value->takeName(&old);
}

// ---- Masks ----

Value *Widener::bitsOf(Value *mask) {
  return b_.CreateZExt(b_.CreateBitCast(mask, b_.getIntNTy(lanes_)), bitsType());
}

Value *Widener::allLanes() {
  return b_.getInt(APInt::getLowBitsSet(bitsType()->getBitWidth(), lanes_));
}

Value *Widener::laneBits() { return allActive() ? allLanes() : bits_; }

Value *Widener::laneMask() {
  return allActive() ? static_cast<Value *>(Constant::getAllOnesValue(wide(b_.getInt1Ty())))
                     : mask_;
}

Value *Widener::firstOf(Value *bits) {
  return b_.CreateTrunc(b_.CreateBinaryIntrinsic(Intrinsic::cttz, bits, b_.getTrue()),
                        b_.getInt32Ty());
}

Value *Widener::firstLane() {
  if (areFew())
    return b_.getInt32(few_.front());
  return allActive() || first_ ? b_.getInt32(0) : firstOf(laneBits());
}

Value *Widener::linearIndex() {
  return contextField(b_.getInt32Ty(), offsetof(ThreadContext, linear_index));
}

Value *Widener::allHere() { return allActive() ? b_.getTrue() : all_here_; }

Value *Widener::onlyHere(Value *condition) {
  return allActive()
             ? condition
             : b_.CreateSelect(mask_, condition, Constant::getNullValue(condition->getType()));
}

Value *Widener::contextField(Type *type, uint64_t offset) {
  return loadThreadField(b_, context(), type, offset); // invariant while the gang runs
}

AllocaInst *Widener::temporary(Type *type, const Twine &name) {
  const IRBuilder<>::InsertPointGuard guard(b_);
  BasicBlock &entry = new_->getEntryBlock();
  b_.SetInsertPoint(&entry, entry.begin());
  b_.SetCurrentDebugLocation(DebugLoc());
  return b_.CreateAlloca(type, nullptr, name);
}

Value *Widener::either(Value *condition, const std::function<Value *()> &yes,
                       const std::function<Value *()> &no) {
  if (auto *constant = dyn_cast<ConstantInt>(condition))
    return constant->isOne() ? yes() : no();
  LLVMContext &context = new_->getContext();
  BasicBlock *then = BasicBlock::Create(context, "all", new_);
  BasicBlock *other = BasicBlock::Create(context, "some", new_);
  BasicBlock *end = BasicBlock::Create(context, "joined", new_);
  b_.CreateCondBr(condition, then, other);
  b_.SetInsertPoint(then);
  Value *first = yes();
  then = b_.GetInsertBlock();
  b_.CreateBr(end);
  b_.SetInsertPoint(other);
  Value *second = no();
  other = b_.GetInsertBlock();
  b_.CreateBr(end);
  b_.SetInsertPoint(end);
  if (!first || first->getType()->isVoidTy())
    return nullptr;
  PHINode *phi = b_.CreatePHI(first->getType(), 2);
  phi->addIncoming(first, then);
  phi->addIncoming(second, other);
  return phi;
}

// ---- Blocks ----

void Widener::widenBlock(BasicBlock &block) {
  b_.SetInsertPoint(heads_[&block]);
  mask_ = bits_ = all_here_ = nullptr;
  first_ = 0;
  few_.clear();
  gatherPrefetched(block);
  Update update;    // in progress
  InPlace in_place; // in progress
  for (Instruction &instruction : block) {
    b_.SetCurrentDebugLocation(instruction.getDebugLoc());
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && update.empty()) {
      in_place = changeInPlace(*load);
      update = in_place.members.empty() ? updateBeginningWith(*load) : in_place.members;
    }
    const bool in_update = is_contained(update, &instruction);
    if ((!in_update || in_place.members.empty()) && !mayStayBehind(instruction))
      finishChanges();
    if (in_update) {
      if (&instruction != update.back())
        continue;
      if (in_place.members.empty())
        widenUpdate(update);
      else
        widenInPlace(in_place);
      update.clear();
    } else if (instruction.isTerminator()) {
      const BasicBlock *next = block.getSingleSuccessor();
      if (!next || !next->getSinglePredecessor()) // otherwise `next` is widened next
        finishChanges();
      tails_[&block] = b_.GetInsertBlock();
      prefetched_at_[&block] = prefetched_;
      widenTerminator(instruction);
    } else {
      widenInstruction(instruction);
    }
  }
}

void Widener::widenTerminator(Instruction &terminator) {
  if (auto *branch = dyn_cast<BranchInst>(&terminator)) {
    if (!branch->isConditional()) {
      b_.CreateBr(heads_[branch->getSuccessor(0)]);
    } else {
      auto *copy =
          b_.CreateCondBr(scalarOf(branch->getCondition()), heads_[branch->getSuccessor(0)],
                          heads_[branch->getSuccessor(1)]);
      copy->copyMetadata(*branch);
      const Value *condition = branch->getCondition();
      const StringRef name = calledName(*condition);
      if (name == any_marker || name == all_marker)
        condition = cast<CallInst>(condition)->getArgOperand(0);
      MDNode *mark = MDNode::get(new_->getContext(), {});
      if (allActive() && holdsForLeadingThreads(*condition))
        copy->setMetadata(leading_branch, mark);
      if (allActive() && holdsOnlyBelow(*condition, lanes_))
        copy->setMetadata(first_gang_branch, mark);
    }
  } else if (isa<ReturnInst>(terminator)) {
    endGang();
  } else if (isa<UnreachableInst>(terminator)) {
    b_.CreateUnreachable();
  } else {
    throw Unsupported("it has a control instruction that is not supported");
  }
}

void Widener::widenInstruction(Instruction &instruction) {
  if (instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd())
    return;
  if (auto *phi = dyn_cast<PHINode>(&instruction); phi && shape(phi).isTiledAffine()) {
    makeRowPhis(*phi);
  } else if (phi) {
    const bool scalar = shape(phi).hasBase();
    define(*phi, b_.CreatePHI(scalar ? phi->getType() : wide(phi->getType()),
                              phi->getNumIncomingValues()));
  } else if (auto *inner = dyn_cast<LoadInst>(&instruction);
             inner && shape(inner).isTiledAffine()) {
    loadFromEachRow(*inner);
  } else if (inner) {
    define(instruction, load(*inner));
  } else if (auto *inner = dyn_cast<StoreInst>(&instruction)) {
    store(*inner);
  } else if (auto *inner = dyn_cast<AtomicRMWInst>(&instruction)) {
    define(instruction, atomic(*inner));
  } else if (auto *inner = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    define(instruction, exchange(*inner));
  } else if (auto *inner = dyn_cast<CallBase>(&instruction)) {
    define(instruction, call(*inner));
  } else if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
    auto *copy = cast<AllocaInst>(variable->clone());
    copy->insertBefore(&*new_->getEntryBlock().begin());
    scalars_[variable] = copy;
  } else if (shape(&instruction).hasBase()) {
    keepScalar(instruction);
  } else if (shape(&instruction).isTiledAffine()) {
    keepRows(instruction);
  } else {
    define(instruction, arithmetic(instruction));
  }
}

// Computes the first lane's value, from which other lanes' values are derived. The first lane may
// be inactive, so flags that make its overflow poison are dropped. A disjoint `or` becomes an
// addition, since the first lane's operands may have common bits.
Instruction *Widener::copyForFirst(const Instruction &instruction) {
  const auto *bits = dyn_cast<PossiblyDisjointInst>(&instruction);
  Instruction *copy = bits && bits->isDisjoint()
                          ? BinaryOperator::CreateAdd(bits->getOperand(0), bits->getOperand(1))
                          : instruction.clone();
  copy->dropPoisonGeneratingFlags();
  return copy;
}

// With constant lane numbers, results are constant, too.
Value *Widener::insertOrFold(Instruction *copy) {
  Constant *known = ConstantFoldInstruction(copy, data_);
  if (!known)
    return b_.Insert(copy);
  copy->deleteValue();
  return known;
}

void Widener::keepScalar(Instruction &instruction) {
  const bool plain = all_of(instruction.operands(),
                            [&](const Use &operand) { return shape(operand).isUniform(); });
  Instruction *copy = plain ? instruction.clone() : copyForFirst(instruction);
  for (Use &operand : copy->operands()) // a varying operand may not affect the result
    operand.set(shape(operand).isTiledAffine() ? rowsOf(operand).front() : scalarOf(operand));
  Value *result = insertOrFold(copy);
  if (isa<Instruction>(result))
    result->takeName(&instruction);
  scalars_[&instruction] = result;
}

void Widener::completePhis() {
  for (BasicBlock &block : old_)
    for (PHINode &phi : block.phis()) {
      if (shape(&phi).isTiledAffine()) {
        completeRowPhis(phi);
        continue;
      }
      const bool scalar = scalars_.count(&phi);
      auto *copy = cast<PHINode>(scalar ? scalars_[&phi] : vectors_[&phi]);
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
        BasicBlock *from = phi.getIncomingBlock(i);
        if (!tails_.count(from))
          continue; // unreachable
        Value *value = phi.getIncomingValue(i);
        copy->addIncoming(scalar ? scalarOf(value) : vectorOf(value), tails_[from]);
      }
    }
}

// ---- Arithmetic ----

Value *Widener::arithmetic(Instruction &instruction) {
  const auto operand = [&](unsigned i) { return vectorOf(instruction.getOperand(i)); };
  Value *result = nullptr;
  if (auto *operation = dyn_cast<BinaryOperator>(&instruction)) {
    if (operation->isIntDivRem())
      return divide(*operation);
    result = b_.CreateBinOp(operation->getOpcode(), operand(0), operand(1));
  } else if (auto *unary = dyn_cast<UnaryOperator>(&instruction)) {
    result = b_.CreateUnOp(unary->getOpcode(), operand(0));
  } else if (auto *cast = dyn_cast<CastInst>(&instruction)) {
    result = b_.CreateCast(cast->getOpcode(), operand(0), wide(cast->getType()));
  } else if (auto *compare = dyn_cast<CmpInst>(&instruction)) {
    result = b_.CreateCmp(compare->getPredicate(), operand(0), operand(1));
  } else if (auto *select = dyn_cast<SelectInst>(&instruction)) {
    Value *condition = select->getCondition();
    condition = shape(condition).isUniform() ? scalarOf(condition) : vectorOf(condition);
    if (select->getType()->isAggregateType() && condition->getType()->isVectorTy())
      throw Unsupported("it chooses between structures lane by lane");
    if (condition->getType()->isVectorTy())
      condition = forMembers(condition, packSize(select->getType()));
    result = b_.CreateSelect(condition, operand(1), operand(2));
  } else if (isa<FreezeInst>(instruction)) {
    result = b_.CreateFreeze(operand(0));
  } else if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction)) {
    result = address(*gep);
  } else if (isa<InsertElementInst>(instruction)) {
    return nullptr; // part of a splat
  } else if (auto *splat = dyn_cast<ShuffleVectorInst>(&instruction)) {
    return splatOfMembers(*splat);
  } else if (auto *member = dyn_cast<ExtractElementInst>(&instruction)) {
    const auto *number = llvm::cast<ConstantInt>(member->getIndexOperand());
    return memberOf(operand(0), unsigned(number->getZExtValue()),
                    packSize(member->getVectorOperandType()));
  } else if (auto *extract = dyn_cast<ExtractValueInst>(&instruction)) {
    return b_.CreateExtractValue(operand(0), extract->getIndices());
  } else if (auto *insert = dyn_cast<InsertValueInst>(&instruction)) {
    return b_.CreateInsertValue(operand(0), operand(1), insert->getIndices());
  } else {
    throw Unsupported(std::string("it has an instruction that is not supported: ") +
                      instruction.getOpcodeName());
  }
  if (auto *made = dyn_cast<Instruction>(result))
    made->copyIRFlags(&instruction);
  return result;
}

Value *Widener::address(GetElementPtrInst &gep) {
  const auto cheapest = [&](Value *value) {
    return shape(value).isUniform() ? scalarOf(value) : vectorOf(value);
  };
  SmallVector<Value *> indices;
  for (Use &index : gep.indices())
    indices.push_back(isa<Constant>(index) ? index.get() : cheapest(index));
  Value *pointer = cheapest(gep.getPointerOperand());
  return b_.CreateGEP(gep.getSourceElementType(), pointer, indices);
}

// An inactive lane may have any divisor, and the hardware would trap on zero. A constant divisor in
// the program is the same in each lane; one that became constant by widening, as `threadIdx.x & 3`
// does, may be zero in inactive lanes, and LLVM turns a vector of quotients with one division by
// zero into poison (LLVM Language Reference, 'udiv').
Value *Widener::divide(BinaryOperator &operation) {
  Value *left = vectorOf(operation.getOperand(0)), *right = vectorOf(operation.getOperand(1));
  if (isa<Constant>(operation.getOperand(1)))
    return b_.CreateBinOp(operation.getOpcode(), left, right);
  if (!allActive()) {
    left = b_.CreateSelect(mask_, left, Constant::getNullValue(left->getType()));
    right = b_.CreateSelect(mask_, right, ConstantInt::get(right->getType(), 1));
  }
  if (operation.getType()->getIntegerBitWidth() <= 32)
    return divideAsDoubles(operation, left, right);
  Value *result = PoisonValue::get(left->getType());
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    Value *quotient = b_.CreateBinOp(operation.getOpcode(), b_.CreateExtractElement(left, lane),
                                     b_.CreateExtractElement(right, lane));
    result = b_.CreateInsertElement(result, quotient, lane);
  }
  return result;
}

// CPUs have no vector division of integers. A quotient of 32-bit integers, computed in double and
// truncated, is exact: it differs from the next integer by at least 2^-32 of itself, and a double
// has 53 bits.
Value *Widener::divideAsDoubles(BinaryOperator &operation, Value *left, Value *right) {
  const bool is_signed =
      operation.getOpcode() == Instruction::SDiv || operation.getOpcode() == Instruction::SRem;
  Type *doubles = wide(b_.getDoubleTy());
  const auto convert = [&](Value *value) {
    return is_signed ? b_.CreateSIToFP(value, doubles) : b_.CreateUIToFP(value, doubles);
  };
  Value *ratio = b_.CreateFDiv(convert(left), convert(right));
  Value *quotient =
      is_signed ? b_.CreateFPToSI(ratio, left->getType()) : b_.CreateFPToUI(ratio, left->getType());
  if (operation.getOpcode() == Instruction::SDiv || operation.getOpcode() == Instruction::UDiv)
    return quotient;
  return b_.CreateSub(left, b_.CreateMul(quotient, right));
}

Function *widen(Function &thread, const WidenOptions &options, std::vector<Remark> *remarks) {
  Widener widener(thread, options, remarks);
  try {
    return widener.run();
  } catch (const std::runtime_error &) {
    widener.abandon();
    throw;
  }
}

} // namespace heddle::engine::simd
