// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting (instrument/counts.h): a mark becomes a few additions for a warp, or a call where more
// is to be found out.
#include "engine/abi_extensions.h"
#include "engine/compiler/errors.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/widen/widener.h"
#include "engine/observe/counted_site.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

using observe::AccessSpace;
using observe::AddressPattern;
using observe::CountedSite;

// A field of the site, which is a constant.
uint64_t fieldOf(Value *site, unsigned field) {
  const auto *constant = cast<ConstantStruct>(cast<GlobalVariable>(site)->getInitializer());
  return cast<ConstantInt>(constant->getOperand(field))->getZExtValue();
}

enum SiteField : unsigned {
  first_counter = 2,
  visit_slot = 6,
  space = 8,
  bytes = 9,
  first_pattern = 11
};
enum SitesField : unsigned { visit_slots = 3 };

} // namespace

Value *Widener::blockCounts(uint64_t offset) {
  Value *counts =
      loadBlockField(b_, context(), b_.getPtrTy(), offsetof(ExtendedBlockContext, counted));
  return loadThreadField(b_, counts, b_.getPtrTy(), offset);
}

void Widener::addTo(Value *counters, uint64_t counter, Value *more) {
  Value *place = b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), counters, counter);
  b_.CreateStore(b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), place), more), place);
}

void Widener::count(CallBase &old, StringRef marker) {
  if (lanes_ != 32)
    throw Unsupported("counted gangs are warps");
  Value *site = old.getArgOperand(0);
  if (marker == count_block_marker)
    countBlock(site);
  else if (marker == count_branch_marker)
    countBranch(site, old.getArgOperand(1));
  else
    countAccess(site, old.getArgOperand(1));
}

void Widener::countBlock(Value *site) {
  Value *counters = blockCounts(offsetof(observe::BlockCounts, counters));
  const uint64_t first = fieldOf(site, first_counter);
  Value *here = laneBits();
  addTo(counters, first + observe::block_warps,
        b_.CreateZExt(b_.CreateIsNotNull(here), b_.getInt64Ty()));
  Value *threads = b_.CreateUnaryIntrinsic(Intrinsic::ctpop, here);
  addTo(counters, first + observe::block_threads, b_.CreateZExtOrTrunc(threads, b_.getInt64Ty()));
}

// A warp that does not part has only its visits counted.
void Widener::countBranch(Value *site, Value *condition) {
  Value *visits = blockCounts(offsetof(observe::BlockCounts, visits));
  Value *warp = b_.CreateLShr(linearIndex(), b_.getInt32(5));
  Value *slots = b_.getInt32(
      uint32_t(fieldOf(new_->getParent()->getNamedGlobal(counted_sites_name), visit_slots)));
  Value *number =
      b_.CreateAdd(b_.CreateMul(warp, slots), b_.getInt32(uint32_t(fieldOf(site, visit_slot))));
  Value *place =
      b_.CreateInBoundsGEP(b_.getInt32Ty(), visits, b_.CreateZExt(number, b_.getInt64Ty()));
  Value *here = laneBits();
  Value *visited = b_.CreateZExt(b_.CreateIsNotNull(here), b_.getInt32Ty());
  b_.CreateStore(b_.CreateAdd(b_.CreateLoad(b_.getInt32Ty(), place), visited), place);
  if (shape(condition).isUniform())
    return;
  Value *taken = b_.CreateAnd(bitsOf(vectorOf(condition)), here);
  Value *parts = b_.CreateAnd(b_.CreateIsNotNull(taken), b_.CreateICmpNE(taken, here));
  const auto nothing = [&]() -> Value * { return b_.getFalse(); };
  either(
      parts,
      [&]() -> Value * {
        callRuntime(b_, context(), offsetof(ExtendedRuntimeTable, count_divergence), b_.getVoidTy(),
                    {scalarOf(site)});
        return b_.getTrue();
      },
      nothing);
}

Value *Widener::numberOf(Value *address) {
  return address->getType()->isPtrOrPtrVectorTy()
             ? b_.CreatePtrToInt(address, address->getType()->getWithNewType(b_.getInt64Ty()))
             : address;
}

// Shared memory lies below 4 GiB.
Value *Widener::isInShared(Value *address) { return b_.CreateIsNull(b_.CreateLShr(address, 32)); }

// Many addresses without a base are in steps nevertheless: columns of a matrix, neighbours in a
// field without edges.
Widener::Steps Widener::stepsOfLanes(Value *address, bool generic) {
  Steps steps;
  Value *all = b_.CreateFreeze(numberOf(vectorOf(address)));
  const auto element = [&](uint64_t lane) { return b_.CreateExtractElement(all, lane); };
  const unsigned row = steps.row = rowLength();
  steps.first = element(0);
  steps.stride = row > 1 ? b_.CreateSub(element(1), steps.first) : b_.getInt64(0);
  steps.step = row < lanes_ ? b_.CreateSub(element(row), steps.first) : b_.getInt64(0);
  SmallVector<Constant *> columns, rows;
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    columns.push_back(b_.getInt64(lane % row));
    rows.push_back(b_.getInt64(lane / row));
  }
  // Products of 32 bits take a CPU a third of the time, and steps are hardly ever longer.
  Value *narrow = b_.getTrue();
  const auto times = [&](ArrayRef<Constant *> numbers, Value *factor) {
    Value *low = b_.CreateSExt(b_.CreateTrunc(factor, b_.getInt32Ty()), b_.getInt64Ty());
    narrow = b_.CreateAnd(narrow, b_.CreateICmpEQ(low, factor));
    return b_.CreateMul(ConstantVector::get(numbers), b_.CreateVectorSplat(lanes_, low));
  };
  Value *expected =
      b_.CreateAdd(times(columns, steps.stride), b_.CreateVectorSplat(lanes_, steps.first));
  if (row < lanes_)
    expected = b_.CreateAdd(expected, times(rows, steps.step));
  Value *others = b_.CreateAnd(bitsOf(b_.CreateICmpNE(all, expected)), laneBits());
  steps.regular = b_.CreateAnd(b_.CreateIsNull(others), narrow);
  steps.in_shared = b_.getFalse();
  if (generic) { // the four corners have the lowest and the highest address among them
    steps.in_shared = isInShared(steps.first);
    for (const unsigned lane : {row - 1, lanes_ - row, lanes_ - 1}) {
      Value *corner = isInShared(b_.CreateExtractElement(expected, uint64_t(lane)));
      steps.regular = b_.CreateAnd(steps.regular, b_.CreateICmpEQ(corner, steps.in_shared));
    }
  }
  return steps;
}

