// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/source/shared_objects.h"

#include "frontend/source/source_tokens.h"

#include <algorithm>
#include <utility>

namespace heddle::frontend {
namespace {

using Tokens = std::vector<SourceToken>;

/// A declaration `__shared__ specifiers type name dimensions;` by its tokens.
struct Declaration {
  size_t type, name, end; // the type's first token, the name, the semicolon
};

// The token behind what is in brackets from `open` on.
size_t behindBrackets(const Tokens &tokens, size_t open, const char *opening, const char *closing) {
  size_t depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    depth += tokens[i].text == opening;
    if (tokens[i].text == closing && --depth == 0)
      return i + 1;
  }
  return tokens.size();
}

std::optional<Declaration> declarationOf(const Tokens &tokens, size_t name) {
  size_t type = name;
  while (tokens[type].text != "__shared__") {
    const std::string_view text = tokens[type].text;
    if (type == 0 || text == ";" || text == "{" || text == "}")
      return std::nullopt;
    --type;
  }
  for (++type; type < name;) {
    const std::string_view text = tokens[type].text;
    if (text == "static")
      ++type;
    else if (text == "alignas" || text == "_Alignas" || text == "__align__")
      type = behindBrackets(tokens, type + 1, "(", ")");
    else
      break;
  }
  size_t end = name + 1;
  while (end < tokens.size() && tokens[end].text == "[")
    end = behindBrackets(tokens, end, "[", "]");
  if (type >= name || end >= tokens.size() || tokens[end].text != ";")
    return std::nullopt;
  return Declaration{type, name, end};
}

} // namespace

bool SharedObjects::add(const std::string &file, const std::string &text, size_t offset) {
  const Tokens tokens = tokensOf(text);
  const auto found = std::find_if(tokens.begin(), tokens.end(),
                                  [&](const SourceToken &token) { return token.start == offset; });
  if (found == tokens.end() || !declarationOf(tokens, size_t(found - tokens.begin())))
    return false;
  const auto line = size_t(std::count(text.begin(), text.begin() + long(offset), '\n'));
  grew_ |= refused_[file].insert({line, std::string(found->text)}).second;
  return true;
}

bool SharedObjects::grew() { return std::exchange(grew_, false); }

std::optional<std::string> SharedObjects::change(const std::string &file,
                                                 const std::string &text) const {
  const auto refused = refused_.find(file);
  if (refused == refused_.end())
    return std::nullopt;
  const Tokens tokens = tokensOf(text);
  std::string result;
  size_t done = 0, line = 0, counted = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    line += size_t(
        std::count(text.begin() + long(counted), text.begin() + long(tokens[i].start), '\n'));
    counted = tokens[i].start;
    const std::string name(tokens[i].text);
    const auto declaration =
        refused->second.contains({line, name}) ? declarationOf(tokens, i) : std::nullopt;
    if (!declaration)
      continue;
    const size_t type = tokens[declaration->type].start, end = tokens[declaration->end].start;
    const size_t dimensions = tokens[i].start + name.size();
    result += text.substr(done, type - done) + "__heddle_uninitialized<" +
              text.substr(type, tokens[i].start - type) +
              text.substr(dimensions, end - dimensions) + "> " + name + "__object; auto &" + name +
              " = " + name + "__object.object";
    done = end;
  }
  return result + text.substr(done);
}

} // namespace heddle::frontend
