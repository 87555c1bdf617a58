// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/widen_counts.h"
#include "engine/abi_extensions.h"
#include "engine/compiler/errors.h"
#include "engine/compiler/lowering/builtin_forms.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"
#include "engine/compiler/simd/widen/tiled_values.h"
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

static void countBlock(VectorBuilder &v, Value *site);
static void countBranch(VectorBuilder &v, Value *site, Value *condition);
static void countAccess(VectorBuilder &v, Value *site, Value *address);
static void countPattern(VectorBuilder &v, Value *site, Value *first, int64_t stride, Value *step,
                         unsigned row, Value *in_shared);

static Value *blockCounts(VectorBuilder &v, uint64_t offset) {
  Value *counts =
      loadBlockField(v.b, v.gang, v.b.getPtrTy(), offsetof(ExtendedBlockContext, counted));
  return loadThreadField(v.b, counts, v.b.getPtrTy(), offset);
}

static void addTo(VectorBuilder &v, Value *counters, uint64_t counter, Value *more) {
  Value *place = v.b.CreateConstInBoundsGEP1_64(v.b.getInt64Ty(), counters, counter);
  v.b.CreateStore(v.b.CreateAdd(v.b.CreateLoad(v.b.getInt64Ty(), place), more), place);
}

void widenCount(VectorBuilder &v, CallBase &old, StringRef marker) {
  if (v.lanes != 32)
    throw Unsupported("counted gangs are warps");
  Value *site = old.getArgOperand(0);
  if (marker == count_block_marker)
    countBlock(v, site);
  else if (marker == count_branch_marker)
    countBranch(v, site, old.getArgOperand(1));
  else
    countAccess(v, site, old.getArgOperand(1));
}

static void countBlock(VectorBuilder &v, Value *site) {
  Value *counters = blockCounts(v, offsetof(observe::BlockCounts, counters));
  const uint64_t first = fieldOf(site, first_counter);
  Value *here = v.mask.laneBits();
  addTo(v, counters, first + observe::block_warps,
        v.b.CreateZExt(v.b.CreateIsNotNull(here), v.b.getInt64Ty()));
  Value *threads = v.b.CreateUnaryIntrinsic(Intrinsic::ctpop, here);
  addTo(v, counters, first + observe::block_threads,
        v.b.CreateZExtOrTrunc(threads, v.b.getInt64Ty()));
}

// A warp that does not part has only its visits counted.
static void countBranch(VectorBuilder &v, Value *site, Value *condition) {
  Value *visits = blockCounts(v, offsetof(observe::BlockCounts, visits));
  Value *warp = v.b.CreateLShr(v.linearIndex(), v.b.getInt32(5));
  Value *slots = v.b.getInt32(
      uint32_t(fieldOf(v.function->getParent()->getNamedGlobal(counted_sites_name), visit_slots)));
  Value *number =
      v.b.CreateAdd(v.b.CreateMul(warp, slots), v.b.getInt32(uint32_t(fieldOf(site, visit_slot))));
  Value *place =
      v.b.CreateInBoundsGEP(v.b.getInt32Ty(), visits, v.b.CreateZExt(number, v.b.getInt64Ty()));
  Value *here = v.mask.laneBits();
  Value *visited = v.b.CreateZExt(v.b.CreateIsNotNull(here), v.b.getInt32Ty());
  v.b.CreateStore(v.b.CreateAdd(v.b.CreateLoad(v.b.getInt32Ty(), place), visited), place);
  if (v.shape(condition).isUniform())
    return;
  Value *taken = v.b.CreateAnd(v.mask.bitsOf(v.vectorOf(condition)), here);
  Value *parts = v.b.CreateAnd(v.b.CreateIsNotNull(taken), v.b.CreateICmpNE(taken, here));
  const auto nothing = [&]() -> Value * { return v.b.getFalse(); };
  v.either(
      parts,
      [&]() -> Value * {
        callRuntime(v.b, v.gang, offsetof(ExtendedRuntimeTable, count_divergence), v.b.getVoidTy(),
                    {v.scalarOf(site)});
        return v.b.getTrue();
      },
      nothing);
}

