// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/parser.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {
namespace {

// Replaces the $ of an operand's number, since a plain $ may be part of a name.
constexpr char operand_mark = '\1';
constexpr unsigned deepest = 200;

bool isNameLetter(char c) { return isAlnum(c) || c == '_' || c == '$' || c == '%'; }

// Undoes the escapes of Clang's assembly strings: $$ is a dollar sign, $3 and ${3:x} an operand,
// ${:uid} a number that is unique to this statement.
std::string unescape(StringRef text, unsigned unique) {
  std::string result;
  while (!text.empty()) {
    if (text.consume_front("$$")) {
      result += '$';
    } else if (text.consume_front("${:uid}")) {
      result += std::to_string(unique);
    } else if (text.consume_front("${")) {
      const StringRef inside = text.take_until([](char c) { return c == '}'; });
      text = text.drop_front(std::min(inside.size() + 1, text.size()));
      result += operand_mark + inside.split(':').first.str() + ' ';
    } else if (text.consume_front("$")) {
      result += operand_mark;
    } else {
      result += text.front();
      text = text.drop_front();
    }
  }
  return result;
}

void negate(PtxOperand &operand) {
  if (operand.kind == PtxOperand::Integer)
    operand.integer = -operand.integer;
  else if (operand.kind == PtxOperand::Float)
    operand.integer ^= uint64_t(1) << (operand.float_bits - 1);
  else if (operand.kind == PtxOperand::Name || operand.kind == PtxOperand::Placeholder)
    operand.minus = !operand.minus;
  else
    throw PtxError("'-' before something other than a number or a register");
}

// Parts of registers have names such as .b0 and .h10; %tid.x is a single name.
void splitSelector(PtxOperand &operand) {
  const auto [name, selector] = StringRef(operand.name).rsplit('.');
  if (selector.size() < 2 || !StringRef("bh").contains(selector[0]) ||
      !all_of(selector.drop_front(), isDigit))
    return;
  operand.selector = selector.str();
  operand.name = name.str();
}

bool isDecimalFraction(StringRef word) {
  return !word.starts_with_insensitive("0x") &&
         (word.contains('.') || word.contains_insensitive("e"));
}

} // namespace

std::string withoutComments(StringRef text) {
  std::string result = text.str();
  const auto blank = [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i)
      if (result[i] != '\n')
        result[i] = ' ';
  };
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const StringRef rest = text.drop_front(i);
    if (rest.front() == '"')
      quoted = !quoted;
    if (rest.front() == '\n')
      quoted = false;
    if (quoted)
      continue;
    size_t end = i;
    if (rest.starts_with("//")) {
      end = std::min(text.find('\n', i), text.size());
    } else if (rest.starts_with("/*")) {
      end = text.find("*/", i + 2);
      if (end == StringRef::npos)
        throw PtxError("a comment does not end");
      end += 2;
    } else {
      continue;
    }
    blank(i, end);
    i = end - 1;
  }
  return result;
}

// ---- The text

PtxParser::Nested::Nested(PtxParser &parser) : parser(parser) {
  if (++parser.depth_ > deepest)
    parser.fail("nested too deeply");
}

PtxPlace PtxParser::place() {
  skipSpace();
  const size_t offset = all_.size() - rest_.size();
  for (char c : all_.slice(known_offset_, offset))
    if (c == '\n')
      known_ = {known_.line + 1, 1};
    else
      ++known_.column;
  known_offset_ = offset;
  return known_;
}

void PtxParser::fail(const std::string &what) { throw PtxError(place(), what); }

void PtxParser::failHere() {
  skipSpace();
  const StringRef word = rest_.take_while([](char c) { return isNameLetter(c) || c == '.'; });
  const StringRef near = word.empty() ? rest_.take_front(1) : word.take_front(60);
  fail("Parsing error near '" + near.str() + "': syntax error");
}

void PtxParser::expect(StringRef token) {
  if (!accept(token))
    failHere();
}

bool PtxParser::acceptWord(StringRef word) {
  if (!sees(word) || (rest_.size() > word.size() && isNameLetter(rest_[word.size()])))
    return false;
  return accept(word);
}

StringRef PtxParser::takeWhile(function_ref<bool(char)> belongs) {
  skipSpace();
  const StringRef word = rest_.take_while(belongs);
  rest_ = rest_.drop_front(word.size());
  return word;
}

std::string PtxParser::takeName(const char *) {
  skipSpace();
  if (rest_.empty() || isDigit(rest_.front()) || !isNameLetter(rest_.front()))
    failHere();
  return takeWhile(isNameLetter).str();
}

unsigned PtxParser::takeCount(const char *of_what, uint64_t most) {
  const PtxPlace where = place();
  const PtxOperand number = parseConstant();
  if (number.kind != PtxOperand::Integer || number.integer > most)
    throw PtxError(where, std::string("bad ") + of_what);
  return unsigned(number.integer);
}

// "5>", of which the rest would be parsed as a comparison.
unsigned PtxParser::takeRange() {
  const PtxPlace where = place();
  unsigned count = 0;
  if (takeWhile(isDigit).getAsInteger(10, count) || count > (1 << 24))
    throw PtxError(where, "bad number of registers or variables");
  expect(">");
  return count;
}

// ---- Statements

std::vector<PtxStatement> PtxParser::parseStatements() {
  std::vector<PtxStatement> statements;
  unsigned depth = 0;
  while (!atEnd()) {
    if (accept(";"))
      continue;
    if (acceptWord(".pragma")) { // a hint
      takeWhile([](char c) { return c != ';'; });
      continue;
    }
    if (depth == 0 && sees("}"))
      break;
    PtxStatement statement = parseStatement();
    depth += statement.kind == PtxStatement::OpenScope;
    depth -= statement.kind == PtxStatement::CloseScope;
    if (depth > deepest)
      fail("nested too deeply");
    statements.push_back(std::move(statement));
  }
  if (depth != 0)
    fail("'{' without '}'");
  return statements;
}

PtxStatement PtxParser::parseStatement() {
  PtxStatement statement;
  statement.place = place();
  if (accept("{"))
    statement.kind = PtxStatement::OpenScope;
  else if (accept("}"))
    statement.kind = PtxStatement::CloseScope;
  else if (acceptWord(".reg"))
    parseRegisters(statement);
  else if (!parseDirective(statement) && !parseLabel(statement))
    parseInstruction(statement);
  return statement;
}

// A directive in a function other than .reg.
bool PtxParser::parseDirective(PtxStatement &statement) {
  if (acceptWord(".loc")) {
    statement.kind = PtxStatement::Location;
    for (unsigned i = 0; i < 3; ++i) {
      PtxOperand number;
      number.kind = PtxOperand::Integer;
      number.integer = takeCount("line");
      statement.operands.push_back(number);
    }
    if (accept(",")) // the place where the function was inlined
      for (const StringRef line = rest_.take_until([](char c) { return c == '\n'; });
           rest_.data() < line.end();)
        rest_ = rest_.drop_front();
    return true;
  }
  if (const auto space = acceptSpace()) {
    statement.kind = PtxStatement::Variables;
    statement.variables = parseVariables(*space);
    expect(";");
    return true;
  }
  return false;
}

bool PtxParser::parseLabel(PtxStatement &statement) {
  const StringRef name = rest_.take_while(isNameLetter);
  const StringRef after = rest_.drop_front(name.size()).ltrim();
  if (name.empty() || !after.starts_with(":") || after.starts_with("::"))
    return false;
  statement.kind = PtxStatement::Label;
  statement.name = name.str();
  rest_ = after.drop_front();
  if (acceptWord(".callprototype")) {
    statement.kind = PtxStatement::Prototype;
    if (sees("("))
      statement.signature.results = parseParameters();
    expect("_");
    if (sees("("))
      statement.signature.parameters = parseParameters();
    statement.signature.no_return = acceptWord(".noreturn");
    expect(";");
  } else if (acceptWord(".branchtargets") || acceptWord(".calltargets")) {
    parseListOf(statement);
  }
  return true;
}

