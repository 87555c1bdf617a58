// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/optimize/histogram_privatization.h"

#include "engine/abi.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/analysis/access/parameter_accesses.h"
#include "engine/compiler/simd/analysis/suspend_points.h"

#include "llvm/ADT/bit.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

struct Site {
  AtomicRMWInst *add = nullptr;
  unsigned array = 0; // number of a parameter
  uint64_t bit() const { return uint64_t(1) << array; }
  bool isWide() const { return add->getType()->isIntegerTy(64); }
};

// An addition that a worker can privatise: of integers, in any order, with an unused result.
bool isCount(const AtomicRMWInst &add) {
  return (add.getOperation() == AtomicRMWInst::Add || add.getOperation() == AtomicRMWInst::Sub) &&
         (add.getType()->isIntegerTy(32) || add.getType()->isIntegerTy(64)) && add.use_empty() &&
         !add.isVolatile() && add.getOrdering() == AtomicOrdering::Monotonic &&
         add.getPointerAddressSpace() != shared_space;
}

std::vector<Site> findSites(Function &function, const ParameterAccesses &accesses) {
  std::vector<Site> sites;
  for (Instruction &instruction : instructions(function))
    if (auto *add = dyn_cast<AtomicRMWInst>(&instruction); add && isCount(*add))
      if (const auto array = accesses.parameterBehind(*add->getPointerOperand()))
        sites.push_back({add, *array});
  return sites;
}

// Whether threads synchronise here.
bool isSynchronization(const Instruction &instruction) {
  return isPlainBarrier(instruction) || isWarpOperation(instruction);
}

Counts countsOf(const std::vector<Site> &sites, uint64_t accessed) {
  Counts result = {.counted = 0, .wide_counted = 0, .uncounted = accessed};
  uint64_t narrow = 0;
  for (const Site &site : sites)
    (site.isWide() ? result.wide_counted : narrow) |= site.bit();
  result.uncounted |= narrow & result.wide_counted; // arrays that are accessed in both widths
  result.counted = (narrow | result.wide_counted) & ~result.uncounted;
  while (popcount(result.counted) > int(most_kept_counts)) {
    const uint64_t last = bit_floor(result.counted);
    result.counted &= ~last;
    result.uncounted |= last;
  }
  result.wide_counted &= result.counted;
  return result;
}

Value *field(IRBuilder<> &builder, const Site &site, unsigned number, uint64_t offset, Type *type) {
  return loadBlockField(builder, site.add->getFunction()->getArg(0), type,
                        offsetof(BlockContext, counts) + number * sizeof(KeptCounts) + offset);
}

// Offset in bytes from the beginning of the array.
Value *distanceOf(IRBuilder<> &builder, Value &pointer) {
  auto *array = const_cast<Value *>(getUnderlyingObject(&pointer, /*MaxLookup=*/0)); // NOLINT
  Type *i64 = builder.getInt64Ty();
  if (auto *address = dyn_cast<GetElementPtrInst>(&pointer);
      address && address->getPointerOperand() == array)
    return emitGEPOffset(&builder, address->getModule()->getDataLayout(), address);
  return builder.CreateSub(builder.CreatePtrToInt(&pointer, i64),
                           builder.CreatePtrToInt(array, i64), "distance");
}

void keep(const Site &site, unsigned number) {
  IRBuilder<> builder(site.add);
  builder.SetCurrentDebugLocation(DebugLoc()); // not an instruction of the program
  Value *distance = distanceOf(builder, *site.add->getPointerOperand());
  Value *bytes = field(builder, site, number, offsetof(KeptCounts, bytes), builder.getInt64Ty());
  Value *table = field(builder, site, number, offsetof(KeptCounts, table), builder.getPtrTy());
  table = builder.CreateAddrSpaceCast(table, builder.getPtrTy(shared_space), "table");
  Value *inside = builder.CreateICmpULT(distance, bytes, "inside");
  Instruction *then = nullptr, *otherwise = nullptr;
  SplitBlockAndInsertIfThenElse(inside, site.add->getIterator(), &then, &otherwise,
                                MDBuilder(site.add->getContext()).createLikelyBranchWeights());
  then->getParent()->getSinglePredecessor()->getTerminator()->setDebugLoc(DebugLoc());
  builder.SetInsertPoint(then);
  builder.SetCurrentDebugLocation(site.add->getDebugLoc());
  builder.CreateAtomicRMW(site.add->getOperation(), builder.CreatePtrAdd(table, distance, "count"),
                          site.add->getValOperand(), site.add->getAlign(),
                          AtomicOrdering::Monotonic, site.add->getSyncScopeID());
  site.add->moveBefore(otherwise);
}

} // namespace

Counts privatizeHistograms(Function &function) {
  const ParameterAccesses accesses(function);
  const std::vector<Site> sites = findSites(function, accesses);
  const auto is_site = [&](const Instruction &instruction) {
    return any_of(sites, [&](const Site &site) { return site.add == &instruction; });
  };
  if (sites.empty() || hasWaitingLoops(function))
    return {};
  const auto accessed =
      accesses.accessed([&](const Instruction &i) { return is_site(i) || isSynchronization(i); });
  const Counts counts = accessed ? countsOf(sites, *accessed) : Counts{};
  if (!counts.counted)
    return {};
  for (const Site &site : sites)
    if (counts.counted & site.bit())
      keep(site, unsigned(popcount(counts.counted & (site.bit() - 1))));
  return counts;
}

} // namespace heddle::engine::simd
