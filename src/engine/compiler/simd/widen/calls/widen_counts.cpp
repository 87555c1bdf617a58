// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/calls/widen_counts.h"
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
enum SitesField : unsigned { visit_slots = 3, one_by_one = 5, in_pairs = 6 };

// Addresses of rows of `row` lanes, from `first` on, `stride` from lane to lane and `step` from row
// to row, if `regular`.
struct Steps {
  Value *first, *stride, *step, *regular;
  Value *in_shared; // of a generic address
  unsigned row;
};

} // namespace

static void countBlock(VectorBuilder &v, Value *site);
static void countBranch(VectorBuilder &v, Value *site, Value *condition);
static void countAccess(VectorBuilder &v, Value *site, Value *address);
static void countPattern(VectorBuilder &v, Value *site, const Steps &steps);
static void countVisit(VectorBuilder &v, Value *site, CallBase &old);

static uint64_t ofAllSites(const VectorBuilder &v, unsigned field) {
  return fieldOf(v.function->getParent()->getNamedGlobal(counted_sites_name), field);
}

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
  if (marker == count_access_marker || marker == count_local_marker)
    countAccess(v, site, old.getArgOperand(1));
  else if (marker == count_fetch_marker)
    widenFetch(v, old, offsetof(ExtendedRuntimeTable, count_fetch));
  else if (ofAllSites(v, in_pairs))
    countVisit(v, site, old);
  else if (marker == count_block_marker)
    countBlock(v, site);
  else
    countBranch(v, site, old.getArgOperand(1));
}

// Which lanes execute a basic block; or a branch, and which of them take it.
static void countVisit(VectorBuilder &v, Value *site, CallBase &old) {
  Value *here = v.mask.laneBits(), *taken = v.b.getInt32(0);
  Value *key = old.getArgOperand(old.arg_size() - 1);
  if (old.arg_size() > 2)
    taken = v.b.CreateAnd(v.mask.bitsOf(v.vectorOf(old.getArgOperand(1))), here);
  key = v.shape(key).isUniform() ? v.scalarOf(key)
                                 : v.b.CreateExtractElement(v.vectorOf(key), v.mask.firstLane());
  callRuntime(v.b, v.gang, offsetof(ExtendedRuntimeTable, count_visit), v.b.getVoidTy(),
              {v.scalarOf(site), here, taken, key});
}

