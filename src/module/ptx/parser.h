// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses PTX statements (PTX ISA, "Syntax"): those of an asm statement, where $0, $1 … refer to the
// C++ operands, and those of a function's body in a whole module.
#pragma once

#include "module/ptx/statement.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace heddle {

/// Parses an asm statement. `unique` replaces ${:uid} (%= in C++), for labels that must differ
/// between copies of a statement. Throws PtxError.
std::vector<PtxStatement> parsePtx(llvm::StringRef text, unsigned unique);

/// Replaces comments by blanks, so that positions stay the same. Throws PtxError.
std::string withoutComments(llvm::StringRef text);

/// A parser at a position in text without comments. All functions throw PtxError with the position.
class PtxParser {
public:
  /// The text must outlive the parser.
  explicit PtxParser(llvm::StringRef text) : all_(text), rest_(text) {}

  /// Parses statements up to the end of the text, or to a '}' that closes none of their scopes.
  std::vector<PtxStatement> parseStatements();

  bool atEnd() {
    skipSpace();
    return rest_.empty();
  }
  PtxPlace place();
  /// Consumes the token if it comes next; acceptWord only as a whole word.
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
  /// A constant expression, or an address that is constant at run time.
  PtxOperand parseConstant() { return parseSum(); }
  /// ".param .align 8 .b8 a[16]" and similar; `space` has been consumed.
  PtxVariable parseVariable(PtxVariable::Space space);
  /// The same with several names and initial values: "… a, b[2] = {1, 2};".
  std::vector<PtxVariable> parseVariables(PtxVariable::Space space);
  /// "(…)", a list of parameters.
  std::vector<PtxVariable> parseParameters();
  /// Consumes the state space that comes next, if there is one.
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
  size_t known_offset_ = 0; // the last offset whose line was determined
  PtxPlace known_{1, 1};
  unsigned depth_ = 0; // of expressions, limited to protect the stack
  struct Nested {
    explicit Nested(PtxParser &parser);
    ~Nested() { --parser.depth_; }
    PtxParser &parser;
  };
};

} // namespace heddle
