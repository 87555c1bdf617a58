// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/widen_instruction.h"
#include "engine/compiler/errors.h"
#include "engine/compiler/simd/widen/calls/widen_calls.h"
#include "engine/compiler/simd/widen/kinds/access_kinds.h"
#include "engine/compiler/simd/widen/kinds/contiguous_access.h"
#include "engine/compiler/simd/widen/memory/widen_atomics.h"
#include "engine/compiler/simd/widen/tiled_values.h"
#include "engine/compiler/simd/widen/widen_packs.h"

using namespace llvm;

namespace heddle::engine::simd {

static Value *widenAddress(VectorBuilder &v, GetElementPtrInst &gep) {
  const auto cheapest = [&](Value *value) {
    return v.shape(value).isUniform() ? v.scalarOf(value) : v.vectorOf(value);
  };
  SmallVector<Value *> indices;
  for (Use &index : gep.indices())
    indices.push_back(isa<Constant>(index) ? index.get() : cheapest(index));
  Value *pointer = cheapest(gep.getPointerOperand());
  return v.b.CreateGEP(gep.getSourceElementType(), pointer, indices);
}

// CPUs have no vector division of integers. A quotient of 32-bit integers, computed in double and
// truncated, is exact: it differs from the next integer by at least 2^-32 of itself, and a double
// has 53 bits.
static Value *divideAsDoubles(VectorBuilder &v, BinaryOperator &operation, Value *left,
                              Value *right) {
  const bool is_signed =
      operation.getOpcode() == Instruction::SDiv || operation.getOpcode() == Instruction::SRem;
  Type *doubles = v.wide(v.b.getDoubleTy());
  const auto convert = [&](Value *value) {
    return is_signed ? v.b.CreateSIToFP(value, doubles) : v.b.CreateUIToFP(value, doubles);
  };
  Value *ratio = v.b.CreateFDiv(convert(left), convert(right));
  Value *quotient = is_signed ? v.b.CreateFPToSI(ratio, left->getType())
                              : v.b.CreateFPToUI(ratio, left->getType());
  if (operation.getOpcode() == Instruction::SDiv || operation.getOpcode() == Instruction::UDiv)
    return quotient;
  return v.b.CreateSub(left, v.b.CreateMul(quotient, right));
}

// An inactive lane may have any divisor, and the hardware would trap on zero. A constant divisor in
// the program is the same in each lane; one that became constant by widening, as `threadIdx.x & 3`
// does, may be zero in inactive lanes, and LLVM turns a vector of quotients with one division by
// zero into poison (LLVM Language Reference, 'udiv').
static Value *divide(VectorBuilder &v, BinaryOperator &operation) {
  Value *left = v.vectorOf(operation.getOperand(0)), *right = v.vectorOf(operation.getOperand(1));
  if (isa<Constant>(operation.getOperand(1)))
    return v.b.CreateBinOp(operation.getOpcode(), left, right);
  if (!v.mask.allActive()) {
    left = v.b.CreateSelect(v.mask.vector(), left, Constant::getNullValue(left->getType()));
    right = v.b.CreateSelect(v.mask.vector(), right, ConstantInt::get(right->getType(), 1));
  }
  if (operation.getType()->getIntegerBitWidth() <= 32)
    return divideAsDoubles(v, operation, left, right);
  Value *result = PoisonValue::get(left->getType());
  for (unsigned lane = 0; lane < v.lanes; ++lane) {
    Value *quotient = v.b.CreateBinOp(operation.getOpcode(), v.b.CreateExtractElement(left, lane),
                                      v.b.CreateExtractElement(right, lane));
    result = v.b.CreateInsertElement(result, quotient, lane);
  }
  return result;
}

static Value *widenArithmetic(VectorBuilder &v, Instruction &instruction) {
  const auto operand = [&](unsigned i) { return v.vectorOf(instruction.getOperand(i)); };
  Value *result = nullptr;
  if (auto *operation = dyn_cast<BinaryOperator>(&instruction)) {
    if (operation->isIntDivRem())
      return divide(v, *operation);
    result = v.b.CreateBinOp(operation->getOpcode(), operand(0), operand(1));
  } else if (auto *unary = dyn_cast<UnaryOperator>(&instruction)) {
    result = v.b.CreateUnOp(unary->getOpcode(), operand(0));
  } else if (auto *cast = dyn_cast<CastInst>(&instruction)) {
    result = v.b.CreateCast(cast->getOpcode(), operand(0), v.wide(cast->getType()));
  } else if (auto *compare = dyn_cast<CmpInst>(&instruction)) {
    result = v.b.CreateCmp(compare->getPredicate(), operand(0), operand(1));
  } else if (auto *select = dyn_cast<SelectInst>(&instruction)) {
    Value *condition = select->getCondition();
    condition = v.shape(condition).isUniform() ? v.scalarOf(condition) : v.vectorOf(condition);
    if (select->getType()->isAggregateType() && condition->getType()->isVectorTy())
      throw Unsupported("it chooses between structures lane by lane");
    if (condition->getType()->isVectorTy())
      condition = forMembers(v, condition, packSize(select->getType()));
    result = v.b.CreateSelect(condition, operand(1), operand(2));
  } else if (isa<FreezeInst>(instruction)) {
    result = v.b.CreateFreeze(operand(0));
  } else if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction)) {
    result = widenAddress(v, *gep);
  } else if (isa<InsertElementInst>(instruction)) {
    return nullptr; // part of a splat
  } else if (auto *splat = dyn_cast<ShuffleVectorInst>(&instruction)) {
    return splatOfMembers(v, *splat);
  } else if (auto *member = dyn_cast<ExtractElementInst>(&instruction)) {
    const auto *number = llvm::cast<ConstantInt>(member->getIndexOperand());
    return memberOf(v, operand(0), unsigned(number->getZExtValue()),
                    packSize(member->getVectorOperandType()));
  } else if (auto *extract = dyn_cast<ExtractValueInst>(&instruction)) {
    return v.b.CreateExtractValue(operand(0), extract->getIndices());
  } else if (auto *insert = dyn_cast<InsertValueInst>(&instruction)) {
    return v.b.CreateInsertValue(operand(0), operand(1), insert->getIndices());
  } else {
    throw Unsupported(std::string("it has an instruction that is not supported: ") +
                      instruction.getOpcodeName());
  }
  if (auto *made = dyn_cast<Instruction>(result))
    made->copyIRFlags(&instruction);
  return result;
}

