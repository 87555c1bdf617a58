// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations of variables and parameters (PTX ISA, "State Spaces, Types, and Variables").
#include "module/ptx/parser.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {
namespace {

// Larger than any GPU's memory; sums and products of sizes cannot overflow.
constexpr uint64_t most_bytes = uint64_t(1) << 40;

} // namespace

std::optional<PtxVariable::Space> PtxParser::acceptSpace() {
  const std::pair<StringRef, PtxVariable::Space> spaces[] = {
      {".global", PtxVariable::Global},   {".const", PtxVariable::Constant},
      {".shared", PtxVariable::Shared},   {".local", PtxVariable::Local},
      {".param", PtxVariable::Parameter}, {".tex", PtxVariable::Texture}};
  for (auto [name, space] : spaces)
    if (acceptWord(name)) {
      if (space == PtxVariable::Shared && accept("::cta"))
        return space;
      return space;
    }
  return std::nullopt;
}

// The attributes and the type, which precede the name.
void PtxParser::parseVariableType(PtxVariable &variable) {
  while (true) {
    const PtxPlace where = place();
    if (!accept("."))
      failHere();
    const std::string word = takeWhile([](char c) { return isAlnum(c) || c == '_'; }).str();
    if (word == "align") {
      variable.align = takeCount("alignment", 1 << 20);
      if (!isPowerOf2_32(variable.align))
        throw PtxError(where, "Alignment must be a power of two");
    } else if (word == "v2" || word == "v4" || word == "v8") {
      variable.vector = unsigned(word[1] - '0');
    } else if (word == "attribute") { // .unified(…) has no effect: memory is unified here
      expect("(");
      const StringRef list = takeWhile([](char c) { return c != ')'; });
      variable.is_managed |= list.contains(".managed");
      expect(")");
      if (variable.is_managed && variable.space != PtxVariable::Global)
        throw PtxError(where, "Attribute '.managed' requires state space '.global'");
    } else if (word == "texref" || word == "samplerref" || word == "surfref") {
      variable.is_opaque = true;
      variable.type = {PtxType::Bits, 64};
      return;
    } else if (const auto type = parsePtxType(word)) {
      variable.type = *type;
      if (type->kind == PtxType::Predicate && variable.space != PtxVariable::Register)
        throw PtxError(where, "a variable of type '.pred'");
      return;
    } else {
      throw PtxError(where, "Parsing error near '." + word + "': syntax error");
    }
  }
}

// The target of a pointer parameter, which is only a hint: .ptr .global .align 16
static void skipPointerAttributes(PtxParser &parser, PtxVariable &) {
  if (!parser.acceptWord(".ptr"))
    return;
  parser.acceptSpace();
  if (parser.acceptWord(".align"))
    parser.takeCount("alignment");
}

void PtxParser::parseVariableName(PtxVariable &variable) {
  skipPointerAttributes(*this, variable);
  variable.place = place();
  variable.name = takeName("variable");
  uint64_t bytes = variable.elementBytes();
  while (accept("[")) {
    uint64_t count = 0;
    if (!sees("]"))
      count = takeCount("size of an array");
    expect("]");
    variable.dimensions.push_back(count);
    bytes *= std::max<uint64_t>(count, 1);
    if (bytes > most_bytes || variable.dimensions.size() > 16)
      throw PtxError(variable.place, "Size of variable '" + variable.name + "' is too large");
  }
}

PtxVariable PtxParser::parseVariable(PtxVariable::Space space) {
  PtxVariable variable;
  variable.space = space;
  parseVariableType(variable);
  parseVariableName(variable);
  return variable;
}

std::vector<PtxVariable> PtxParser::parseVariables(PtxVariable::Space space) {
  PtxVariable like;
  like.space = space;
  parseVariableType(like);
  std::vector<PtxVariable> all;
  do {
    PtxVariable variable = like;
    parseVariableName(variable);
    if (accept("<")) { // name<3>: name0, name1, name2
      const unsigned count = takeRange();
      if (count > 4096)
        fail("too many variables");
      const std::string name = variable.name;
      for (unsigned i = 0; i < count; ++i) {
        variable.name = name + std::to_string(i);
        all.push_back(variable);
      }
      continue;
    }
    if (accept("="))
      variable.initial = parseInitial();
    // The first dimension may follow from the initial values.
    if (variable.isArray() && variable.dimensions[0] == 0 && variable.initial)
      variable.dimensions[0] = variable.initial->elements.size();
    all.push_back(std::move(variable));
  } while (accept(","));
  return all;
}

PtxOperand PtxParser::parseInitial() {
  const Nested nested(*this);
  if (!accept("{"))
    return parseConstant();
  PtxOperand list;
  list.kind = PtxOperand::Vector;
  while (!accept("}")) {
    list.elements.push_back(parseInitial());
    if (!accept(",") && !sees("}"))
      failHere();
  }
  return list;
}

std::vector<PtxVariable> PtxParser::parseParameters() {
  std::vector<PtxVariable> parameters;
  expect("(");
  if (accept(")"))
    return parameters;
  do {
    const bool in_register = acceptWord(".reg");
    if (!in_register && !acceptWord(".param"))
      failHere();
    parameters.push_back(
        parseVariable(in_register ? PtxVariable::Register : PtxVariable::Parameter));
  } while (accept(","));
  expect(")");
  return parameters;
}

} // namespace heddle
