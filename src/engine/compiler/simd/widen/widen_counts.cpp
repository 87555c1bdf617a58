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
enum SitesField : unsigned { visit_slots = 3, one_by_one = 5, in_pairs = 6 };

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
  if (marker == count_local_marker || marker == count_access_marker)
    countAccess(site, old.getArgOperand(1));
  else if (marker == count_fetch_marker)
    countFetch(site, old);
  else if (ofAllSites(in_pairs))
    countVisit(site, old);
  else if (marker == count_block_marker)
    countBlock(site);
  else
    countBranch(site, old.getArgOperand(1));
}

// Which lanes execute a basic block, or a branch and which way they go there.
void Widener::countVisit(Value *site, CallBase &old) {
  Value *here = laneBits(), *taken = b_.getInt32(0), *key = old.getArgOperand(old.arg_size() - 1);
  if (old.arg_size() > 2)
    taken = b_.CreateAnd(bitsOf(vectorOf(old.getArgOperand(1))), here);
  key =
      shape(key).isUniform() ? scalarOf(key) : b_.CreateExtractElement(vectorOf(key), firstLane());
  callRuntime(b_, context(), offsetof(ExtendedRuntimeTable, count_visit), b_.getVoidTy(),
              {scalarOf(site), here, taken, key});
}

uint64_t Widener::ofAllSites(unsigned field) const {
  return fieldOf(new_->getParent()->getNamedGlobal(counted_sites_name), field);
}

// Every argument of every lane goes to memory (observe::FetchLanes).
void Widener::countFetch(Value *site, CallBase &old) {
  AllocaInst *lanes =
      temporary(ArrayType::get(wide(b_.getInt64Ty()),
                               divideCeil(sizeof(observe::FetchLanes), sizeof(uint64_t) * lanes_)),
                "fetched");
  uint64_t offset = 0;
  for (unsigned i = 1; i < old.arg_size(); ++i) {
    Value *vector = vectorOf(old.getArgOperand(i));
    b_.CreateStore(vector, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), lanes, offset));
    offset += lanes_ * vector->getType()->getScalarSizeInBits() / 8;
  }
  callRuntime(b_, context(), offsetof(ExtendedRuntimeTable, count_fetch), b_.getVoidTy(),
              {scalarOf(site), laneBits(), lanes});
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
  Value *slots = b_.getInt32(uint32_t(ofAllSites(visit_slots)));
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

// Those that go through the caches, if these are modelled.
bool Widener::toldOneByOne(Value *site) const {
  const auto space = AccessSpace(fieldOf(site, SiteField::space));
  return ofAllSites(one_by_one) && space != AccessSpace::Shared && space != AccessSpace::Constant;
}

// Addresses in steps are looked up among those that the site has had (observe::AddressPattern).
void Widener::countAccess(Value *site, Value *address) {
  const Shape where = shape(address);
  const auto number = [&](Value *value) {
    return value->getType()->isPtrOrPtrVectorTy()
               ? b_.CreatePtrToInt(value, value->getType()->getWithNewType(b_.getInt64Ty()))
               : value;
  };
  const auto oneByOne = [&]() -> Value * {
    AllocaInst *memory = temporary(wide(b_.getInt64Ty()), "counted");
    b_.CreateStore(number(vectorOf(address)), memory);
    callRuntime(b_, context(), offsetof(ExtendedRuntimeTable, count_access), b_.getVoidTy(),
                {scalarOf(site), laneBits(), memory});
    return nullptr;
  };
  if (!where.hasRowBases() || toldOneByOne(site)) {
    oneByOne();
    return;
  }
  Rows rows = where.isTiledAffine() ? rowsOf(address) : Rows{scalarOf(address)};
  for (Value *&row : rows)
    row = number(row);
  Value *step = rows.size() > 1 ? stepOf(address) : b_.getInt64(0), *regular = b_.getTrue();
  if (!step) {
    step = b_.CreateSub(rows[1], rows[0]);
    for (size_t row = 2; row < rows.size(); ++row)
      regular =
          b_.CreateAnd(regular, b_.CreateICmpEQ(b_.CreateSub(rows[row], rows[row - 1]), step));
  }
  const bool generic = AccessSpace(fieldOf(site, space)) == AccessSpace::Generic;
  Value *in_shared = b_.getFalse();
  if (generic) { // shared memory lies below 4 GiB
    const auto isShared = [&](Value *row) { return b_.CreateIsNull(b_.CreateLShr(row, 32)); };
    in_shared = isShared(rows[0]);
    for (Value *row : ArrayRef<Value *>(rows).drop_front())
      regular = b_.CreateAnd(regular, b_.CreateICmpEQ(isShared(row), in_shared));
  }
  either(
      regular,
      [&]() -> Value * {
        countPattern(site, rows[0], where.isAffine() || rows.size() > 1 ? where.stride : 0, step,
                     rows.size() > 1 ? rowLength() : lanes_, in_shared);
        return nullptr;
      },
      oneByOne);
}

void Widener::countPattern(Value *site, Value *first, int64_t stride, Value *step, unsigned row,
                           Value *in_shared) {
  const auto size = uint32_t(fieldOf(site, bytes));
  Value *index = b_.CreateAnd(b_.CreateLShr(first, Log2_32(size)), observe::patternsOf(size) - 1);
  index = b_.CreateAdd(index, b_.getInt64(fieldOf(site, first_pattern)));
  Value *place =
      b_.CreateInBoundsGEP(b_.getInt8Ty(), blockCounts(offsetof(observe::BlockCounts, patterns)),
                           b_.CreateMul(index, b_.getInt64(sizeof(AddressPattern))));
  const auto field = [&](uint64_t offset) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), place, offset);
  };
  Value *key = b_.CreateOr(
      b_.CreateZExt(laneBits(), b_.getInt64Ty()),
      b_.CreateShl(b_.CreateAnd(first, observe::pattern_period - 1), observe::pattern_first));
  key = b_.CreateOr(key, uint64_t(row) << observe::pattern_row);
  key = b_.CreateOr(
      key, b_.CreateShl(b_.CreateZExt(in_shared, b_.getInt64Ty()), observe::pattern_in_shared));
  const auto is = [&](uint64_t offset, Value *value) {
    return b_.CreateICmpEQ(b_.CreateLoad(b_.getInt64Ty(), field(offset)), value);
  };
  Value *known = is(offsetof(AddressPattern, key), key);
  known = b_.CreateAnd(known, is(offsetof(AddressPattern, stride), b_.getInt64(uint64_t(stride))));
  known = b_.CreateAnd(known, is(offsetof(AddressPattern, step), step));
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
                           b_.getVoidTy(),
                           {scalarOf(site), place, key, b_.getInt64(uint64_t(stride)), step});
      });
}

} // namespace heddle::engine::simd
