// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics of a gang. Those of several lanes on one address become one, where the old values and the
// final value are those of the lanes' operations in sequence.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// Returns the lanes' old values, or null if nothing uses them.
llvm::Value *widenAtomic(VectorBuilder &v, llvm::AtomicRMWInst &old);

/// In lane order.
llvm::Value *atomicOfEachLane(VectorBuilder &v, llvm::AtomicRMWInst &old);

llvm::Value *widenExchange(VectorBuilder &v, llvm::AtomicCmpXchgInst &old);

} // namespace heddle::engine::simd
