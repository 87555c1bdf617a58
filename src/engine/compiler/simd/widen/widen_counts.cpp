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

using observe::CountedSite;

// A field of the site, which is a constant.
uint64_t fieldOf(Value *site, unsigned field) {
  const auto *constant = cast<ConstantStruct>(cast<GlobalVariable>(site)->getInitializer());
  return cast<ConstantInt>(constant->getOperand(field))->getZExtValue();
}

enum SiteField : unsigned { first_counter = 2, visit_slot = 6 };
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

void Widener::countAccess(Value *site, Value *address) {
  Value *here = laneBits();
  const Shape where = shape(address);
  const auto number = [&](Value *value) {
    return value->getType()->isPtrOrPtrVectorTy()
               ? b_.CreatePtrToInt(value, value->getType()->getWithNewType(b_.getInt64Ty()))
               : value;
  };
  if (where.hasBase()) {
    callRuntime(b_, context(), offsetof(ExtendedRuntimeTable, count_strided), b_.getVoidTy(),
                {scalarOf(site), here, number(scalarOf(address)),
                 b_.getInt64(where.isAffine() ? where.stride : 0)});
    return;
  }
  AllocaInst *memory = temporary(wide(b_.getInt64Ty()), "counted");
  b_.CreateStore(number(vectorOf(address)), memory);
  callRuntime(b_, context(), offsetof(ExtendedRuntimeTable, count_access), b_.getVoidTy(),
              {scalarOf(site), here, memory});
}

} // namespace heddle::engine::simd
