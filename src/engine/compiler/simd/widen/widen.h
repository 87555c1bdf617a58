// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the code of one thread into the code of a gang.
//
// Uniform values stay scalars; affine values are represented by the first lane's scalar, from which
// a vector is made where needed; varying values become vectors with an element for each lane.
// Memory is accessed in the cheapest form that the shape of the address allows: one scalar access,
// one vector access, or an access for each lane. Functions without a vector form are called lane by
// lane.
//
// Expects linearized code (linearize.h): all branches uniform, masks in markers.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

#include <string>
#include <vector>

namespace heddle::engine::simd {

/// How one memory access or branch of the source was compiled, for `--explain-codegen`.
struct Remark {
  enum class Kind {
    Scalar,
    Contiguous,
    Reversed,
    EveryFew,
    Interleaved,
    Scattered,
    Columns,
    Table,
    Pattern,
    Strided,
    Gather,
    LaneByLane,
    Branch
  };
  Kind kind;
  bool store = false, masked = false;
  std::string what; // "load of 4 bytes", "call of f"
  unsigned line = 0;
  std::string file;

  /// Takes the instruction's source location.
  Remark(Kind kind, const llvm::Instruction &instruction, std::string what);
};

struct WidenOptions {
  LaneLayout layout;
  uint64_t parameter_bytes = 0; // readable
  unsigned record_bytes = 0;    // of each GroupRecord, with its uniform values
  bool keeps_record = false;    // values stay in it from one suspend point to the next
  bool sweeps = false;          // make a SimdSweep; else a SimdEntry
  bool strips = false;          // sweeps without states: runs strips of blocks (block_coarsening.h)
  unsigned blocks_ahead = 1;    // for prefetches (loop_prefetch.h)
  unsigned states = 0;          // at which it can be re-entered
  bool native_gather = false;   // TargetProfile::native_gather
  bool few_misses = false;      // TargetProfile::few_misses
  bool foreseen_steps = false;  // TargetProfile::foreseen_steps
  bool foreseen_strips = false; // if so, strips need no prefetches (stripsGoUp)
};

/// Replaces `thread` (the code of one thread, with SimdEntry's signature) by a gang's function of
/// the same name; with `sweeps`, by one that runs gang after gang. Throws std::runtime_error with
/// the reason if that is not possible.
llvm::Function *widen(llvm::Function &thread, const WidenOptions &options,
                      std::vector<Remark> *remarks);

/// Creates a SimdEntry that sweeps a single gang and, if it suspends, writes its record.
llvm::Function *makeEntry(llvm::Function &sweep, const WidenOptions &options);

} // namespace heddle::engine::simd