void PtxParser::parseListOf(PtxStatement &statement) {
  statement.kind = PtxStatement::Targets;
  do
    statement.operands.push_back(parseOperand());
  while (accept(","));
  expect(";");
}

// .reg .u32 a, b, %r<4>;
void PtxParser::parseRegisters(PtxStatement &statement) {
  statement.kind = PtxStatement::Registers;
  while (accept("."))
    statement.modifiers.push_back(takeWhile(isAlnum).str());
  do {
    std::string name = takeName("register");
    if (accept("<")) {
      name += "<" + std::to_string(takeRange()) + ">";
    }
    statement.registers.push_back(std::move(name));
  } while (accept(","));
  expect(";");
}

void PtxParser::parseInstruction(PtxStatement &statement) {
  if (accept("@")) {
    const bool negated = accept("!");
    statement.guard = parsePrimary();
    statement.guard->negated = negated;
  }
  statement.place = place();
  const StringRef opcode =
      takeWhile([](char c) { return isNameLetter(c) || c == '.' || c == ':'; });
  if (opcode.empty() || opcode.front() == '.')
    failHere();
  SmallVector<StringRef> words;
  opcode.split(words, '.');
  statement.name = words[0].str();
  for (StringRef word : drop_begin(words))
    statement.modifiers.push_back(word.str());
  if (statement.name == "call")
    parseCall(statement);
  else if (!sees(";") && !sees("}") && !rest_.empty())
    do
      statement.operands.push_back(parseOperand());
    while (accept(","));
  // Like ptxas, accepts a missing last semicolon.
  if (!atEnd() && !sees("}"))
    expect(";");
}

// call (results), function, (arguments), targets or prototype; all but the function are optional.
// Lists become Vector operands.
void PtxParser::parseCall(PtxStatement &statement) {
  PtxOperand nothing;
  nothing.kind = PtxOperand::Vector;
  std::vector<PtxOperand> &operands = statement.operands;
  if (accept("(")) {
    operands.push_back(parseList(")"));
    expect(",");
  } else {
    operands.push_back(nothing);
  }
  operands.push_back(parsePrimary());
  if (!accept(","))
    return operands.push_back(nothing);
  if (accept("(")) {
    operands.push_back(parseList(")"));
    if (!accept(","))
      return;
  } else {
    operands.push_back(nothing);
  }
  operands.push_back(parsePrimary());
}

// ---- Operands

PtxOperand PtxParser::parseOperand() {
  PtxOperand operand = parseSum();
  if (operand.kind == PtxOperand::Integer || !sees("|"))
    return operand;
  PtxOperand pair;
  pair.kind = PtxOperand::Pair;
  pair.elements.push_back(std::move(operand));
  accept("|");
  pair.elements.push_back(parsePrimary());
  return pair;
}

