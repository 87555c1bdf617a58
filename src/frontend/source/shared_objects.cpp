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

// The word extern in the declaration of which `word` is a part.
std::optional<size_t> externOf(const Tokens &tokens, size_t word) {
  const auto ends = [&](size_t i) {
    return tokens[i].text == ";" || tokens[i].text == "{" || tokens[i].text == "}";
  };
  size_t first = word;
  while (first > 0 && !ends(first - 1))
    --first;
  for (size_t i = first; i < tokens.size() && !ends(i); ++i)
    if (tokens[i].text == "extern")
      return i;
  return std::nullopt;
}

std::optional<size_t> tokenAt(const Tokens &tokens, size_t offset) {
  const auto found = std::find_if(tokens.begin(), tokens.end(),
                                  [&](const SourceToken &token) { return token.start == offset; });
  return found == tokens.end() ? std::nullopt : std::optional(size_t(found - tokens.begin()));
}

std::pair<size_t, std::string> placeOf(const std::string &text, const SourceToken &token) {
  const auto line = std::count(text.begin(), text.begin() + long(token.start), '\n');
  return {size_t(line), std::string(token.text)};
}

} // namespace

bool SharedObjects::add(const std::string &file, const std::string &text, size_t offset) {
  const Tokens tokens = tokensOf(text);
  const auto found = tokenAt(tokens, offset);
  if (!found || !declarationOf(tokens, *found))
    return false;
  grew_ |= refused_[file].insert(placeOf(text, tokens[*found])).second;
  return true;
}

bool SharedObjects::addExtern(const std::string &file, const std::string &text, size_t offset) {
  const Tokens tokens = tokensOf(text);
  const auto found = tokenAt(tokens, offset);
  if (!found || !externOf(tokens, *found))
    return false;
  grew_ |= extern_[file].insert(placeOf(text, tokens[*found])).second;
  return true;
}

bool SharedObjects::grew() { return std::exchange(grew_, false); }

std::optional<std::string> SharedObjects::change(const std::string &file,
                                                 const std::string &text) const {
  static const std::set<std::pair<size_t, std::string>> none;
  const auto namesIn = [&](const Words &names) -> const auto & {
    const auto found = names.find(file);
    return found == names.end() ? none : found->second;
  };
  const auto &refused = namesIn(refused_), &external = namesIn(extern_);
  if (refused.empty() && external.empty())
    return std::nullopt;
  const Tokens tokens = tokensOf(text);
  std::set<size_t> externals; // words that are replaced
  for (size_t i = 0; i < tokens.size() && !external.empty(); ++i)
    if (external.contains(placeOf(text, tokens[i])))
      if (const auto word = externOf(tokens, i))
        externals.insert(*word);
  std::string result;
  size_t done = 0, line = 0, counted = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    line += size_t(
        std::count(text.begin() + long(counted), text.begin() + long(tokens[i].start), '\n'));
    counted = tokens[i].start;
    const std::pair<size_t, std::string> place(line, tokens[i].text);
    if (externals.contains(i)) {
      const SourceToken &token = tokens[i];
      result += text.substr(done, token.start - done) + "__attribute__((annotate(\"" + was_extern +
                "\")))";
      done = token.start + token.text.size();
    }
    const auto declaration = refused.contains(place) ? declarationOf(tokens, i) : std::nullopt;
    if (!declaration)
      continue;
    const std::string &name = place.second;
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
