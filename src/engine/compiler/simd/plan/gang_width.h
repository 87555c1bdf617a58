// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses how many lanes run together.
//
// Operations of a warp need all 32 at once. Otherwise more lanes mean more independent work for the
// CPU at a time, and fewer mean that values stay in its 16 (or 32) vector registers. Where few
// values live at a time, a gang may be wider than a warp: a product of matrices keeps one sum a
// thread, and with eight rows of 16 threads there are eight chains of additions instead of two, and
// what the rows read in common is loaded once for them. And there are fewer gangs at each barrier.
// And where all elements are bytes, a warp's fill only half of a register, where 128 lanes take
// hardly more instructions.
// A sum over an array in steps of the whole grid reads longer pieces at each of its distant places;
// that is worth it for warps that shuffle, too (warp_uniformity.h). So is a block that goes through
// an array in pieces of its own width, and rows that a stencil's threads have in common
// (access_distance.h).
//
// And there are kernels that are no work for vectors: a thread that walks a list, or a row of a
// sparse matrix, reads from all over memory, which costs a vector as much as its lanes one by one,
// and its neighbours, whose lists are shorter, wait for it. Such threads run one at a time.
#pragma once

#include "engine/compiler/codegen/target_profile.h"
#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

struct GangWidth {
  unsigned lanes = 32;      // or 16, or 1
  bool whole_warps = false; // threads of a warp observe each other
  bool may_wait = false;    // it may have suspensions
  bool spins = false;       // in loops whose end depends on other threads
};

/// For a CPU with vector registers of so many bytes each. Expects canonical code.
GangWidth gangWidth(const llvm::Function &function, unsigned register_bytes);

/// Whether it accesses memory, or calls, lane by lane as a rule: lanes that do gain nothing from
/// each other, and code for each of them is long.
bool isLaneByLane(const llvm::Instruction &instruction, const ShapedCode &code);

/// The layout of gangs that are wider than `usual`, if the block has room for them and the CPU's
/// vector registers for their values. Only for kernels in which gangs stay together, as a rule, and
/// wait at nothing but __syncthreads(). `usual` is 32 lanes if there are operations of warps.
/// Expects canonical code.
LaneLayout widerLayout(llvm::Function &function, const Variant &variant, const LaneLayout &usual,
                       const VectorRegisters &registers);

/// Whether gangs of several rows would gain from them: by columns (strided_2d_access.h), or by rows
/// that are loaded for several threads (access_distance.h). Expects canonical code.
bool wantsRows(llvm::Function &function, const GangWidth &width);

/// The layout of gangs of 16 lanes, if what `usual` ones, of 32, keep in a loop nearly fills the
/// CPU's vector registers, and if gangs of 16 fit and keep the CPU busy. Expects canonical code.
LaneLayout narrowerLayout(llvm::Function &function, const Variant &variant, const LaneLayout &usual,
                          const VectorRegisters &registers);

/// Whether threads of such gangs would rather run one at a time. Expects canonical code.
bool shouldScalarize(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd
