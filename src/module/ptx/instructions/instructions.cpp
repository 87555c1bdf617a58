// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/instructions/instructions.h"

#include "module/ptx/operand_checks.h"

#include "llvm/ADT/StringSet.h"

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
    addGroupProducts(all);
    addMatrixMoves(all);
    addWarpMatrixInstructions(all);
    addTextureInstructions(all);
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

// Instructions of PTX that have no handler, or none for some type.
bool isPtxName(StringRef name) {
  static const StringSet<> others = {"tcgen05", "tensormap", "istypep"};
  const PtxTable &table = handlers();
  return others.contains(name) || table.any.contains(name) || table.integer.contains(name) ||
         table.floating.contains(name) || table.half.contains(name);
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

static bool hasExactWidths(StringRef name) {
  static const StringSet<> relaxed = {"ld", "ldu", "st", "cvt", "cvta", "call", "isspacep"};
  return !relaxed.contains(name);
}

// As ptxas words it where it is plain what is wrong.
static std::string inWords(const PtxEmitter &emitter, const PtxStatement &statement,
                           StringRef why) {
  const std::string opcode = "'" + statement.opcode() + "'";
  if (emitter.target() && (why == "Arguments mismatch" || why == "too few operands" ||
                           why == "an integer where a floating-point number is needed" ||
                           why.starts_with("a result of ")))
    return "Arguments mismatch for instruction '" + statement.name + "'";
  if (emitter.target() && why.starts_with("Unknown symbol"))
    return why.str();
  const std::string what = (emitter.isInline() ? "inline PTX instruction " : "Instruction ") +
                           opcode + " is not supported yet";
  return why.empty() ? what : what + ": " + why.str();
}

// What ptxas says before it names the symbol.
static std::string aboutUnknown(const PtxEmitter &emitter, const PtxStatement &statement) {
  const bool has_address = any_of(statement.operands, [](const PtxOperand &operand) {
    return operand.kind == PtxOperand::Address;
  });
  return has_address ? "Illegal operand type to instruction '" + statement.name + "'"
                     : inWords(emitter, statement, "Arguments mismatch");
}

static bool isRefused(PtxEmitter &emitter, const PtxStatement &statement) {
  std::vector<std::string> messages = missingFeatures(statement, *emitter.target());
  append_range(messages, wrongOperands(statement, [&](const PtxOperand &operand) {
                 return emitter.literal(operand);
               }));
  for (const std::string &message : messages)
    emitter.report(PtxError(statement.place, message));
  return !messages.empty();
}

void emitPtxInstruction(PtxEmitter &emitter, const PtxStatement &statement) {
  const PtxHandler *handler = handlerOf(statement);
  if (!handler && emitter.target() && !isPtxName(statement.name))
    throw PtxError("Not a name of any known instruction: '" + statement.name + "'");
  // Whether Heddle can translate what is refused does not matter.
  if (emitter.target() && isRefused(emitter, statement))
    return;
  try {
    if (!handler)
      throw PtxError("");
    emitter.setExactWidths(hasExactWidths(statement.name));
    PtxInstruction instruction(emitter, statement);
    (*handler)(instruction);
    instruction.finish();
  } catch (const PtxError &error) {
    if (emitter.target() && StringRef(error.what()).starts_with("Unknown symbol"))
      emitter.report(PtxError(statement.place, aboutUnknown(emitter, statement)));
    throw PtxError(inWords(emitter, statement, error.what()));
  }
}

} // namespace heddle