namespace {

// C's operators on integers, in order of increasing precedence.
struct BinaryOperator {
  StringRef token;
  unsigned level;
  uint64_t (*compute)(uint64_t, uint64_t);
};
const BinaryOperator binary_operators[] = {
    {"||", 1, [](uint64_t a, uint64_t b) -> uint64_t { return a || b; }},
    {"&&", 2, [](uint64_t a, uint64_t b) -> uint64_t { return a && b; }},
    {"|", 3, [](uint64_t a, uint64_t b) { return a | b; }},
    {"^", 4, [](uint64_t a, uint64_t b) { return a ^ b; }},
    {"&", 5, [](uint64_t a, uint64_t b) { return a & b; }},
    {"==", 6, [](uint64_t a, uint64_t b) -> uint64_t { return a == b; }},
    {"!=", 6, [](uint64_t a, uint64_t b) -> uint64_t { return a != b; }},
    {"<<", 8, [](uint64_t a, uint64_t b) { return b < 64 ? a << b : 0; }},
    {">>", 8,
     [](uint64_t a, uint64_t b) { return uint64_t(int64_t(a) >> std::min<uint64_t>(b, 63)); }},
    {"<=", 7, [](uint64_t a, uint64_t b) -> uint64_t { return int64_t(a) <= int64_t(b); }},
    {">=", 7, [](uint64_t a, uint64_t b) -> uint64_t { return int64_t(a) >= int64_t(b); }},
    {"<", 7, [](uint64_t a, uint64_t b) -> uint64_t { return int64_t(a) < int64_t(b); }},
    {">", 7, [](uint64_t a, uint64_t b) -> uint64_t { return int64_t(a) > int64_t(b); }},
    {"+", 9, [](uint64_t a, uint64_t b) { return a + b; }},
    {"-", 9, [](uint64_t a, uint64_t b) { return a - b; }},
    {"*", 10, [](uint64_t a, uint64_t b) { return a * b; }},
    {"/", 10,
     [](uint64_t a, uint64_t b) {
       return !b ? 0 : b == ~uint64_t(0) ? -a : uint64_t(int64_t(a) / int64_t(b));
     }},
    {"%", 10, [](uint64_t a, uint64_t b) {
       return !b || b == ~uint64_t(0) ? 0 : uint64_t(int64_t(a) % int64_t(b));
     }}};

} // namespace

// A constant expression; or a variable plus a constant.
PtxOperand PtxParser::parseSum() {
  const Nested nested(*this);
  PtxOperand sum = parseExpression(0);
  if (sum.kind == PtxOperand::Integer && accept("?")) {
    const PtxOperand yes = parseSum();
    expect(":");
    const PtxOperand no = parseSum();
    if (yes.kind != PtxOperand::Integer || no.kind != PtxOperand::Integer)
      fail("not a constant expression");
    return sum.integer ? yes : no;
  }
  const bool is_address = sum.kind == PtxOperand::Name || sum.kind == PtxOperand::Generic;
  if (!is_address || (!sees("+") && !sees("-")))
    return sum;
  PtxOperand terms;
  terms.kind = PtxOperand::Sum;
  terms.elements.push_back(std::move(sum));
  while (sees("+") || sees("-")) {
    accept("+"); // a minus sign is part of the constant
    terms.elements.push_back(parseExpression(10));
  }
  return terms;
}

PtxOperand PtxParser::parseExpression(unsigned level) {
  PtxOperand left = parsePrimary();
  while (left.kind == PtxOperand::Integer) {
    const auto *found = find_if(
        binary_operators, [&](const BinaryOperator &operation) { return sees(operation.token); });
    if (found == std::end(binary_operators) || found->level < level)
      return left;
    accept(found->token);
    const PtxOperand right = parseExpression(found->level + 1);
    if (right.kind != PtxOperand::Integer)
      fail("not a constant expression");
    left.integer = found->compute(left.integer, right.integer);
  }
  return left;
}

PtxOperand PtxParser::parsePrimary() {
  const Nested nested(*this);
  PtxOperand operand;
  skipSpace();
  if (rest_.empty())
    fail("an operand is missing");
  const char first = rest_.front();
  if (accept("{"))
    return parseList("}");
  if (accept("["))
    return parseAddress();
  if (accept("(")) {
    if (accept(".s64)") || accept(".u64)")) // a cast of 64 bits to 64 bits
      return parsePrimary();
    operand = parseSum();
    expect(")");
    return operand;
  }
  if (accept("!") || accept("~")) {
    operand = parsePrimary();
    if (operand.kind == PtxOperand::Integer)
      operand.integer = first == '!' ? !operand.integer : ~operand.integer;
    else
      operand.negated = !operand.negated;
    return operand;
  }
  if (accept("-")) {
    operand = parsePrimary();
    negate(operand);
    return operand;
  }
  if (first == operand_mark) {
    rest_ = rest_.drop_front();
    operand.kind = PtxOperand::Placeholder;
    if (takeWhile(isDigit).getAsInteger(10, operand.index))
      fail("bad operand number");
    if (rest_.starts_with(".")) {
      rest_ = rest_.drop_front();
      operand.selector = takeWhile(isAlnum).str();
    }
    return operand;
  }
  if (isDigit(first))
    return parseNumber();
  operand.name = takeWhile([](char c) { return isNameLetter(c) || c == '.'; }).str();
  if (operand.name.empty())
    failHere();
  if (operand.name == "generic" && accept("(")) {
    operand = parseList(")");
    operand.kind = PtxOperand::Generic;
    return operand;
  }
  if (accept("[")) {
    PtxOperand element;
    element.kind = PtxOperand::Element;
    element.elements = {std::move(operand), parseConstant()};
    if (element.elements[1].kind != PtxOperand::Integer)
      fail("not a constant expression");
    expect("]");
    return element;
  }
  splitSelector(operand);
  if (operand.name == "WARP_SZ") {
    operand.kind = PtxOperand::Integer;
    operand.integer = 32;
  }
  return operand;
}

