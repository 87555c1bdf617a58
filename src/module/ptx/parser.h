// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the statements of PTX text (PTX ISA, "Syntax"): those of an asm statement, where $0, $1 …
// stand for the C++ operands, and those of a function's body in a whole module.
#pragma once

#include "module/ptx/statement.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace heddle {

/// The statements of an asm statement. `unique` replaces ${:uid} (%= in C++), for labels that must
/// differ between copies of a statement. Throws PtxError.
std::vector<PtxStatement> parsePtx(llvm::StringRef text, unsigned unique);

/// The text with blanks for comments, so that everything stays in its place. Throws PtxError.
std::string withoutComments(llvm::StringRef text);

/// A place in text without comments, which moves over what is read. All throw PtxError, which says
/// where.
class PtxParser {
public:
  /// The text must outlive the parser.
  explicit PtxParser(llvm::StringRef text) : all_(text), rest_(text) {}

  /// Statements up to the end of the text, or to a '}' that closes none of their scopes.
  std::vector<PtxStatement> parseStatements();

  bool atEnd() {
    skipSpace();
    return rest_.empty();
  }
  PtxPlace place();
  /// The next letters, whatever they are; and those that make a word.
  bool accept(llvm::StringRef token) {
    skipSpace();
    return rest_.consume_front(token);
  }
  bool acceptWord(llvm::StringRef word);
  bool sees(llvm::StringRef token) {
    skipSpace();
    return rest_.starts_with(token);
  }
  void expect(llvm::StringRef token);
  llvm::StringRef takeWhile(llvm::function_ref<bool(char)> belongs);
  std::string takeName(const char *of_what);
  unsigned takeCount(const char *of_what, uint64_t most = UINT32_MAX);
  unsigned takeRange();
  [[noreturn]] void fail(const std::string &what);
  [[noreturn]] void failHere();

  PtxOperand parseOperand();
  /// A constant expression, or an address that is known when the program starts.
  PtxOperand parseConstant() { return parseSum(); }
  /// ".param .align 8 .b8 a[16]" and the like, up to what comes behind; `space` has been read.
  PtxVariable parseVariable(PtxVariable::Space space);
  /// The same with several names, and with initial values: "… a, b[2] = {1, 2};".
  std::vector<PtxVariable> parseVariables(PtxVariable::Space space);
  /// "(…)", a list of parameters.
  std::vector<PtxVariable> parseParameters();
  /// The state space that comes next, if one does.
  std::optional<PtxVariable::Space> acceptSpace();

private:
  void skipSpace() { rest_ = rest_.ltrim(" \t\n\r\f\v"); }
  PtxStatement parseStatement();
  bool parseDirective(PtxStatement &statement);
  bool parseLabel(PtxStatement &statement);
  void parseListOf(PtxStatement &statement);
  void parseRegisters(PtxStatement &statement);
  void parseInstruction(PtxStatement &statement);
  void parseCall(PtxStatement &statement);
  void parseVariableType(PtxVariable &variable);
  void parseVariableName(PtxVariable &variable);
  PtxOperand parseInitial();
  PtxOperand parseSum();
  PtxOperand parseExpression(unsigned level);
  PtxOperand parsePrimary();
  PtxOperand parseList(llvm::StringRef end);
  PtxOperand parseAddress();
  PtxOperand parseNumber();

  llvm::StringRef all_, rest_;
  size_t known_offset_ = 0; // the place of which the line is known
  PtxPlace known_{1, 1};
  unsigned depth_ = 0; // of expressions, so that no text overflows the stack
  struct Nested {
    explicit Nested(PtxParser &parser);
    ~Nested() { --parser.depth_; }
    PtxParser &parser;
  };
};

} // namespace heddle
