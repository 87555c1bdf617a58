// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an instruction names the memory that it accesses: state space, order and scope (PTX ISA,
// "State Spaces" and "Memory Consistency Model").
#pragma once

#include "module/ptx/instructions/instructions.h"

namespace heddle {

/// What the modifiers of a load, a store or an atomic operation say.
struct PtxAccess {
  bool shared = false;      // addresses may have 32 bits
  bool local = false;       // the same, if there is one variable
  bool constant = false;    // .const, or .nc: not written meanwhile
  bool is_volatile = false; // .volatile, or a cache hint that asks for the current value
  llvm::AtomicOrdering order = llvm::AtomicOrdering::NotAtomic;
  llvm::SyncScope::ID scope = llvm::SyncScope::System;
};

/// Takes those modifiers, and the cache hints, which have no meaning here. The scope (.cta, .gpu,
/// …) has none either, as all threads run on processors that share one coherent memory; it is kept
/// for heddle check.
PtxAccess takePtxAccess(PtxInstruction &in);

/// Takes eviction priorities, prefetch sizes and policies (.L1::…, .L2::…).
void takeCacheHints(PtxInstruction &in);

/// Takes .v2, .v4 or .v8; 1 without it.
unsigned takeVectorLength(PtxInstruction &in);
/// The registers of a vector operand, or the one of a scalar. Throws PtxError.
llvm::ArrayRef<PtxOperand> elementsOf(const PtxOperand &operand, unsigned count);

/// Takes .add, .min, .exch, … of atomic operations. Throws PtxError.
llvm::AtomicRMWInst::BinOp takeUpdate(PtxInstruction &in);
/// Combines what lies at `pointer` with `value` (as PtxType::inIR), atomically. Gives what was
/// there. Throws PtxError for what the type does not have.
llvm::Value *updateMemory(PtxInstruction &in, llvm::AtomicRMWInst::BinOp operation, PtxType type,
                          llvm::Value *pointer, llvm::Value *value, llvm::AtomicOrdering order,
                          llvm::SyncScope::ID scope = llvm::SyncScope::System);

} // namespace heddle
