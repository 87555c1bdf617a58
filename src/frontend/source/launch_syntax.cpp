// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/source/launch_syntax.h"

#include <algorithm>
#include <iterator>

namespace heddle::frontend {
namespace {

// The number of tokens from `first` on that make up three of `bracket`, in more than one piece; or
// 0.
size_t bracketPieces(const std::vector<SourceToken> &pieces, size_t first, char bracket) {
  size_t length = 0;
  for (size_t i = first; i < pieces.size() && length < 3; ++i) {
    if (pieces[i].text.find_first_not_of(bracket) != std::string_view::npos)
      return 0;
    length += pieces[i].length;
    if (length == 3)
      return i == first ? 0 : i - first + 1;
  }
  return 0;
}

// Whether the token is one of these brackets.
bool isOneOf(std::string_view token, std::string_view brackets) {
  return token.size() == 1 && brackets.find(token.front()) != std::string_view::npos;
}

} // namespace

std::optional<std::string> joinLaunchBrackets(std::string_view text) {
  if (text.find("<< <") == std::string_view::npos && text.find("< <<") == std::string_view::npos &&
      text.find("< < <") == std::string_view::npos)
    return std::nullopt;
  std::string source(text);
  const std::vector<SourceToken> pieces = tokensOf(source);
  std::string result = source;
  auto join = [&](size_t first, size_t count, char bracket) {
    const size_t start = pieces[first].start;
    const SourceToken &last = pieces[first + count - 1];
    const size_t region = last.start + last.length - start;
    if (source.find('\n', start) < start + region)
      return false; // a line break inside: the columns could not stay
    result.replace(start, region, std::string(3, bracket) + std::string(region - 3, ' '));
    return true;
  };
  size_t open = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (const size_t count = bracketPieces(pieces, i, '<')) {
      // `operator<< <T>` is the only other place where these tokens meet.
      const bool is_operator = i > 0 && pieces[i - 1].text == "operator";
      if (!is_operator && join(i, count, '<')) {
        ++open;
        i += count - 1;
      }
    } else if (pieces[i].text == "<<<") {
      ++open;
    } else if (pieces[i].text == ">>>" && open) {
      --open;
    } else if (const size_t closing = open ? bracketPieces(pieces, i, '>') : 0) {
      const size_t next = i + closing;
      if (next < pieces.size() && pieces[next].text == "(" && join(i, closing, '>')) {
        --open;
        i = next - 1;
      }
    }
  }
  if (result == source)
    return std::nullopt;
  return result;
}

std::vector<UnnamedBrace> unnamedBraces(const std::vector<SourceToken> &tokens, size_t open) {
  // Where the comma of a template's arguments has been counted, a list of several is a dim3 still.
  constexpr const char *types[] = {"::dim3", "::dim3", "::size_t", "::cudaStream_t"};
  std::vector<UnnamedBrace> braces;
  size_t depth = 0, argument = 0;
  bool in_list = false;
  for (size_t i = open + 1; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text, before = tokens[i - 1].text;
    const bool opens = isOneOf(text, "([{"), closes = isOneOf(text, ")]}");
    if (depth == 0) {
      in_list = text == "{" && (before == "<<<" || before == ",");
      if (in_list)
        braces.push_back({i, types[std::min(argument, std::size(types) - 1)]});
      if (text == ">>>")
        return braces;
      if (text == ";" || closes)
        return {}; // no launch
      argument += text == ",";
    } else if (depth == 1 && in_list && text == ",") {
      braces.back().type = types[0];
    }
    depth += opens;
    depth -= closes;
  }
  return {};
}

} // namespace heddle::frontend
