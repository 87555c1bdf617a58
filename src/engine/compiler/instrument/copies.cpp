// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/instrument/copies.h"

#include "engine/observe/site.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace heddle::engine {
namespace {

// Whether the user only hands the value on.
bool handsOn(const Use &use) {
  const User *user = use.getUser();
  if (isa<SelectInst, InsertElementInst, ExtractElementInst>(user)) // not as condition or index
    return isa<SelectInst>(user) ? use.getOperandNo() != 0
                                 : use.getOperandNo() + 1 < user->getNumOperands();
  return isa<PHINode, CastInst, FreezeInst, InsertValueInst, ExtractValueInst, ShuffleVectorInst>(
      user);
}

bool isOnlyCopied(const Instruction &load) {
  constexpr size_t most = 64;
  SmallVector<const Value *> work = {&load};
  SmallPtrSet<const Value *, 16> seen;
  while (!work.empty()) {
    for (const Use &use : work.pop_back_val()->uses()) {
      if (isa<StoreInst>(use.getUser()) && use.getOperandNo() == 0)
        continue;
      if (!handsOn(use) || seen.size() == most)
        return false;
      if (seen.insert(use.getUser()).second)
        work.push_back(use.getUser());
    }
  }
  return true;
}

// The bytes of a vector that are used, a bit for each; 0 for all, or if that is not known.
uint32_t usedBytes(const LoadInst &load) {
  const auto *type = dyn_cast<FixedVectorType>(load.getType());
  const unsigned bytes = type ? type->getScalarSizeInBits() / 8 : 0;
  if (!bytes || bytes * type->getNumElements() > 16)
    return 0;
  const uint32_t all = (1u << bytes * type->getNumElements()) - 1, one = (1u << bytes) - 1;
  uint32_t used = 0;
  for (const User *user : load.users()) {
    const auto *element = dyn_cast<ExtractElementInst>(user);
    const auto *index = element ? dyn_cast<ConstantInt>(element->getIndexOperand()) : nullptr;
    if (!index)
      return 0;
    if (!isOnlyCopied(*element))
      used |= one << bytes * index->getZExtValue();
  }
  return used == all ? 0 : used << observe::used_bytes_shift;
}

// LLVM may load from a known place early, and choose later whether the value is used.
bool isSpeculated(const LoadInst &load) {
  return isa<Constant>(load.getPointerOperand()) &&
         all_of(load.users(), [](const User *user) { return isa<SelectInst, PHINode>(user); });
}

// Whether a read-modify-write leaves what is there, as atomicAdd(p, 0) does, by which programs read
// what others change.
bool changesNothing(const AtomicRMWInst &change) {
  switch (change.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::UMax:
    return match(change.getValOperand(), PatternMatch::m_ZeroInt());
  case AtomicRMWInst::And:
  case AtomicRMWInst::UMin:
    return match(change.getValOperand(), PatternMatch::m_AllOnes());
  default:
    return false;
  }
}

uint32_t flagsOf(const AtomicRMWInst &change) {
  if (change.getOperation() == AtomicRMWInst::Xchg && change.use_empty())
    return observe::only_writes;
  return changesNothing(change) ? observe::only_reads : 0;
}

} // namespace

uint32_t copyFlags(const Instruction &access) {
  if (const auto *load = dyn_cast<LoadInst>(&access))
    return isOnlyCopied(*load) || isSpeculated(*load) ? observe::only_copied : usedBytes(*load);
  if (const auto *change = dyn_cast<AtomicRMWInst>(&access))
    return flagsOf(*change);
  if (const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&access)) // atomicCAS(p, x, x)
    return exchange->getCompareOperand() == exchange->getNewValOperand() ? observe::only_reads : 0;
  return 0;
}

DenseMap<const Instruction *, Instruction *> noteSources(Function &function) {
  DenseMap<const Instruction *, Instruction *> sources;
  for (Instruction &instruction : instructions(function)) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    auto *load =
        store ? dyn_cast<LoadInst>(store->getValueOperand()->stripPointerCasts()) : nullptr;
    if (!load || load->isVolatile() || store->isVolatile())
      continue;
    IRBuilder<> builder(store);
    Value *flat = builder.CreateAddrSpaceCast(load->getPointerOperand(), builder.getPtrTy());
    if (!isa<Constant>(flat))
      sources[store] = cast<Instruction>(
          builder.Insert(CastInst::Create(Instruction::PtrToInt, flat, builder.getInt64Ty())));
  }
  return sources;
}

} // namespace heddle::engine
