// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/access/parameter_accesses.h"

#include "engine/abi.h"

#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/AtomicOrdering.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

bool isRelaxed(const Instruction &instruction) {
  if (const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return !isStrongerThanMonotonic(exchange->getMergedOrdering());
  if (const auto *change = dyn_cast<AtomicRMWInst>(&instruction))
    return !isStrongerThanMonotonic(change->getOrdering());
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return !isStrongerThanMonotonic(load->getOrdering());
  const auto *store = dyn_cast<StoreInst>(&instruction);
  return store && !isStrongerThanMonotonic(store->getOrdering());
}

} // namespace

// A value that is invariant while the kernel runs, loaded `offset` bytes after `base`.
struct ParameterAccesses::Field {
  const Value *base = nullptr;
  int64_t offset = 0;
};

ParameterAccesses::Field ParameterAccesses::fieldAt(const Value &value) const {
  Field field;
  const auto *load = dyn_cast<LoadInst>(&value);
  if (!load)
    return field;
  const Value *base = GetPointerBaseWithConstantOffset(load->getPointerOperand(), field.offset,
                                                       function_.getParent()->getDataLayout());
  // Structures that the kernel changes are copies (thread_function.h).
  if (base == function_.getArg(1) || load->hasMetadata(LLVMContext::MD_invariant_load))
    field.base = base;
  return field;
}

std::optional<unsigned> ParameterAccesses::parameterOf(const Value &pointer) const {
  const auto [base, offset] = fieldAt(pointer);
  constexpr int64_t bytes = sizeof(void *), most = 64 * bytes;
  if (base != function_.getArg(1) || !pointer.getType()->isPointerTy() || offset % bytes != 0 ||
      offset >= most)
    return std::nullopt;
  return unsigned(offset / bytes);
}

std::optional<unsigned> ParameterAccesses::parameterBehind(const Value &address) const {
  return parameterOf(*getUnderlyingObject(&address, /*MaxLookup=*/0));
}

std::optional<uint64_t>
ParameterAccesses::accessed(const std::function<bool(const Instruction &)> &passed) const {
  uint64_t result = 0;
  for (const Instruction &instruction : instructions(function_)) {
    if (!instruction.mayReadOrWriteMemory() || passed(instruction))
      continue;
    if (const auto *call = dyn_cast<CallBase>(&instruction)) {
      if (!noteCall(*call, result))
        return std::nullopt;
      continue;
    }
    const auto where = MemoryLocation::getOrNone(&instruction);
    if (!where || instruction.isVolatile() || !isRelaxed(instruction) || !note(*where->Ptr, result))
      return std::nullopt;
  }
  return result;
}

bool ParameterAccesses::noteCall(const CallBase &call, uint64_t &accessed) const {
  if (const auto *copy = dyn_cast<MemTransferInst>(&call);
      copy && !note(*copy->getSource(), accessed))
    return false;
  if (const auto *fill = dyn_cast<MemIntrinsic>(&call))
    return !fill->isVolatile() && note(*fill->getDest(), accessed);
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  return intrinsic &&
         (intrinsic->isAssumeLikeIntrinsic() || intrinsic->getIntrinsicID() == Intrinsic::prefetch);
}

bool ParameterAccesses::note(const Value &pointer, uint64_t &accessed) const {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(&pointer, objects, nullptr, /*MaxLookup=*/0);
  return all_of(objects, [&](const Value *object) {
    if (const auto parameter = parameterOf(*object)) {
      accessed |= uint64_t(1) << *parameter;
      return true;
    }
    const auto *constant = dyn_cast<GlobalVariable>(object);
    return isa<AllocaInst>(object) || (constant && constant->isConstant()) || isContext(*object);
  });
}

// The thread's and the block's context, the parameters, and shared memory: no pointer parameter
// points to these. Only the module's variables are reached through them and may be pointed to.
bool ParameterAccesses::isContext(const Value &object) const {
  if (isa<Argument>(object) || isBlock(object))
    return true;
  const auto [base, offset] = fieldAt(object);
  return base && isBlock(*base) &&
         (offset == offsetof(BlockContext, shared) ||
          offset == offsetof(BlockContext, dynamic_shared) ||
          (offset >= int64_t(offsetof(BlockContext, counts)) &&
           offset < int64_t(offsetof(BlockContext, counts) + sizeof(BlockContext::counts))));
}

bool ParameterAccesses::isBlock(const Value &value) const {
  const auto [base, offset] = fieldAt(value);
  return base == function_.getArg(0) && offset == offsetof(ThreadContext, block);
}

} // namespace heddle::engine::simd
