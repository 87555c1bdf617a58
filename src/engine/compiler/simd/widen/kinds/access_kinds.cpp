// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/kinds/access_kinds.h"

#include "engine/compiler/errors.h"
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
#include "engine/compiler/skipped.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

using Kind = Remark::Kind;

const AccessKind access_kinds[] = {
    {"scalar", "uniform", Kind::Scalar, loadForAll, storeToOnePlace,
     /*optional=*/false},
    {"packs", "contiguous packs of a thread's elements", Kind::Contiguous, loadPacks, storePacks},
    {"packs-gather", "packs at any address", Kind::Gather, gatherPacks, scatterPacks,
     /*optional=*/false},
    {"contiguous", "contiguous", Kind::Contiguous, loadContiguous, storeContiguous},
    {"interleaved", "members of contiguous structures (`p[i].x`, `p[i].y`, a `float4`)",
     Kind::Interleaved, loadInterleaved, storeInterleaved},
    {"few-lanes", "any, for a few lanes known at compile time", Kind::LaneByLane, loadFewLanes,
     storeFewLanes},
    {"strided", "every second to eighth element", Kind::EveryFew, loadEvery, storeEvery},
    {"reversed", "contiguous in descending order", Kind::Reversed, loadBackwards, storeBackwards},
    {"columns", "down a column (`out[x * height + y]`), in tiled gangs", Kind::Columns, loadColumns,
     storeColumns},
    {"table", "into a table of at most 32 elements", Kind::Table, loadFromTable, nullptr},
    {"permuted", "permuted contiguous (`in[x / 2]`, `a[i ^ 1]`)", Kind::Pattern, loadPattern,
     nullptr},
    {"members", "members of structures at varying addresses (`p[next[i]].x`)", Kind::Scattered,
     loadMembersOfEach, nullptr},
    {"piecewise", "contiguous except at a border (`x > 0 ? x - 1 : width - 1`)", Kind::Gather,
     loadChosen, nullptr},
    {"likely-contiguous", "contiguous if an index does not wrap", Kind::Gather, loadIfContiguous,
     storeIfContiguous},
    {"gather", "any", Kind::Gather, gather, scatter, /*optional=*/false},
};

void remarkOn(VectorBuilder &v, const AccessKind &kind, Instruction &access, const Value *pointer,
              const char *what) {
  const bool strided = kind.remark == Kind::Gather && v.shape(pointer).isAffine() &&
                       !getLoadStoreType(&access)->isVectorTy();
  v.remark(access, strided ? Kind::Strided : kind.remark, what);
}

} // namespace

ArrayRef<AccessKind> accessKinds() { return access_kinds; }

Value *widenLoad(VectorBuilder &v, LoadInst &old) {
  if (!old.hasMetadata(LLVMContext::MD_invariant_load)) // parameters and contexts are valid
    checkAlignment(v, old.getPointerOperand(), old.getAlign());
  for (const AccessKind &kind : access_kinds) {
    if (kind.optional && isSkipped(kind.name))
      continue;
    if (Value *loaded = kind.load(v, old)) {
      remarkOn(v, kind, old, old.getPointerOperand(), "load");
      return loaded;
    }
  }
  throw InternalError("a load has no kind");
}

void widenStore(VectorBuilder &v, StoreInst &old) {
  checkAlignment(v, old.getPointerOperand(), old.getAlign());
  for (const AccessKind &kind : access_kinds)
    if (kind.store && !(kind.optional && isSkipped(kind.name)) && kind.store(v, old)) {
      remarkOn(v, kind, old, old.getPointerOperand(), "store");
      return;
    }
  throw InternalError("a store has no kind");
}

} // namespace heddle::engine::simd