Widener::Steps Widener::stepsOfRows(Value *address, bool generic) {
  const Shape where = shape(address);
  Rows rows = where.isTiledAffine() ? rowsOf(address) : Rows{scalarOf(address)};
  for (Value *&one : rows)
    one = numberOf(one);
  const bool several = rows.size() > 1;
  Steps steps;
  steps.first = rows[0];
  steps.stride = b_.getInt64(where.isAffine() || several ? uint64_t(where.stride) : 0);
  steps.step = several ? stepOf(address) : b_.getInt64(0);
  steps.row = several ? rowLength() : lanes_;
  steps.regular = b_.getTrue();
  if (!steps.step) {
    steps.step = b_.CreateSub(rows[1], rows[0]);
    for (size_t i = 2; i < rows.size(); ++i)
      steps.regular = b_.CreateAnd(steps.regular,
                                   b_.CreateICmpEQ(b_.CreateSub(rows[i], rows[i - 1]), steps.step));
  }
  steps.in_shared = generic ? isInShared(steps.first) : b_.getFalse();
  for (Value *one : ArrayRef<Value *>(rows).drop_front())
    if (generic)
      steps.regular =
          b_.CreateAnd(steps.regular, b_.CreateICmpEQ(isInShared(one), steps.in_shared));
  return steps;
}

// Addresses in steps are looked up among those that the site has had (observe::AddressPattern).
void Widener::countAccess(Value *site, Value *address) {
  const bool generic = AccessSpace(fieldOf(site, space)) == AccessSpace::Generic;
  const Steps steps =
      shape(address).hasRowBases() ? stepsOfRows(address, generic) : stepsOfLanes(address, generic);
  either(
      steps.regular,
      [&]() -> Value * {
        countPattern(site, steps);
        return nullptr;
      },
      [&]() -> Value * {
        AllocaInst *memory = temporary(wide(b_.getInt64Ty()), "counted");
        b_.CreateStore(numberOf(vectorOf(address)), memory);
        callRuntime(b_, context(), offsetof(ExtendedRuntimeTable, count_access), b_.getVoidTy(),
                    {scalarOf(site), laneBits(), memory});
        return nullptr;
      });
}

void Widener::countPattern(Value *site, const Steps &steps) {
  const auto size = uint32_t(fieldOf(site, bytes));
  Value *index =
      b_.CreateAnd(b_.CreateLShr(steps.first, Log2_32(size)), observe::patternsOf(size) - 1);
  index = b_.CreateAdd(index, b_.getInt64(fieldOf(site, first_pattern)));
  Value *place =
      b_.CreateInBoundsGEP(b_.getInt8Ty(), blockCounts(offsetof(observe::BlockCounts, patterns)),
                           b_.CreateMul(index, b_.getInt64(sizeof(AddressPattern))));
  const auto field = [&](uint64_t offset) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), place, offset);
  };
  Value *key = b_.CreateOr(
      b_.CreateZExt(laneBits(), b_.getInt64Ty()),
      b_.CreateShl(b_.CreateAnd(steps.first, observe::pattern_period - 1), observe::pattern_first));
  key = b_.CreateOr(key, uint64_t(steps.row) << observe::pattern_row);
  key = b_.CreateOr(key, b_.CreateShl(b_.CreateZExt(steps.in_shared, b_.getInt64Ty()),
                                      observe::pattern_in_shared));
  const auto is = [&](uint64_t offset, Value *value) {
    return b_.CreateICmpEQ(b_.CreateLoad(b_.getInt64Ty(), field(offset)), value);
  };
  Value *known = is(offsetof(AddressPattern, key), key);
  known = b_.CreateAnd(known, is(offsetof(AddressPattern, stride), steps.stride));
  known = b_.CreateAnd(known, is(offsetof(AddressPattern, step), steps.step));
  either(
      known,
      [&]() -> Value * {
        Value *requests = field(offsetof(AddressPattern, requests));
        b_.CreateStore(b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), requests), b_.getInt64(1)),
                       requests);
        return nullptr;
      },
      [&]() -> Value * {
        return callRuntime(b_, context(), offsetof(ExtendedRuntimeTable, count_pattern),
                           b_.getVoidTy(), {scalarOf(site), place, key, steps.stride, steps.step});
      });
}

} // namespace heddle::engine::simd