PtxOperand PtxParser::parseList(StringRef end) {
  PtxOperand vector;
  vector.kind = PtxOperand::Vector;
  if (accept(end))
    return vector;
  do
    vector.elements.push_back(parseOperand());
  while (accept(","));
  expect(end);
  return vector;
}

PtxOperand PtxParser::parseAddress() {
  PtxOperand address;
  address.kind = PtxOperand::Address;
  address.elements.push_back(parseExpression(10));
  while (sees("+") || sees("-")) {
    accept("+"); // a minus sign is part of the constant
    address.elements.push_back(parseExpression(10));
  }
  while (accept(",")) // tensors and textures
    address.coordinates.push_back(parseOperand());
  expect("]");
  return address;
}

// Integers in C's notations; 0f and 0d followed by a float's or double's bits; decimal fractions.
// 0xff(a) is a byte of an address.
PtxOperand PtxParser::parseNumber() {
  PtxOperand number;
  const StringRef start = rest_.take_while([](char c) { return isAlnum(c) || c == '.'; });
  StringRef word = start;
  const bool single = word.consume_front_insensitive("0f");
  if (single || word.consume_front_insensitive("0d")) {
    number.kind = PtxOperand::Float;
    number.float_bits = single ? 32 : 64;
    if (word.size() != number.float_bits / 4 || word.getAsInteger(16, number.integer))
      fail("bad number '" + start.str() + "'");
  } else if (isDecimalFraction(word)) {
    // The sign of an exponent is not alphanumeric.
    size_t length = word.size();
    if (toLower(word.back()) == 'e' && rest_.size() > length &&
        (rest_[length] == '-' || rest_[length] == '+'))
      length += 1 + rest_.drop_front(length + 1).take_while(isDigit).size();
    double value = 0;
    if (rest_.take_front(length).getAsDouble(value))
      fail("bad number '" + start.str() + "'");
    number.kind = PtxOperand::Float;
    number.float_bits = 64;
    number.integer = APFloat(value).bitcastToAPInt().getZExtValue();
    rest_ = rest_.drop_front(length);
    return number;
  } else {
    number.kind = PtxOperand::Integer;
    word.consume_back_insensitive("u");
    if (word.getAsInteger(0, number.integer))
      fail("bad number '" + start.str() + "'");
  }
  rest_ = rest_.drop_front(start.size());
  if (number.kind == PtxOperand::Integer && accept("(")) {
    const uint64_t mask = number.integer;
    number = parseList(")");
    number.kind = PtxOperand::Masked;
    number.integer = mask;
  }
  return number;
}

std::string PtxStatement::opcode() const {
  std::string text = name;
  for (const std::string &modifier : modifiers)
    text += "." + modifier;
  return text;
}

std::vector<PtxStatement> parsePtx(StringRef text, unsigned unique) {
  const std::string plain = withoutComments(unescape(text, unique));
  PtxParser parser(plain);
  std::vector<PtxStatement> statements = parser.parseStatements();
  if (!parser.atEnd())
    throw PtxError("'}' without '{'");
  return statements;
}

} // namespace heddle
