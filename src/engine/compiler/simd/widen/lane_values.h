// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lane-by-lane code for operations without vector instructions.
#pragma once

#include "engine/compiler/simd/analysis/access/indexed_address.h"
#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// The elements of a vector one by one; through memory if there are many: a load takes less time
/// than an extraction, and addresses of stores must be known early, or the CPU speculates in vain
/// on later loads.
class LaneElements {
public:
  LaneElements(VectorBuilder &v, llvm::Value *vector, bool in_memory);
  ~LaneElements();
  LaneElements(LaneElements &&other) noexcept;
  LaneElements &operator=(LaneElements &&) = delete;
  llvm::Value *at(unsigned lane);

private:
  VectorBuilder &v_;
  llvm::Value *vector_;
  llvm::AllocaInst *memory_ = nullptr; // or in registers
};

/// A lane's value of a value in the thread's code; `lane` may be a constant.
class LaneValue {
public:
  LaneValue(VectorBuilder &v, llvm::Value *old);
  llvm::Value *at(llvm::Value *lane);

private:
  VectorBuilder &v_;
  llvm::Value *old_;
  llvm::Value *spilled_ = nullptr;
  std::optional<LaneElements> elements_;
};

/// The address of each lane, or of the active ones if they are known; inactive lanes get an address
/// that is safe to read, that of an active lane. Computed from the index where that is cheaper than
/// from 64-bit addresses.
class LaneAddresses {
public:
  /// `stores`: for a store, whose address the CPU should know early (LaneElements).
  LaneAddresses(VectorBuilder &v, llvm::Value *old_pointer, bool stores);
  llvm::Value *at(unsigned lane);

private:
  VectorBuilder &v_;
  llvm::Value *pointer_;
  const Shape shape_;
  std::optional<IndexedAddress> indexed_;
  std::optional<LaneElements> elements_;
};

/// A lane's value of a pointer in the thread's code; `lane` is a constant if all are active.
class LaneAddress : public LaneValue {
public:
  LaneAddress(VectorBuilder &v, llvm::Value *old);
  llvm::Value *at(llvm::Value *lane);

private:
  std::optional<LaneAddresses> all_lanes_;
};

/// Calls body(lane) in ascending order for the active lanes: unrolled if all are active, otherwise
/// in a loop. Collects the results in a vector if `result` is given.
llvm::Value *forEachLane(VectorBuilder &v, llvm::Type *result,
                         const std::function<llvm::Value *(llvm::Value *)> &body);

} // namespace heddle::engine::simd
