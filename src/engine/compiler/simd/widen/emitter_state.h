// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What emitters remember from one access to the next.
#pragma once

#include "engine/compiler/simd/analysis/access/interleaved_groups.h"
#include "engine/compiler/simd/analysis/access/linear_form.h"

#include "llvm/IR/Instructions.h"

#include <vector>

namespace heddle::engine::simd {

/// A value for each row of a gang.
using Rows = llvm::SmallVector<llvm::Value *, 4>;

/// A read-modify-write of an element: a load …, a store.
using Update = llvm::SmallVector<llvm::Instruction *, 8>;

/// Elements with stride `step`, in vectors that are whole lines (memory/strided_rmw.h).
struct InLines {
  unsigned step = 0;
  unsigned length = 0; // of the vectors, in elements
  unsigned lanes = 0;
  bool in_shared = false;
  int64_t first = 0; // start of the first line, in elements from the first load's address
  llvm::SmallVector<std::pair<const llvm::Value *, unsigned>> slots; // pointers, positions

  bool has(const llvm::Value *pointer) const;
  unsigned slotOf(const llvm::Value *pointer) const;
  /// Number of independent parts: a line each, or a lane's elements in several lines.
  unsigned parts() const;
  /// The lines of a part, counted from the first of all.
  llvm::SmallVector<unsigned> linesOf(unsigned part) const;
  /// Whether `place` in the part's line is a lane's element of this slot.
  bool isPlaceOf(unsigned slot, unsigned part, unsigned place) const;
};

struct InPlace {
  Update members;
  InLines where;
};

/// A read-modify-write of a row's elements.
struct LineChange {
  InPlace change;
  llvm::Value *pointer = nullptr;    // to the first line
  const llvm::Value *base = nullptr; // `offset` bytes before the line
  int64_t offset = 0;
};

/// Words of a matrix, each a value of the thread's code.
struct FragmentInMemory {
  llvm::SmallVector<llvm::Value *> words;
  llvm::AllocaInst *memory = nullptr; // word after word, with all lanes
};

struct EmitterState {
  // memory/widen_prefetch.h: addresses prefetched on the paths here, and at the ends of blocks
  std::vector<LinearForm> prefetched;
  llvm::DenseMap<const llvm::BasicBlock *, std::vector<LinearForm>> prefetched_at;
  // kinds/widen_interleaved.h
  llvm::DenseMap<const llvm::Instruction *, llvm::Value *> group_values; // loaded already
  // memory/strided_rmw.h: pending operations on shared memory
  std::vector<LineChange> changes;
  // lane_values.h: memory for the elements of vectors
  llvm::DenseMap<llvm::Type *, llvm::SmallVector<llvm::AllocaInst *>> unused_elements;
  // calls/widen_matrix.h: values that lie in memory, at this place of the block
  std::vector<FragmentInMemory> fragments;
  llvm::DenseMap<uint64_t, llvm::SmallVector<llvm::AllocaInst *>> unused_fragments; // by words
  // calls/widen_copies.h: memory for the addresses of a copy
  llvm::AllocaInst *copy_places[2] = {};
  // widen_calls.h: memory for what observers are told
  llvm::AllocaInst *observed_places[5] = {};
};

} // namespace heddle::engine::simd
