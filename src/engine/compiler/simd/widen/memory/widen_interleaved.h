// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interleaved groups (interleaved_groups.h): vectors in memory order, with `step` elements of each
// lane, are transposed to a vector for each member, or the reverse. If only the first lanes are
// active, the vectors are shorter. If lanes are at unrelated addresses, each lane's elements are
// loaded separately and concatenated first.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// If this is the first load of the group, loads the whole group and defines the values of all
/// members.
llvm::Value *loadGroup(VectorBuilder &v, const AccessGroup &group, llvm::LoadInst &old);

/// Likewise, if the group has not been loaded. Inactive lanes load from an active lane's address.
llvm::Value *loadScattered(VectorBuilder &v, const AccessGroup &group, llvm::LoadInst &old);

/// If this is the last store of the group, stores the whole group.
void storeGroup(VectorBuilder &v, const AccessGroup &group, llvm::StoreInst &old);

/// The group that the access belongs to, or null.
const AccessGroup *groupOf(VectorBuilder &v, const llvm::Instruction &access);

const AccessGroup *scatteredGroupOf(VectorBuilder &v, const llvm::LoadInst &load);

void findGroups(VectorBuilder &v);

} // namespace heddle::engine::simd
