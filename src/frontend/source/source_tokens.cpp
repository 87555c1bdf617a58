// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/source/source_tokens.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

namespace heddle::frontend {

std::vector<SourceToken> tokensOf(const std::string &source) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CUDA = true;
  const char *begin = source.c_str();
  clang::Lexer lexer(clang::SourceLocation(), language, begin, begin, begin + source.size());
  std::vector<SourceToken> tokens;
  clang::Token token;
  for (bool end = false; !end;) {
    end = lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof))
      break;
    const size_t stop = size_t(lexer.getBufferLocation() - begin), length = token.getLength();
    tokens.push_back({stop - length, length, clang::tok::isStringLiteral(token.getKind()),
                      std::string_view(begin + stop - length, length)});
  }
  return tokens;
}

} // namespace heddle::frontend