// Addresses in steps are looked up among those that the site has had (observe::AddressPattern).
static void countAccess(VectorBuilder &v, Value *site, Value *address) {
  const Shape where = v.shape(address);
  const auto number = [&](Value *value) {
    return value->getType()->isPtrOrPtrVectorTy()
               ? v.b.CreatePtrToInt(value, value->getType()->getWithNewType(v.b.getInt64Ty()))
               : value;
  };
  const auto oneByOne = [&]() -> Value * {
    AllocaInst *memory = v.temporary(v.wide(v.b.getInt64Ty()), "counted");
    v.b.CreateStore(number(v.vectorOf(address)), memory);
    callRuntime(v.b, v.gang, offsetof(ExtendedRuntimeTable, count_access), v.b.getVoidTy(),
                {v.scalarOf(site), v.mask.laneBits(), memory});
    return nullptr;
  };
  if (!where.hasRowBases()) {
    oneByOne();
    return;
  }
  Rows rows = where.isTiledAffine() ? v.rowsOf(address) : Rows{v.scalarOf(address)};
  for (Value *&row : rows)
    row = number(row);
  Value *step = rows.size() > 1 ? stepOf(v, address) : v.b.getInt64(0), *regular = v.b.getTrue();
  if (!step) {
    step = v.b.CreateSub(rows[1], rows[0]);
    for (size_t row = 2; row < rows.size(); ++row)
      regular =
          v.b.CreateAnd(regular, v.b.CreateICmpEQ(v.b.CreateSub(rows[row], rows[row - 1]), step));
  }
  const bool generic = AccessSpace(fieldOf(site, space)) == AccessSpace::Generic;
  Value *in_shared = v.b.getFalse();
  if (generic) { // shared memory lies below 4 GiB
    const auto isShared = [&](Value *row) { return v.b.CreateIsNull(v.b.CreateLShr(row, 32)); };
    in_shared = isShared(rows[0]);
    for (Value *row : ArrayRef<Value *>(rows).drop_front())
      regular = v.b.CreateAnd(regular, v.b.CreateICmpEQ(isShared(row), in_shared));
  }
  v.either(
      regular,
      [&]() -> Value * {
        countPattern(v, site, rows[0], where.isAffine() || rows.size() > 1 ? where.stride : 0, step,
                     rows.size() > 1 ? v.rowLength() : v.lanes, in_shared);
        return nullptr;
      },
      oneByOne);
}

static void countPattern(VectorBuilder &v, Value *site, Value *first, int64_t stride, Value *step,
                         unsigned row, Value *in_shared) {
  const auto size = uint32_t(fieldOf(site, bytes));
  Value *index = v.b.CreateAnd(v.b.CreateLShr(first, Log2_32(size)), observe::patternsOf(size) - 1);
  index = v.b.CreateAdd(index, v.b.getInt64(fieldOf(site, first_pattern)));
  Value *place = v.b.CreateInBoundsGEP(v.b.getInt8Ty(),
                                       blockCounts(v, offsetof(observe::BlockCounts, patterns)),
                                       v.b.CreateMul(index, v.b.getInt64(sizeof(AddressPattern))));
  const auto field = [&](uint64_t offset) {
    return v.b.CreateConstInBoundsGEP1_64(v.b.getInt8Ty(), place, offset);
  };
  Value *key = v.b.CreateOr(
      v.b.CreateZExt(v.mask.laneBits(), v.b.getInt64Ty()),
      v.b.CreateShl(v.b.CreateAnd(first, observe::pattern_period - 1), observe::pattern_first));
  key = v.b.CreateOr(key, uint64_t(row) << observe::pattern_row);
  key = v.b.CreateOr(
      key, v.b.CreateShl(v.b.CreateZExt(in_shared, v.b.getInt64Ty()), observe::pattern_in_shared));
  const auto is = [&](uint64_t offset, Value *value) {
    return v.b.CreateICmpEQ(v.b.CreateLoad(v.b.getInt64Ty(), field(offset)), value);
  };
  Value *known = is(offsetof(AddressPattern, key), key);
  known =
      v.b.CreateAnd(known, is(offsetof(AddressPattern, stride), v.b.getInt64(uint64_t(stride))));
  known = v.b.CreateAnd(known, is(offsetof(AddressPattern, step), step));
  v.either(
      known,
      [&]() -> Value * {
        Value *requests = field(offsetof(AddressPattern, requests));
        v.b.CreateStore(v.b.CreateAdd(v.b.CreateLoad(v.b.getInt64Ty(), requests), v.b.getInt64(1)),
                        requests);
        return nullptr;
      },
      [&]() -> Value * {
        return callRuntime(v.b, v.gang, offsetof(ExtendedRuntimeTable, count_pattern),
                           v.b.getVoidTy(),
                           {v.scalarOf(site), place, key, v.b.getInt64(uint64_t(stride)), step});
      });
}

} // namespace heddle::engine::simd
