// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each PTX instruction does, as LLVM IR (PTX ISA, "Instructions").
//
// A handler takes an instruction apart: it takes the modifiers it knows, reads operands, and writes
// its result. A modifier that was not taken is an error, so nothing is ignored by accident.
#pragma once

#include "module/ptx/emitter.h"

namespace heddle {

/// One instruction while it is being translated.
class PtxInstruction {
public:
  PtxInstruction(PtxEmitter &emitter, const PtxStatement &statement)
      : emitter(emitter), builder(emitter.builder), statement(statement),
        modifiers_(statement.modifiers) {}

  /// Takes modifier `name` if it is there.
  bool take(llvm::StringRef name);
  /// Takes the first of `names` that is there and returns it, else returns "".
  std::string takeOneOf(llvm::ArrayRef<llvm::StringRef> names);
  /// Takes all modifiers that `belongs` says yes to.
  void takeAll(llvm::function_ref<bool(llvm::StringRef)> belongs);
  /// Takes the next type.
  PtxType takeType();
  /// Takes .rn, .rz, .rm or .rp, and returns it as the device library spells it: "rn", "rz", "rd",
  /// "ru"; or "" without one.
  std::string takeRounding();

  size_t count() const { return statement.operands.size(); }
  const PtxOperand &operand(size_t i) const;
  llvm::Value *read(size_t i, PtxType type) const { return emitter.read(operand(i), type); }
  llvm::Value *readPredicate(size_t i) const { return read(i, {PtxType::Predicate, 1}); }
  llvm::Value *readU32(size_t i) const { return read(i, {PtxType::Unsigned, 32}); }
  void write(PtxType type, llvm::Value *value) const { emitter.write(operand(0), type, value); }

  /// Throws if a modifier is left over, naming it.
  void finish() const;

  PtxEmitter &emitter;
  llvm::IRBuilder<> &builder;
  const PtxStatement &statement;

private:
  std::vector<std::string> modifiers_;
};

using PtxHandler = std::function<void(PtxInstruction &)>;

/// All handlers by the instruction's name and the kind of the first type it mentions.
struct PtxTable {
  llvm::StringMap<PtxHandler> any; // whatever the type
  llvm::StringMap<PtxHandler> integer, floating, half;
};

void addIntegerInstructions(PtxTable &table);
void addVideoInstructions(PtxTable &table);
void addSimdVideoInstructions(PtxTable &table);
void addCarryInstructions(PtxTable &table);
void addBitInstructions(PtxTable &table);
void addFloatInstructions(PtxTable &table);
void addHalfInstructions(PtxTable &table);
void addCompareInstructions(PtxTable &table);
void addConvertInstructions(PtxTable &table);
void addMemoryInstructions(PtxTable &table);
void addAtomicInstructions(PtxTable &table);
void addWarpInstructions(PtxTable &table);
void addControlInstructions(PtxTable &table);
void addCallInstructions(PtxTable &table);
void addTextureInstructions(PtxTable &table);
void addBarrierObjectInstructions(PtxTable &table);
void addClusterInstructions(PtxTable &table);
void addTensorInstructions(PtxTable &table);
void addGroupProducts(PtxTable &table);
void addMatrixMoves(PtxTable &table);
void addWarpMatrixInstructions(PtxTable &table);
void addCopyInstructions(PtxTable &table); // after memory and atomic instructions

/// barrier.cluster, without that.
void emitClusterBarrier(PtxInstruction &in);

/// Translates `statement`. Throws PtxError.
void emitPtxInstruction(PtxEmitter &emitter, const PtxStatement &statement);

} // namespace heddle
