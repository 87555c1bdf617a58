// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/instructions/instructions.h"

using namespace llvm;

namespace heddle {
namespace {

const PtxTable &handlers() {
  static const PtxTable table = [] {
    PtxTable all;
    addIntegerInstructions(all);
    addVideoInstructions(all);
    addSimdVideoInstructions(all);
    addCarryInstructions(all);
    addBitInstructions(all);
    addFloatInstructions(all);
    addHalfInstructions(all);
    addCompareInstructions(all);
    addConvertInstructions(all);
    addMemoryInstructions(all);
    addAtomicInstructions(all);
    addWarpInstructions(all);
    addControlInstructions(all);
    addCallInstructions(all);
    addBarrierObjectInstructions(all);
    addCopyInstructions(all);
    addClusterInstructions(all);
    addTensorInstructions(all);
    addMatrixMoves(all);
    return all;
  }();
  return table;
}

const PtxHandler *handlerOf(const PtxStatement &statement) {
  const PtxTable &table = handlers();
  const StringMap<PtxHandler> *typed = &table.integer;
  for (const std::string &modifier : statement.modifiers)
    if (const auto type = parsePtxType(modifier)) {
      if (!type->isInteger() && type->kind != PtxType::Predicate)
        typed = type->isHalf() ? &table.half : &table.floating;
      break;
    }
  for (const StringMap<PtxHandler> *candidates : {typed, &table.any})
    if (auto found = candidates->find(statement.name); found != candidates->end())
      return &found->second;
  return nullptr;
}

} // namespace

bool PtxInstruction::take(StringRef name) {
  auto found = find(modifiers_, name);
  if (found == modifiers_.end())
    return false;
  modifiers_.erase(found);
  return true;
}

std::string PtxInstruction::takeOneOf(ArrayRef<StringRef> names) {
  for (StringRef name : names)
    if (take(name))
      return name.str();
  return "";
}

void PtxInstruction::takeAll(function_ref<bool(StringRef)> belongs) {
  erase_if(modifiers_, [&](const std::string &modifier) { return belongs(modifier); });
}

PtxType PtxInstruction::takeType() {
  for (const std::string &modifier : modifiers_)
    if (const auto type = parsePtxType(modifier)) {
      take(std::string(modifier));
      return *type;
    }
  throw PtxError("no type that is known");
}

std::string PtxInstruction::takeRounding() {
  const std::string rounding = takeOneOf({"rn", "rz", "rm", "rp"});
  return rounding == "rm" ? "rd" : rounding == "rp" ? "ru" : rounding;
}

const PtxOperand &PtxInstruction::operand(size_t i) const {
  if (i >= statement.operands.size())
    throw PtxError("too few operands");
  return statement.operands[i];
}

void PtxInstruction::finish() const {
  if (!modifiers_.empty())
    throw PtxError("modifier '." + modifiers_.front() + "'");
}

void emitPtxInstruction(PtxEmitter &emitter, const PtxStatement &statement) {
  const std::string what = emitter.isInline() ? "inline PTX instruction '" : "Instruction '";
  const std::string unsupported = what + statement.opcode() + "' is not supported yet";
  const PtxHandler *handler = handlerOf(statement);
  if (!handler)
    throw PtxError(unsupported);
  try {
    PtxInstruction instruction(emitter, statement);
    (*handler)(instruction);
    instruction.finish();
  } catch (const PtxError &error) {
    const std::string why = error.what();
    throw PtxError(why.empty() ? unsupported : unsupported + ": " + why);
  }
}

} // namespace heddle
