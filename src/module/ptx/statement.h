// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parsed form of PTX text: operands, statements, declarations.
#pragma once

#include "module/ptx/type.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle {

/// A position in a text; line 0: unknown.
struct PtxPlace {
  unsigned line = 0, column = 0;
};

/// An error in PTX, or something unsupported. A caller that knows the position adds it.
struct PtxError : std::runtime_error {
  using std::runtime_error::runtime_error;
  PtxError(PtxPlace place, const std::string &what) : std::runtime_error(what), place(place) {}
  PtxPlace place;
};

/// The text is for a newer version of PTX than is supported.
struct PtxVersionError : PtxError {
  using PtxError::PtxError;
};

struct PtxOperand {
  enum Kind {
    Name,        // a register, special register, variable, function or label
    Placeholder, // $0: an operand of the asm statement
    Integer,
    Float,
    Vector,  // {a, b}: elements; of a call, (a, b)
    Pair,    // d|p: elements
    Address, // [a + b + …]: elements are the summands
    Sum,     // a + b + …; the first is a variable
    Element, // a[3]: elements are the array and the constant
    Generic, // generic(a): elements
    Masked,  // 0xff00(a): elements; the mask is `integer`
  };
  Kind kind = Name;
  std::string name;
  unsigned index = 0;      // of a placeholder
  uint64_t integer = 0;    // the value; for a Float its bits
  unsigned float_bits = 0; // 32 or 64: the width of a Float as written
  bool negated = false;    // !p
  bool minus = false;      // -a, except for numbers
  std::string selector;    // "b0" of a.b0: a part of a register
  std::vector<PtxOperand> elements;
  std::vector<PtxOperand> coordinates; // of an Address [object, {x, y}]
};

/// A variable, or a parameter of a function: ".global .align 4 .b8 name[4][2] = {…}".
struct PtxVariable {
  enum Space { Register, Parameter, Global, Constant, Shared, Local, Texture };
  Space space = Global;
  std::string name;
  PtxPlace place;
  PtxType type;
  unsigned vector = 1;               // .v2, .v4
  unsigned align = 0;                // 0: as the type says
  std::vector<uint64_t> dimensions;  // empty: a scalar; 0: as many as are initialised
  std::optional<PtxOperand> initial; // of an array a Vector
  bool is_opaque = false;            // .texref, .samplerref, .surfref: a handle
  bool is_managed = false;           // .attribute(.managed)
  std::string linkage;               // "visible", "extern", "weak", "common", or ""

  bool isArray() const { return !dimensions.empty(); }
  uint64_t elementBytes() const { return std::max(type.bits / 8, 1u) * uint64_t(vector); }
  uint64_t elements() const {
    uint64_t count = 1;
    for (uint64_t dimension : dimensions)
      count *= dimension;
    return count;
  }
  uint64_t bytes() const { return elementBytes() * elements(); }
  uint64_t alignment() const { return align ? align : elementBytes(); }
};

/// A function's parameters and results; for an indirect call, those of .callprototype.
struct PtxSignature {
  std::vector<PtxVariable> results, parameters;
  bool no_return = false;
};

struct PtxStatement {
  enum Kind {
    Instruction,
    Label,
    OpenScope,
    CloseScope,
    Registers,
    Variables, // .local, .shared, .param … in a function
    Location,  // .loc
    Prototype, // name: .callprototype …
    Targets,   // name: .branchtargets or .calltargets …; `operands`
  };
  Kind kind = Instruction;
  PtxPlace place;
  std::string name;                   // the label, or the instruction up to the first dot
  std::vector<std::string> modifiers; // the rest of the instruction, or the registers' type
  std::optional<PtxOperand> guard;    // @p
  std::vector<PtxOperand> operands;
  std::vector<std::string> registers; // "%r"; "%r<3>" stands for %r0, %r1, %r2
  std::vector<PtxVariable> variables;
  PtxSignature signature; // of a prototype

  /// The instruction as written, without operands.
  std::string opcode() const;
};

} // namespace heddle
