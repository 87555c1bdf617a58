// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the number of lanes of a gang.
//
// Warp operations need all 32 lanes at once. Otherwise more lanes mean more independent work for
// the CPU, and fewer lanes mean that values stay in its 16 (or 32) vector registers.
//
// Gangs wider than a warp pay where few values are live: a matrix product keeps one sum per thread;
// eight rows of 16 threads are eight independent chains of additions instead of two, what the rows
// load in common is loaded once, and there are fewer gangs at each barrier. They pay for elements
// of one byte, of which a warp fills half a register and 128 lanes take hardly more instructions.
// Grid-stride reductions read longer pieces at each of their distant places, also in kernels with
// warp shuffles (warp_uniformity.h). So do blocks that read an array in pieces of their own width,
// and stencils whose threads share rows (access_distance.h).
//
// Some kernels do not suit vectors: a thread that walks a list, or a row of a sparse matrix, loads
// from all over memory, which costs a vector as much as scalar code, and lanes with shorter lists
// wait. Such threads run as scalar code, one at a time.
#pragma once

#include "engine/compiler/codegen/target_profile.h"
#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

struct GangWidth {
  unsigned lanes = 32;      // or 16, or 1
  bool whole_warps = false; // threads of a warp observe each other
  bool may_wait = false;    // there may be suspend points
  bool spins = false;       // there are loops whose exit depends on other threads
};

/// `register_bytes`: size of a vector register. Expects canonical code.
GangWidth gangWidth(const llvm::Function &function, unsigned register_bytes);

/// The layout of gangs wider than `usual`, if the block has enough threads and the registers
/// suffice for their values; only for kernels whose gangs mostly stay converged and suspend only at
/// __syncthreads(). `usual` has 32 lanes if there are warp operations. Expects canonical code.
LaneLayout widerLayout(llvm::Function &function, const Variant &variant, const LaneLayout &usual,
                       const TargetProfile &target);

/// Whether gangs of several rows pay: for accesses down columns (access_plan.h), or for rows that
/// several threads load (access_distance.h). Expects canonical code.
bool wantsRows(llvm::Function &function, const GangWidth &width, const TargetProfile &target);

/// A layout of 16 lanes, if a loop's values nearly fill the vector registers with the 32 lanes of
/// `usual`, and if 16 lanes fit and keep the CPU busy. Expects canonical code.
LaneLayout narrowerLayout(llvm::Function &function, const Variant &variant, const LaneLayout &usual,
                          const VectorRegisters &registers);

/// Whether scalar code is cheaper than gangs of this layout. Expects canonical code.
bool shouldScalarize(llvm::Function &function, const LaneLayout &layout,
                     const TargetProfile &target);

} // namespace heddle::engine::simd
