// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/operand_checks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace heddle {
namespace {

constexpr int64_t last_barrier = 15, warp = 32;

bool has(const PtxStatement &instruction, StringRef modifier) {
  return is_contained(instruction.modifiers, modifier.str());
}

// bar.sync a, b; bar.arrive a, b; bar.red.op d, a, b, p
void checkBarrier(const PtxStatement &instruction, PtxLiteral literal,
                  std::vector<std::string> &messages) {
  if (has(instruction, "warp") || has(instruction, "cluster"))
    return;
  const bool reduces = has(instruction, "red");
  const size_t number = reduces ? 1 : 0, count = number + 1;
  const auto &operands = instruction.operands;
  if (number < operands.size())
    if (const auto value = literal(operands[number]); value && uint64_t(*value) > last_barrier)
      messages.push_back("Barrier number '" + std::to_string(*value) +
                         "' out of range, expected to be in range [0..15]");
  if (count + reduces < operands.size())
    if (const auto value = literal(operands[count]); value && *value % warp != 0)
      messages.push_back("Number of threads participating in barrier must be in multiple of warp "
                         "size");
}

// The registers of ldmatrix and stmatrix are a vector, of one register, too.
void checkMatrixVector(const PtxStatement &instruction, std::vector<std::string> &messages) {
  const size_t place = instruction.name == "ldmatrix" ? 0 : 1;
  if (place >= instruction.operands.size() || !has(instruction, "m8n8"))
    return;
  const PtxOperand &vector = instruction.operands[place];
  for (const unsigned size : {1, 2, 4})
    if (has(instruction, "x" + std::to_string(size)) &&
        (vector.kind != PtxOperand::Vector || vector.elements.size() != size))
      messages.push_back("Vector of size " + std::to_string(size) + " is expected for argument " +
                         std::to_string(place) + " of instruction '" + instruction.name + "'");
}

// [16] is an address in local memory only.
void checkAddresses(const PtxStatement &instruction, std::vector<std::string> &messages) {
  if (!is_contained({"ld", "st", "atom", "red"}, instruction.name) ||
      none_of(instruction.modifiers,
              [](StringRef modifier) { return modifier == "global" || modifier == "shared"; }))
    return;
  for (const PtxOperand &operand : instruction.operands)
    if (operand.kind == PtxOperand::Address && !operand.elements.empty() &&
        operand.elements[0].kind == PtxOperand::Integer)
      messages.emplace_back("Immediate addresses allowed only for .local state space");
}

bool hasAny(const PtxStatement &instruction, std::initializer_list<StringRef> modifiers) {
  return any_of(modifiers, [&](StringRef modifier) { return has(instruction, modifier); });
}

// Of conversions between integers and floating-point numbers.
bool convertsKind(const PtxStatement &instruction) {
  SmallVector<PtxType> types;
  for (const StringRef modifier : instruction.modifiers)
    if (const auto type = parsePtxType(modifier))
      types.push_back(*type);
  return types.size() == 2 && types[0].isFloat() != types[1].isFloat() &&
         (types[0].isInteger() || types[1].isInteger());
}

// Modifiers without which an instruction could mean several things.
void checkModifiers(const PtxStatement &instruction, std::vector<std::string> &messages) {
  const StringRef name = instruction.name;
  const bool is_float = hasAny(instruction, {"f32", "f64"}),
             rounds = hasAny(instruction, {"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"});
  const std::string what = " required for instruction '" + instruction.name + "'";
  if (is_contained({"div", "sqrt", "rcp"}, name) && is_float && !rounds &&
      !hasAny(instruction, {"approx", "full"}))
    messages.push_back("Rounding modifier or '.approx' modifier" + what);
  if ((is_contained({"fma", "mad"}, name) && is_float && !rounds) ||
      (name == "cvt" && convertsKind(instruction) && !rounds))
    messages.push_back("Rounding modifier" + what);
  const bool is_integer = hasAny(instruction, {"u16", "s16", "u32", "s32", "u64", "s64"});
  if ((name == "mul" && is_integer && !hasAny(instruction, {"lo", "hi", "wide"})) ||
      (is_contained({"shl", "and", "or", "xor", "not"}, name) && is_integer))
    messages.push_back("Unexpected instruction types specified for '" + instruction.name + "'");
}

} // namespace

std::vector<std::string> wrongOperands(const PtxStatement &instruction, PtxLiteral literal) {
  std::vector<std::string> messages;
  if (instruction.name == "bar" || instruction.name == "barrier")
    checkBarrier(instruction, literal, messages);
  if (instruction.name == "ldmatrix" || instruction.name == "stmatrix")
    checkMatrixVector(instruction, messages);
  checkAddresses(instruction, messages);
  checkModifiers(instruction, messages);
  return messages;
}

} // namespace heddle
