// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all emitters of gang code share: the position where code is inserted, the active lanes, and
// the values that replace those of the thread's code.
//
// A value of the thread's code has up to three forms in the gang's (shapes.h):
//
//   scalar   uniform: the value; affine: the first lane's, from which the others follow
//   rows     tiled affine: the first lane's value in each row of the gang
//   vector   an element for each lane; made from the other forms on demand
//
// Emitters are functions with this as their first argument. They ask for the form that suits their
// code, and the caller defines the result (`define`).
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/plan/access_plan.h"
#include "engine/compiler/simd/widen/emitter_state.h"
#include "engine/compiler/simd/widen/gang_mask.h"
#include "engine/compiler/simd/widen/widen.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <functional>

namespace heddle::engine::simd {

/// Metadata of a scalar access that stays valid for the vector access.
inline constexpr unsigned kept_of_access[] = {
    llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias,
    llvm::LLVMContext::MD_nontemporal};

/// The blocks and values around the code of a gang in a sweep (gang_function.h).
struct SweepParts {
  llvm::BasicBlock *first_block = nullptr, *next_gang = nullptr, *swept = nullptr;
  llvm::AllocaInst *outcome = nullptr;
  llvm::Value *outcomes_differ = nullptr, *has_ended = nullptr; // i1
  llvm::Value *keep_outcome = nullptr;                          // a store
  llvm::Value *single_row = nullptr;                            // i1, created on demand
};

class VectorBuilder {
public:
  VectorBuilder(llvm::Function &thread, const WidenOptions &options, std::vector<Remark> *remarks);

  // ---- Values of the thread's code ----
  Shape shape(const llvm::Value *value) const { return shapes.of(value); }
  llvm::Value *scalarOf(llvm::Value *value);
  llvm::Value *vectorOf(llvm::Value *value);
  /// At the builder's position.
  Rows rowsOf(llvm::Value *value);
  /// Records what replaces an instruction of the thread's code; null: nothing does.
  void define(llvm::Instruction &old, llvm::Value *value);
  void defineRows(llvm::Instruction &old, Rows rows);
  /// Copies the instruction for the first lane, from which other lanes' values are derived.
  void keepScalar(llvm::Instruction &instruction);
  /// Inserts the instruction; with constant lane numbers, results are constant, too.
  llvm::Value *insertOrFold(llvm::Instruction *copy);

  // ---- Types ----
  llvm::Type *wide(llvm::Type *type) const; // with an element for each lane
  uint64_t sizeOf(llvm::Type *type) const { return accesses.sizeOf(type); }
  bool isPlain(llvm::Type *type) const { return accesses.isPlain(type); }
  bool hasMaskedAccess(llvm::Type *type) const { return accesses.hasMaskedAccess(type); }
  bool fitsNativeGather(llvm::Type *type) const { return accesses.fitsNativeGather(type); }

  // ---- Rows of a gang; one if it is not tiled ----
  unsigned rowLength() const { return options.layout.rowLength(); }
  unsigned rowCount() const { return lanes / rowLength(); }
  llvm::Value *rowOf(llvm::Value *vector, unsigned row);
  llvm::Value *partOf(llvm::Value *vector, unsigned first, unsigned count);
  /// A vector of `count` elements: first, first + stride, …
  llvm::Value *growing(llvm::Value *first, int64_t stride, unsigned count);

  // ---- Code ----
  llvm::Value *contextField(llvm::Type *type, uint64_t offset); // invariant while the gang runs
  llvm::Value *blockField(uint64_t offset);                     // its address
  /// The gang's first thread's linear index in the block.
  llvm::Value *linearIndex();
  llvm::AllocaInst *temporary(llvm::Type *type, const llvm::Twine &name);
  /// Runs `yes` if the condition holds, otherwise `no`; returns a phi of their results.
  llvm::Value *either(llvm::Value *condition, const std::function<llvm::Value *()> &yes,
                      const std::function<llvm::Value *()> &no);
  void remark(const llvm::Instruction &instruction, Remark::Kind kind, const llvm::Twine &what);

  // ---- The thread's code, and decisions about it ----
  llvm::Function &thread;
  const WidenOptions options;
  const llvm::DataLayout &data;
  const unsigned lanes;
  ShapedCode code;
  const Shapes &shapes;
  const AccessContext accesses;

  // ---- The gang's code ----
  llvm::Function *function = nullptr;
  llvm::IRBuilder<> b;
  GangMask mask;                       // of the current block
  llvm::Value *gang = nullptr;         // its GangContext
  llvm::Value *thread_index[3] = {};   // of its first lane
  llvm::Value *block = nullptr;        // its BlockContext, where several gangs share it
  llvm::Value *block_index = nullptr;  // blockIdx.x if it changes between gangs …
  llvm::Value *fused_blocks = nullptr; // … in steps of this
  llvm::Value *ahead_blocks = nullptr; // BlockContext::ahead_blocks
  llvm::Value *state = nullptr, *active_bits = nullptr;
  SweepParts sweep;

  // ---- From the thread's code to the gang's ----
  llvm::DenseMap<llvm::Value *, llvm::Value *> scalars, vectors;
  llvm::DenseMap<llvm::Value *, Rows> row_values;
  llvm::DenseMap<llvm::Value *, llvm::Value *> row_steps;      // tiled_values.h
  llvm::DenseSet<const llvm::Value *> not_negative;            // phis of loops
  llvm::DenseMap<llvm::Value *, llvm::Instruction *> rows_end; // the last of their definitions
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> heads, tails;
  EmitterState emitters;

private:
  llvm::Value *spreadOut(llvm::Value *scalar, const Shape &shape);
  llvm::Value *vectorOfRows(llvm::Value *value);

  std::vector<Remark> *remarks_;
};

/// A copy of the instruction for the first lane, which may be inactive: flags that make its
/// overflow poison are dropped. A disjoint `or` becomes an addition, since the first lane's
/// operands may have common bits.
llvm::Instruction *copyForFirst(const llvm::Instruction &instruction);

} // namespace heddle::engine::simd
