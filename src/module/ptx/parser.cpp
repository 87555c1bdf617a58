// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/parser.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {
namespace {

// Stands for the $ of an operand's number, where a plain $ is part of a name.
constexpr char operand_mark = '\1';

bool isNameLetter(char c) { return isAlnum(c) || c == '_' || c == '$' || c == '%'; }

// Undoes the escapes that Clang puts into an assembly string: $$ is a dollar sign, $3 and ${3:x} an
// operand, ${:uid} a number of this statement's own. Drops comments, too.
std::string unescape(StringRef text, unsigned unique) {
  std::string result;
  while (!text.empty()) {
    if (text.consume_front("//")) {
      text = text.drop_until([](char c) { return c == '\n'; });
    } else if (text.consume_front("/*")) {
      const size_t end = text.find("*/");
      if (end == StringRef::npos)
        throw PtxError("a comment does not end");
      text = text.drop_front(end + 2);
      result += ' ';
    } else if (text.consume_front("$$")) {
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

class Parser {
public:
  explicit Parser(StringRef text) : rest_(text) {}

  std::vector<PtxStatement> parse() {
    std::vector<PtxStatement> statements;
    int depth = 0;
    for (skipSpace(); !rest_.empty(); skipSpace()) {
      if (accept(";"))
        continue;
      if (accept(".pragma")) { // a hint
        takeWhile([](char c) { return c != ';'; });
        continue;
      }
      PtxStatement statement = parseStatement();
      depth += statement.kind == PtxStatement::OpenScope;
      depth -= statement.kind == PtxStatement::CloseScope;
      if (depth < 0)
        throw PtxError("'}' without '{'");
      statements.push_back(std::move(statement));
    }
    if (depth != 0)
      throw PtxError("'{' without '}'");
    return statements;
  }

private:
  void skipSpace() { rest_ = rest_.ltrim(" \t\n\r\f\v"); }
  bool accept(StringRef token) {
    skipSpace();
    return rest_.consume_front(token);
  }
  bool sees(StringRef token) {
    skipSpace();
    return rest_.starts_with(token);
  }
  void expect(StringRef token) {
    if (!accept(token))
      throw PtxError(("expected '" + token + "' before '" + rest_.take_front(20) + "'").str());
  }
  StringRef takeWhile(function_ref<bool(char)> belongs) {
    skipSpace();
    const StringRef word = rest_.take_while(belongs);
    rest_ = rest_.drop_front(word.size());
    return word;
  }

  PtxStatement parseStatement() {
    PtxStatement statement;
    if (accept("{")) {
      statement.kind = PtxStatement::OpenScope;
    } else if (accept("}")) {
      statement.kind = PtxStatement::CloseScope;
    } else if (accept(".reg")) {
      parseRegisters(statement);
    } else if (!parseLabel(statement)) {
      parseInstruction(statement);
    }
    return statement;
  }

  bool parseLabel(PtxStatement &statement) {
    const StringRef name = rest_.take_while(isNameLetter);
    const StringRef after = rest_.drop_front(name.size()).ltrim();
    if (name.empty() || !after.starts_with(":") || after.starts_with("::"))
      return false;
    statement.kind = PtxStatement::Label;
    statement.name = name.str();
    rest_ = after.drop_front();
    return true;
  }

  // .reg .u32 a, b, %r<4>;
  void parseRegisters(PtxStatement &statement) {
    statement.kind = PtxStatement::Registers;
    while (accept("."))
      statement.modifiers.push_back(takeWhile(isAlnum).str());
    do {
      const std::string name = takeWhile(isNameLetter).str();
      if (name.empty())
        throw PtxError("a register declaration lacks a name");
      if (!accept("<")) {
        statement.registers.push_back(name);
        continue;
      }
      unsigned count = 0;
      if (takeWhile(isDigit).getAsInteger(10, count) || count > 4096)
        throw PtxError("bad number of registers '" + name + "'");
      expect(">");
      for (unsigned i = 0; i < count; ++i)
        statement.registers.push_back(name + std::to_string(i));
    } while (accept(","));
    expect(";");
  }

  void parseInstruction(PtxStatement &statement) {
    if (accept("@")) {
      const bool negated = accept("!");
      statement.guard = parsePrimary();
      statement.guard->negated = negated;
    }
    const StringRef opcode =
        takeWhile([](char c) { return isNameLetter(c) || c == '.' || c == ':'; });
    if (opcode.empty())
      throw PtxError(("cannot read '" + rest_.take_front(20) + "'").str());
    SmallVector<StringRef> words;
    opcode.split(words, '.');
    statement.name = words[0].str();
    for (StringRef word : drop_begin(words))
      statement.modifiers.push_back(word.str());
    if (statement.name == "call") // its lists are in parentheses; there is nothing to call
      takeWhile([](char c) { return c != ';'; });
    else if (!sees(";") && !sees("}") && !rest_.empty())
      do
        statement.operands.push_back(parseOperand());
      while (accept(","));
    // The last semicolon may be missing, as ptxas has it.
    if (!rest_.empty() && !sees("}"))
      expect(";");
  }

  PtxOperand parseOperand() {
    PtxOperand operand = parseSum();
    if (!sees("|"))
      return operand;
    PtxOperand pair;
    pair.kind = PtxOperand::Pair;
    pair.elements.push_back(std::move(operand));
    accept("|");
    pair.elements.push_back(parsePrimary());
    return pair;
  }

  // Constant expressions of + - and *.
  PtxOperand parseSum() {
    PtxOperand sum = parseProduct();
    while (sum.kind == PtxOperand::Integer && (sees("+") || sees("-"))) {
      const bool minus = accept("-");
      if (!minus)
        expect("+");
      const PtxOperand term = parseProduct();
      if (term.kind != PtxOperand::Integer)
        throw PtxError("not a constant expression");
      sum.integer += minus ? -term.integer : term.integer;
    }
    return sum;
  }

  PtxOperand parseProduct() {
    PtxOperand product = parsePrimary();
    while (product.kind == PtxOperand::Integer && accept("*")) {
      const PtxOperand factor = parsePrimary();
      if (factor.kind != PtxOperand::Integer)
        throw PtxError("not a constant expression");
      product.integer *= factor.integer;
    }
    return product;
  }

  PtxOperand parsePrimary() {
    PtxOperand operand;
    skipSpace();
    if (rest_.empty())
      throw PtxError("an operand is missing");
    const char first = rest_.front();
    if (accept("{"))
      return parseVector();
    if (accept("["))
      return parseAddress();
    if (accept("(")) {
      operand = parseSum();
      expect(")");
      return operand;
    }
    if (accept("!")) {
      operand = parsePrimary();
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
        throw PtxError("bad operand number");
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
      throw PtxError(("cannot read '" + rest_.take_front(20) + "'").str());
    splitSelector(operand);
    if (operand.name == "WARP_SZ") {
      operand.kind = PtxOperand::Integer;
      operand.integer = 32;
    }
    return operand;
  }

  // Parts of registers are called .b0, .h10 and the like; %tid.x is a name.
  static void splitSelector(PtxOperand &operand) {
    const auto [name, selector] = StringRef(operand.name).rsplit('.');
    if (selector.size() < 2 || !StringRef("bh").contains(selector[0]) ||
        !all_of(selector.drop_front(), isDigit))
      return;
    operand.selector = selector.str();
    operand.name = name.str();
  }

  static void negate(PtxOperand &operand) {
    if (operand.kind == PtxOperand::Integer)
      operand.integer = -operand.integer;
    else if (operand.kind == PtxOperand::Float)
      operand.integer ^= uint64_t(1) << (operand.float_bits - 1);
    else if (operand.kind == PtxOperand::Name || operand.kind == PtxOperand::Placeholder)
      operand.minus = !operand.minus;
    else
      throw PtxError("'-' before something other than a number or a register");
  }

  PtxOperand parseVector() {
    PtxOperand vector;
    vector.kind = PtxOperand::Vector;
    do
      vector.elements.push_back(parseOperand());
    while (accept(","));
    expect("}");
    return vector;
  }

  PtxOperand parseAddress() {
    PtxOperand address;
    address.kind = PtxOperand::Address;
    address.elements.push_back(parseProduct());
    while (sees("+") || sees("-")) {
      accept("+"); // a minus sign belongs to the constant after it
      address.elements.push_back(parseProduct());
    }
    while (accept(",")) // of tensors and textures
      address.coordinates.push_back(parseOperand());
    expect("]");
    return address;
  }

  // Integers in C's notations; 0f and 0d followed by a float's or double's bits; decimal fractions.
  PtxOperand parseNumber() {
    PtxOperand number;
    const StringRef start = rest_.take_while([](char c) { return isAlnum(c) || c == '.'; });
    StringRef word = start;
    const bool single = word.consume_front_insensitive("0f");
    if (single || word.consume_front_insensitive("0d")) {
      number.kind = PtxOperand::Float;
      number.float_bits = single ? 32 : 64;
      if (word.size() != number.float_bits / 4 || word.getAsInteger(16, number.integer))
        throw PtxError("bad number '" + start.str() + "'");
    } else if (isDecimalFraction(word)) {
      // An exponent's sign is not alphanumeric.
      size_t length = word.size();
      if (toLower(word.back()) == 'e' && rest_.size() > length &&
          (rest_[length] == '-' || rest_[length] == '+'))
        length += 1 + rest_.drop_front(length + 1).take_while(isDigit).size();
      double value = 0;
      if (rest_.take_front(length).getAsDouble(value))
        throw PtxError("bad number '" + start.str() + "'");
      number.kind = PtxOperand::Float;
      number.float_bits = 64;
      number.integer = APFloat(value).bitcastToAPInt().getZExtValue();
      rest_ = rest_.drop_front(length);
      return number;
    } else {
      number.kind = PtxOperand::Integer;
      word.consume_back_insensitive("u");
      if (word.getAsInteger(0, number.integer))
        throw PtxError("bad number '" + start.str() + "'");
    }
    rest_ = rest_.drop_front(start.size());
    return number;
  }

  static bool isDecimalFraction(StringRef word) {
    return !word.starts_with_insensitive("0x") &&
           (word.contains('.') || word.contains_insensitive("e"));
  }

  StringRef rest_;
};

} // namespace

std::string PtxStatement::opcode() const {
  std::string text = name;
  for (const std::string &modifier : modifiers)
    text += "." + modifier;
  return text;
}

std::vector<PtxStatement> parsePtx(StringRef text, unsigned unique) {
  const std::string plain = unescape(text, unique);
  return Parser(plain).parse();
}

} // namespace heddle
