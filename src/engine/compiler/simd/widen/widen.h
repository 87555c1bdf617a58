// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the code of one thread into the code of a gang.
//
// What is the same in all lanes stays a scalar; of what grows by a constant from lane to lane, the
// first lane's value is kept as a scalar, and a vector made of it where one is needed; the rest
// becomes vectors with an element a lane. Memory is accessed by the cheapest means that the shape
// of the address allows: one scalar access, one vector access, or an access a lane. Calls of
// functions that have no vector form are made lane by lane.
//
// Expects linearized code (linearize.h): all branches uniform, masks in markers.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

#include <string>
#include <vector>

namespace heddle::engine::simd {

/// How one memory access or branch of the source came out, for `--explain-codegen`.
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

  /// With the instruction's place in the source.
  Remark(Kind kind, const llvm::Instruction &instruction, std::string what);
};

struct WidenOptions {
  LaneLayout layout;
  uint64_t parameter_bytes = 0; // that may be read
  unsigned record_bytes = 0;    // what each GroupRecord takes, its uniform values included
  bool sweeps = false;          // make a SimdSweep; else a SimdEntry
  bool strips = false; // of a sweep without states: it runs strips of blocks (block_coarsening.h)
  unsigned blocks_ahead = 1;    // whose first lines are asked for (loop_prefetch.h)
  unsigned states = 0;          // in which it can be called again
  bool native_gather = false;   // this CPU has instructions for gathers and scatters under masks
  bool few_misses = false;      // its first level of cache waits for few lines at a time
  bool foreseen_steps = false;  // this CPU foresees loops in steps of the launch
  bool foreseen_strips = false; // then: strips need not ask for lines (stripsGoUp)
};

/// Makes `thread` (the code of one thread, with SimdEntry's signature) into a gang's function,
/// which takes its name and place; with `sweeps`, into one that runs gang after gang. Throws
/// std::runtime_error with the reason if it cannot be.
llvm::Function *widen(llvm::Function &thread, const WidenOptions &options,
                      std::vector<Remark> *remarks);

/// A SimdEntry that sweeps a single gang and, if it waits, writes its record.
llvm::Function *makeEntry(llvm::Function &sweep, const WidenOptions &options);

} // namespace heddle::engine::simd
