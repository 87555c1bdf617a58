// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/kinds/access_kinds.h"

#include "engine/compiler/simd/widen/kinds/contiguous_access.h"
#include "engine/compiler/simd/widen/kinds/likely_contiguous.h"
#include "engine/compiler/simd/widen/kinds/piecewise_access.h"
#include "engine/compiler/simd/widen/kinds/scalar_access.h"
#include "engine/compiler/simd/widen/kinds/widen_columns.h"
#include "engine/compiler/simd/widen/kinds/widen_gather.h"
#include "engine/compiler/simd/widen/kinds/widen_interleaved.h"
#include "engine/compiler/simd/widen/kinds/widen_patterns.h"
#include "engine/compiler/simd/widen/kinds/widen_strided.h"
#include "engine/compiler/simd/widen/kinds/widen_table.h"
#include "engine/compiler/simd/widen/memory/alignment_check.h"
#include "engine/compiler/simd/widen/widen_packs.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

using Kind = Remark::Kind;

const AccessEmitter emitters[] = {
    {"scalar", Kind::Scalar, loadForAll, storeToOnePlace},
    {"scalar-rows", Kind::Scalar, loadFromEachRow, nullptr},
    {"packs", Kind::Contiguous, loadPacks, storePacks},
    {"packs-gather", Kind::Gather, gatherPacks, scatterPacks},
    {"contiguous", Kind::Contiguous, loadContiguous, storeContiguous},
    {"interleaved", Kind::Interleaved, loadInterleaved, storeInterleaved},
    {"few-lanes", Kind::LaneByLane, gather, scatter},
    {"strided", Kind::EveryFew, loadEvery, storeEvery},
    {"reversed", Kind::Reversed, loadBackwards, storeBackwards},
    {"columns", Kind::Columns, loadColumns, storeColumns},
    {"table", Kind::Table, loadFromTable, nullptr},
    {"permuted", Kind::Pattern, loadPattern, nullptr},
    {"members", Kind::Scattered, loadMembersOfEach, nullptr},
    {"piecewise", Kind::Gather, loadChosen, nullptr},
    {"likely-contiguous", Kind::Gather, loadIfContiguous, storeIfContiguous},
    {"gather", Kind::Gather, gather, scatter},
};

// Of the kind that the plan says; after a remark on it.
const AccessEmitter &emitterOf(VectorBuilder &v, Instruction &old) {
  const Access access(v.accesses, old, v.mask.known());
  const AccessEmitter &emitter = emitters[planOf(access).kind - accessKinds().data()];
  const bool strided =
      emitter.remark == Kind::Gather && access.address.isAffine() && !access.type->isVectorTy();
  v.remark(old, strided ? Kind::Strided : emitter.remark, access.is_store ? "store" : "load");
  return emitter;
}

} // namespace

ArrayRef<AccessEmitter> accessEmitters() { return emitters; }

void widenLoad(VectorBuilder &v, LoadInst &old) {
  if (!old.hasMetadata(LLVMContext::MD_invariant_load)) // parameters and contexts are valid
    checkAlignment(v, old.getPointerOperand(), old.getAlign());
  if (Value *loaded = emitterOf(v, old).load(v, old))
    v.define(old, loaded);
}

void widenStore(VectorBuilder &v, StoreInst &old) {
  checkAlignment(v, old.getPointerOperand(), old.getAlign());
  emitterOf(v, old).store(v, old);
}

} // namespace heddle::engine::simd
