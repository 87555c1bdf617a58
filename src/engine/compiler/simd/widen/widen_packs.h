// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors in the code of a thread (packs.h). The gang's vector concatenates those of its lanes, in
// memory order: lane 0's members, lane 1's, and so on.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// The number of a thread's elements in the type; 1 for scalars.
unsigned packSize(const llvm::Type *type);

/// Repeats each lane's element for each member.
llvm::Value *forMembers(VectorBuilder &v, llvm::Value *vector, unsigned members);

/// Repeats a uniform pack for all lanes.
llvm::Value *repeatedPack(VectorBuilder &v, llvm::Value *pack);

/// A pack of one element repeated.
llvm::Value *splatOfMembers(VectorBuilder &v, llvm::ShuffleVectorInst &splat);

/// The member of each lane.
llvm::Value *memberOf(VectorBuilder &v, llvm::Value *vector, unsigned number, unsigned members);

/// Accesses of packs that are contiguous, lane by lane.
llvm::Value *loadPacks(VectorBuilder &v, llvm::LoadInst &old);
void storePacks(VectorBuilder &v, llvm::StoreInst &old);

/// Other accesses of packs: a gather or scatter of each member.
llvm::Value *gatherPacks(VectorBuilder &v, llvm::LoadInst &old);
void scatterPacks(VectorBuilder &v, llvm::StoreInst &old);

} // namespace heddle::engine::simd
