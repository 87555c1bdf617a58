// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/operand_checks.h"

#include "llvm/ADT/STLExtras.h"
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

} // namespace

std::vector<std::string> wrongOperands(const PtxStatement &instruction, PtxLiteral literal) {
  std::vector<std::string> messages;
  if (instruction.name == "bar" || instruction.name == "barrier")
    checkBarrier(instruction, literal, messages);
  if (instruction.name == "ldmatrix" || instruction.name == "stmatrix")
    checkMatrixVector(instruction, messages);
  checkAddresses(instruction, messages);
  return messages;
}

} // namespace heddle
