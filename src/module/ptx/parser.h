// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads PTX text into statements (PTX ISA, "Syntax").
//
// The text is that of an asm statement, where $0, $1 … stand for the C++ operands; so it is a piece
// of a function's body: instructions, labels, register declarations and brace scopes.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle {

/// What is wrong with a piece of PTX, or what about it is not supported.
struct PtxError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct PtxOperand {
  enum Kind {
    Name,        // a register, special register or label
    Placeholder, // $0: an operand of the asm statement
    Integer,
    Float,
    Vector,  // {a, b}: elements
    Pair,    // d|p: elements
    Address, // [a + b + …]: elements are what is added up
  };
  Kind kind = Name;
  std::string name;
  unsigned index = 0;      // of a placeholder
  uint64_t integer = 0;    // the value; for a Float its bits
  unsigned float_bits = 0; // 32 or 64: the width of a Float as written
  bool negated = false;    // !p
  bool minus = false;      // -a, of anything but a number
  std::string selector;    // "b0" of a.b0: a part of a register
  std::vector<PtxOperand> elements;
  std::vector<PtxOperand> coordinates; // of an Address [object, {x, y}]
};

struct PtxStatement {
  enum Kind { Instruction, Label, OpenScope, CloseScope, Registers };
  Kind kind = Instruction;
  std::string name;                   // the label, or the instruction up to the first dot
  std::vector<std::string> modifiers; // the rest of the instruction, or the registers' type
  std::optional<PtxOperand> guard;    // @p
  std::vector<PtxOperand> operands;
  std::vector<std::string> registers; // %r<3> is %r0, %r1, %r2 here

  /// The instruction as it was written, without operands.
  std::string opcode() const;
};

/// `unique` replaces ${:uid} (%= in C++), for labels that must differ between copies of a
/// statement. Throws PtxError.
std::vector<PtxStatement> parsePtx(llvm::StringRef text, unsigned unique);

} // namespace heddle
