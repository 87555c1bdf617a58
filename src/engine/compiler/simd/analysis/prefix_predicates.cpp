// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/prefix_predicates.h"

#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {

constexpr unsigned most_steps = 8; // depth of the expression

// Whether the value is the same in all threads of the block. Memory may change while they run.
bool isSameInBlock(const Value &value, unsigned steps = most_steps) {
  if (isa<Constant>(value))
    return true;
  if (const auto *argument = dyn_cast<Argument>(&value))
    return argument->getArgNo() == 1; // the launch's parameters; 0 is the thread's context
  const auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || steps == 0)
    return false;
  if (const auto *call = dyn_cast<CallBase>(instruction)) {
    const StringRef name = calledName(*call);
    return name.starts_with("llvm.nvvm.read.ptx.sreg.ctaid.") ||
           name.starts_with("llvm.nvvm.read.ptx.sreg.ntid.") ||
           name.starts_with("llvm.nvvm.read.ptx.sreg.nctaid.");
  }
  const bool invariant =
      isa<BinaryOperator, CastInst, GetElementPtrInst>(instruction) ||
      (isa<LoadInst>(instruction) && instruction->hasMetadata(LLVMContext::MD_invariant_load));
  return invariant && all_of(instruction->operands(), [&](const Use &operand) {
           return isSameInBlock(*operand, steps - 1);
         });
}

// Whether the value is monotonically non-decreasing in threadIdx.x, as a signed or unsigned number.
bool grows(const Value &value, bool is_signed, unsigned steps = most_steps) {
  if (isThreadIndex(value) || isSameInBlock(value))
    return true;
  const auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || steps == 0)
    return false;
  const auto operand_grows = [&](unsigned i, bool as_signed) {
    return grows(*instruction->getOperand(i), as_signed, steps - 1);
  };
  if (isa<ZExtInst>(instruction))
    return operand_grows(0, false);
  if (isa<SExtInst>(instruction))
    return is_signed && operand_grows(0, true);
  const auto *operation = dyn_cast<OverflowingBinaryOperator>(instruction);
  if (!operation || !(is_signed ? operation->hasNoSignedWrap() : operation->hasNoUnsignedWrap()))
    return false;
  const APInt *factor = nullptr;
  switch (instruction->getOpcode()) {
  case Instruction::Add:
    return operand_grows(0, is_signed) && operand_grows(1, is_signed);
  case Instruction::Mul:
    return match(instruction->getOperand(1), m_APInt(factor)) &&
           (!is_signed || factor->isNonNegative()) && operand_grows(0, is_signed);
  case Instruction::Shl:
    return isSameInBlock(*instruction->getOperand(1)) && operand_grows(0, is_signed);
  default:
    return false;
  }
}

// Whether the value is computed only from constants and values for which `is_source` holds.
bool followsFrom(const Value &value, function_ref<bool(const Value &)> is_source,
                 unsigned steps = most_steps) {
  if (is_source(value))
    return true;
  const auto *operation = dyn_cast<Instruction>(&value);
  return steps > 0 && operation && isa<BinaryOperator, CastInst>(operation) &&
         all_of(operation->operands(), [&](const Use &operand) {
           return isa<ConstantInt>(operand) || followsFrom(*operand, is_source, steps - 1);
         });
}

bool isLeading(const ICmpInst &compare) {
  const Value *left = compare.getOperand(0), *right = compare.getOperand(1);
  ICmpInst::Predicate predicate = compare.getPredicate();
  if (ICmpInst::isGT(predicate) || ICmpInst::isGE(predicate)) {
    std::swap(left, right);
    predicate = ICmpInst::getSwappedPredicate(predicate);
  }
  if (predicate == ICmpInst::ICMP_EQ) // holds for the first thread only
    return isThreadIndex(*left) && match(right, m_Zero());
  return ICmpInst::isRelational(predicate) && grows(*left, ICmpInst::isSigned(predicate)) &&
         isSameInBlock(*right);
}

} // namespace

bool isThreadIndex(const Value &value) {
  return calledName(value) == "llvm.nvvm.read.ptx.sreg.tid.x";
}

bool comparesWhatFollowsFrom(const Value &condition, function_ref<bool(const Value &)> is_source) {
  const Value *first = nullptr, *second = nullptr;
  if (match(&condition, m_CombineOr(m_LogicalAnd(m_Value(first), m_Value(second)),
                                    m_LogicalOr(m_Value(first), m_Value(second)))))
    return comparesWhatFollowsFrom(*first, is_source) &&
           comparesWhatFollowsFrom(*second, is_source);
  const auto *compare = dyn_cast<ICmpInst>(&condition);
  return compare && isa<ConstantInt>(compare->getOperand(1)) &&
         followsFrom(*compare->getOperand(0), is_source);
}

bool comparesThreadIndex(const Value &condition) {
  return comparesWhatFollowsFrom(condition, isThreadIndex);
}

ConstantRange threadsThatCompare(CmpInst::Predicate predicate, const APInt &bound) {
  constexpr unsigned most_threads = 1024; // of a block
  const unsigned bits = bound.getBitWidth();
  return ConstantRange::makeExactICmpRegion(predicate, bound)
      .intersectWith(ConstantRange(APInt(bits, 0), APInt(bits, most_threads)));
}

bool holdsForLeadingThreads(const Value &condition) {
  if (const auto *compare = dyn_cast<ICmpInst>(&condition))
    return isLeading(*compare);
  const Value *first = nullptr, *second = nullptr;
  // A conjunction: when one of the two fails for all lanes, so does the conjunction.
  return match(&condition, m_LogicalAnd(m_Value(first), m_Value(second))) &&
         holdsForLeadingThreads(*first) && holdsForLeadingThreads(*second);
}

bool holdsOnlyBelow(const Value &condition, unsigned lanes) {
  ICmpInst::Predicate predicate = ICmpInst::ICMP_EQ;
  const Value *index = nullptr;
  const APInt *bound = nullptr;
  return match(&condition, m_ICmp(predicate, m_Value(index), m_APInt(bound))) &&
         isThreadIndex(*index) &&
         (predicate == ICmpInst::ICMP_ULT || predicate == ICmpInst::ICMP_SLT) && bound->ule(lanes);
}

} // namespace heddle::engine::simd