void widenInstruction(VectorBuilder &v, Instruction &instruction) {
  if (instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd())
    return;
  if (auto *phi = dyn_cast<PHINode>(&instruction); phi && v.shape(phi).isTiledAffine()) {
    makeRowPhis(v, *phi);
  } else if (phi) {
    const bool scalar = v.shape(phi).hasBase();
    v.define(*phi, v.b.CreatePHI(scalar ? phi->getType() : v.wide(phi->getType()),
                                 phi->getNumIncomingValues()));
  } else if (auto *inner = dyn_cast<LoadInst>(&instruction)) {
    widenLoad(v, *inner);
  } else if (auto *inner = dyn_cast<StoreInst>(&instruction)) {
    widenStore(v, *inner);
  } else if (auto *inner = dyn_cast<AtomicRMWInst>(&instruction)) {
    v.define(instruction, widenAtomic(v, *inner));
  } else if (auto *inner = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    v.define(instruction, widenExchange(v, *inner));
  } else if (auto *inner = dyn_cast<CallBase>(&instruction)) {
    v.define(instruction, widenCall(v, *inner));
  } else if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
    auto *copy = cast<AllocaInst>(variable->clone());
    copy->insertBefore(&*v.function->getEntryBlock().begin());
    v.scalars[variable] = copy;
  } else if (v.shape(&instruction).hasBase()) {
    v.keepScalar(instruction);
  } else if (v.shape(&instruction).isTiledAffine()) {
    keepRows(v, instruction);
  } else {
    v.define(instruction, widenArithmetic(v, instruction));
  }
}

} // namespace heddle::engine::simd