// Every argument of every lane goes to memory (observe::FetchLanes).
void widenFetch(VectorBuilder &v, CallBase &old, uint64_t service) {
  if (v.lanes != 32)
    throw Unsupported("observed gangs are warps");
  const uint64_t words = divideCeil(sizeof(observe::FetchLanes), sizeof(uint64_t) * v.lanes);
  AllocaInst *fetched = v.temporary(ArrayType::get(v.wide(v.b.getInt64Ty()), words), "fetched");
  uint64_t offset = 0;
  for (unsigned i = 1; i < old.arg_size(); ++i) {
    Value *vector = v.vectorOf(old.getArgOperand(i));
    v.b.CreateStore(vector, v.b.CreateConstInBoundsGEP1_64(v.b.getInt8Ty(), fetched, offset));
    offset += v.lanes * vector->getType()->getScalarSizeInBits() / 8;
  }
  callRuntime(v.b, v.gang, service, v.b.getVoidTy(),
              {v.scalarOf(old.getArgOperand(0)), v.mask.laneBits(), fetched});
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
  Value *slots = v.b.getInt32(uint32_t(ofAllSites(v, visit_slots)));
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

static Value *numberOf(VectorBuilder &v, Value *address) {
  return address->getType()->isPtrOrPtrVectorTy()
             ? v.b.CreatePtrToInt(address, address->getType()->getWithNewType(v.b.getInt64Ty()))
             : address;
}

// Shared memory lies below 4 GiB.
static Value *isInShared(VectorBuilder &v, Value *address) {
  return v.b.CreateIsNull(v.b.CreateLShr(address, 32));
}

// Many addresses without a base are in steps nevertheless: columns of a matrix, neighbours in a
// field without edges.
static Steps stepsOfLanes(VectorBuilder &v, Value *address, bool generic) {
  Steps steps;
  Value *all = v.b.CreateFreeze(numberOf(v, v.vectorOf(address)));
  const auto element = [&](uint64_t lane) { return v.b.CreateExtractElement(all, lane); };
  const unsigned row = steps.row = v.rowLength();
  steps.first = element(0);
  steps.stride = row > 1 ? v.b.CreateSub(element(1), steps.first) : v.b.getInt64(0);
  steps.step = row < v.lanes ? v.b.CreateSub(element(row), steps.first) : v.b.getInt64(0);
  SmallVector<Constant *> columns, rows;
  for (unsigned lane = 0; lane < v.lanes; ++lane) {
    columns.push_back(v.b.getInt64(lane % row));
    rows.push_back(v.b.getInt64(lane / row));
  }
  // Products of 32 bits take a CPU a third of the time, and steps are hardly ever longer.
  Value *narrow = v.b.getTrue();
  const auto times = [&](ArrayRef<Constant *> numbers, Value *factor) {
    Value *low = v.b.CreateSExt(v.b.CreateTrunc(factor, v.b.getInt32Ty()), v.b.getInt64Ty());
    narrow = v.b.CreateAnd(narrow, v.b.CreateICmpEQ(low, factor));
    return v.b.CreateMul(ConstantVector::get(numbers), v.b.CreateVectorSplat(v.lanes, low));
  };
  Value *expected =
      v.b.CreateAdd(times(columns, steps.stride), v.b.CreateVectorSplat(v.lanes, steps.first));
  if (row < v.lanes)
    expected = v.b.CreateAdd(expected, times(rows, steps.step));
  Value *others = v.b.CreateAnd(v.mask.bitsOf(v.b.CreateICmpNE(all, expected)), v.mask.laneBits());
  steps.regular = v.b.CreateAnd(v.b.CreateIsNull(others), narrow);
  steps.in_shared = v.b.getFalse();
  if (generic) { // the four corners have the lowest and the highest address among them
    steps.in_shared = isInShared(v, steps.first);
    for (const unsigned lane : {row - 1, v.lanes - row, v.lanes - 1}) {
      Value *corner = isInShared(v, v.b.CreateExtractElement(expected, uint64_t(lane)));
      steps.regular = v.b.CreateAnd(steps.regular, v.b.CreateICmpEQ(corner, steps.in_shared));
    }
  }
  return steps;
}

static Steps stepsOfRows(VectorBuilder &v, Value *address, bool generic) {
  const Shape where = v.shape(address);
  Rows rows = where.isTiledAffine() ? v.rowsOf(address) : Rows{v.scalarOf(address)};
  for (Value *&one : rows)
    one = numberOf(v, one);
  const bool several = rows.size() > 1;
  Steps steps;
  steps.first = rows[0];
  steps.stride = v.b.getInt64(where.isAffine() || several ? uint64_t(where.stride) : 0);
  steps.step = several ? stepOf(v, address) : v.b.getInt64(0);
  steps.row = several ? v.rowLength() : v.lanes;
  steps.regular = v.b.getTrue();
  if (!steps.step) {
    steps.step = v.b.CreateSub(rows[1], rows[0]);
    for (size_t i = 2; i < rows.size(); ++i)
      steps.regular = v.b.CreateAnd(
          steps.regular, v.b.CreateICmpEQ(v.b.CreateSub(rows[i], rows[i - 1]), steps.step));
  }
  steps.in_shared = generic ? isInShared(v, steps.first) : v.b.getFalse();
  for (Value *one : ArrayRef<Value *>(rows).drop_front())
    if (generic)
      steps.regular =
          v.b.CreateAnd(steps.regular, v.b.CreateICmpEQ(isInShared(v, one), steps.in_shared));
  return steps;
}

// Addresses in steps are looked up among those that the site has had (observe::AddressPattern). If
// caches are modelled, what goes through them is told with all addresses.
static void countAccess(VectorBuilder &v, Value *site, Value *address) {
  const auto where = AccessSpace(fieldOf(site, space));
  const auto oneByOne = [&]() -> Value * {
    AllocaInst *memory = v.temporary(v.wide(v.b.getInt64Ty()), "counted");
    v.b.CreateStore(numberOf(v, v.vectorOf(address)), memory);
    callRuntime(v.b, v.gang, offsetof(ExtendedRuntimeTable, count_access), v.b.getVoidTy(),
                {v.scalarOf(site), v.mask.laneBits(), memory});
    return nullptr;
  };
  if (ofAllSites(v, one_by_one) && where != AccessSpace::Shared && where != AccessSpace::Constant) {
    oneByOne();
    return;
  }
  const bool generic = where == AccessSpace::Generic;
  const Steps steps = v.shape(address).hasRowBases() ? stepsOfRows(v, address, generic)
                                                     : stepsOfLanes(v, address, generic);
  v.either(
      steps.regular,
      [&]() -> Value * {
        countPattern(v, site, steps);
        return nullptr;
      },
      oneByOne);
}

static void countPattern(VectorBuilder &v, Value *site, const Steps &steps) {
  const auto size = uint32_t(fieldOf(site, bytes));
  Value *index =
      v.b.CreateAnd(v.b.CreateLShr(steps.first, Log2_32(size)), observe::patternsOf(size) - 1);
  index = v.b.CreateAdd(index, v.b.getInt64(fieldOf(site, first_pattern)));
  Value *place = v.b.CreateInBoundsGEP(v.b.getInt8Ty(),
                                       blockCounts(v, offsetof(observe::BlockCounts, patterns)),
                                       v.b.CreateMul(index, v.b.getInt64(sizeof(AddressPattern))));
  const auto field = [&](uint64_t offset) {
    return v.b.CreateConstInBoundsGEP1_64(v.b.getInt8Ty(), place, offset);
  };
  Value *key = v.b.CreateOr(v.b.CreateZExt(v.mask.laneBits(), v.b.getInt64Ty()),
                            v.b.CreateShl(v.b.CreateAnd(steps.first, observe::pattern_period - 1),
                                          observe::pattern_first));
  key = v.b.CreateOr(key, uint64_t(steps.row) << observe::pattern_row);
  key = v.b.CreateOr(key, v.b.CreateShl(v.b.CreateZExt(steps.in_shared, v.b.getInt64Ty()),
                                        observe::pattern_in_shared));
  const auto is = [&](uint64_t offset, Value *value) {
    return v.b.CreateICmpEQ(v.b.CreateLoad(v.b.getInt64Ty(), field(offset)), value);
  };
  Value *known = is(offsetof(AddressPattern, key), key);
  known = v.b.CreateAnd(known, is(offsetof(AddressPattern, stride), steps.stride));
  known = v.b.CreateAnd(known, is(offsetof(AddressPattern, step), steps.step));
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
                           {v.scalarOf(site), place, key, steps.stride, steps.step});
      });
}

} // namespace heddle::engine::simd
