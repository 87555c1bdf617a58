// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch_analysis/grid_stride.h"

#include "engine/launch_analysis/special_registers.h"
#include "module/description/layout.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle::engine::simd {
namespace {

const Value *stripped(const Value *value) { return &withoutExtensions(*value); }

// `blockIdx.x * blockDim.x + threadIdx.x`
bool isPlace(const Value *value) { return blockDimOfPlace(*value) == any_block_dim; }

// `gridDim.x * blockDim.x`
bool isStride(const Value *value) {
  Value *left = nullptr, *right = nullptr;
  if (!match(stripped(value), m_Mul(m_Value(left), m_Value(right))))
    return false;
  const StringRef names[] = {registerOf(*stripped(left)), registerOf(*stripped(right))};
  return is_contained(names, "ntid.x") && is_contained(names, "nctaid.x");
}

// Whether `holds` for all users of the value, looking through extensions.
bool allUses(const Value &value, function_ref<bool(const User *)> holds) {
  return all_of(value.users(), [&](const User *user) {
    return isa<SExtInst, ZExtInst>(user) ? allUses(*user, holds) : holds(user);
  });
}

class Finder {
public:
  Finder(Function &function, const KernelInfo &kernel)
      : function_(function), kernel_(kernel), data_(function.getParent()->getDataLayout()) {}

  GridStride run() {
    DominatorTree dominators(function_);
    const LoopInfo loops(dominators);
    GridStride none;
    if (loops.getTopLevelLoops().size() != 1 || !isCounted(*loops.getTopLevelLoops().front()))
      return none;
    for (const Instruction &instruction : instructions(function_))
      if (isa<AllocaInst>(instruction) || tiesThreads(instruction) || !usesAreKnown(instruction) ||
          !noteAccess(instruction))
        return none;
    return std::move(result_);
  }

private:
  // Whether the counter is the only loop-carried value, and is compared with a parameter.
  bool isCounted(const Loop &loop) {
    const BasicBlock *latch = loop.getLoopLatch(), *entry = loop.getLoopPredecessor();
    if (!latch || !entry || loop.getExitingBlock() != latch || !loop.getExitBlock() ||
        !loop.getExitBlock()->phis().empty() || !hasOnePhi(*loop.getHeader()))
      return false;
    loop_ = &loop;
    counter_ = &*loop.getHeader()->phis().begin();
    next_ = counter_->getIncomingValueForBlock(latch);
    Value *step = nullptr;
    const auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
    const auto *compare =
        branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    return compare && isPlace(counter_->getIncomingValueForBlock(entry)) &&
           match(next_, m_c_Add(m_Specific(counter_), m_Value(step))) && isStride(step) &&
           all_of(next_->users(),
                  [&](const User *user) { return user == counter_ || user == compare; }) &&
           loop.contains(branch->getSuccessor(0)) && isBelowBound(*compare, next_);
  }

  static bool hasOnePhi(const BasicBlock &block) {
    return std::distance(block.phis().begin(), block.phis().end()) == 1;
  }

  // `index < n`, or `n > index`, with the same parameter n each time.
  bool isBelowBound(const ICmpInst &compare, const Value *index) {
    const Value *left = compare.getOperand(0), *right = compare.getOperand(1);
    CmpInst::Predicate predicate = compare.getPredicate();
    if (stripped(right) == stripped(index)) {
      std::swap(left, right);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    const auto *bound = dyn_cast<Argument>(stripped(right));
    if (stripped(left) != stripped(index) || !bound || (bound_ && bound != bound_) ||
        (predicate != CmpInst::ICMP_SLT && predicate != CmpInst::ICMP_ULT))
      return false;
    bound_ = bound;
    result_.bound_offset = kernel_.parameters[bound->getArgNo()].offset;
    result_.bound_bytes = kernel_.parameters[bound->getArgNo()].size;
    return true;
  }

  // Whether positions in the launch are used for the loop only.
  bool usesAreKnown(const Instruction &instruction) {
    const StringRef name = registerOf(instruction);
    if (name.ends_with(".x"))
      return allUses(instruction, [&](const User *user) { return isPart(user); });
    if (!name.empty())
      return false; // each y would repeat the same elements
    return !isPlace(&instruction) ||
           allUses(instruction, [&](const User *user) { return isStartOrGuard(user); });
  }

  // Whether the user computes a position or a stride.
  bool isPart(const User *user) {
    if (isStride(user))
      return allUses(*user, [&](const User *step) { return step == next_; });
    if (blockDimIn(*user) == any_block_dim)
      return allUses(*user, [](const User *sum) { return isPlace(sum); });
    return isPlace(user);
  }

  bool isStartOrGuard(const User *user) {
    if (const auto *compare = dyn_cast<ICmpInst>(user)) {
      const Value *operand = stripped(compare->getOperand(0));
      return isBelowBound(*compare, isPlace(operand) ? operand : compare->getOperand(1));
    }
    return user == counter_;
  }

  // Records an access to an array's element indexed by the counter; constant memory is allowed,
  // too.
  bool noteAccess(const Instruction &instruction) {
    if (!instruction.mayReadOrWriteMemory() || isa<AssumeInst, NoAliasScopeDeclInst>(instruction))
      return true;
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    if (!pointer || !loop_->contains(&instruction))
      return false;
    const bool stores = isa<StoreInst>(instruction);
    if (!stores && isa<GlobalVariable>(getUnderlyingObject(pointer)) &&
        cast<GlobalVariable>(getUnderlyingObject(pointer))->getAddressSpace() ==
            address_space::Constant)
      return true;
    APInt offset(data_.getIndexTypeSizeInBits(pointer->getType()), 0);
    pointer = pointer->stripAndAccumulateConstantOffsets(data_, offset, true);
    const auto *gep = dyn_cast<GEPOperator>(pointer);
    if (!gep || gep->getNumIndices() != 1 || stripped(gep->getOperand(1)) != counter_)
      return false;
    const auto *base = dyn_cast<Argument>(gep->getPointerOperand()->stripPointerCasts());
    const uint64_t element = data_.getTypeAllocSize(gep->getSourceElementType());
    const Type *type = getLoadStoreType(const_cast<Instruction *>(&instruction));
    const uint64_t end =
        offset.getZExtValue() + data_.getTypeStoreSize(const_cast<Type *>(type)).getFixedValue();
    if (!base || base->hasByValAttr() || offset.isNegative() || end > element)
      return false;
    result_.arrays.push_back(
        {kernel_.parameters[base->getArgNo()].offset, uint32_t(element), stores});
    return true;
  }

  Function &function_;
  const KernelInfo &kernel_;
  const DataLayout &data_;
  const Loop *loop_ = nullptr;
  const PHINode *counter_ = nullptr;
  const Value *next_ = nullptr;
  const Argument *bound_ = nullptr;
  GridStride result_;
};

} // namespace

GridStride gridStride(Function &function, const KernelInfo &kernel) {
  return Finder(function, kernel).run();
}

} // namespace heddle::engine::simd
