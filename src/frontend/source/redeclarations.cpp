// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/source/redeclarations.h"

#include "frontend/source/source_tokens.h"

#include <algorithm>
#include <utility>

namespace heddle::frontend {
namespace {

constexpr const char *words = "__host__ __device__ ";

bool isInDirective(const std::string &text, size_t offset) {
  const size_t line = text.rfind('\n', offset) + 1; // npos + 1 is 0
  const size_t first = text.find_first_not_of(" \t", line);
  return first < text.size() && text[first] == '#';
}

/// The index behind a template's list of parameters, which begins at `at`.
size_t behindParameters(const std::vector<SourceToken> &tokens, size_t at) {
  size_t depth = 0;
  for (; at < tokens.size(); ++at) {
    const std::string_view text = tokens[at].text;
    if (text.find_first_not_of('<') == std::string_view::npos)
      depth += text.size();
    else if (text.find_first_not_of('>') == std::string_view::npos)
      depth -= std::min(depth, text.size());
    else
      continue;
    if (depth == 0)
      return at + 1;
  }
  return at;
}

/// Where the declaration of a name begins, behind template<...> and extern "C".
std::optional<size_t> beginning(const std::string &text, const std::vector<SourceToken> &tokens,
                                size_t name) {
  size_t first = name;
  for (; first > 0; --first) {
    const SourceToken &before = tokens[first - 1];
    if (before.text == ";" || before.text == "{" || before.text == "}" || before.text == ":" ||
        isInDirective(text, before.start))
      break;
  }
  while (first < name && tokens[first].text == "template")
    first = behindParameters(tokens, first + 1);
  if (first + 1 < name && tokens[first].text == "extern" && tokens[first + 1].is_string)
    first += 2;
  return first <= name ? std::optional(tokens[first].start) : std::nullopt;
}

/// Whether the name stands behind `typename A::`, `typename A::B<C>::` and so on.
bool isInTypename(const std::vector<SourceToken> &tokens, size_t name) {
  if (name == 0 || tokens[name - 1].text != "::")
    return false;
  for (size_t i = name - 1; i > 0; --i) {
    const std::string_view text = tokens[i - 1].text;
    if (text == "typename")
      return true;
    if (text == ";" || text == "{" || text == "}" || text == "=" || text == "(")
      return false;
  }
  return false;
}

/// Whether the name, or operator(), is followed by arguments of a template and a call's
/// parenthesis.
bool isTemplateCall(const std::vector<SourceToken> &tokens, size_t name) {
  size_t arguments = name + 1;
  if (tokens[name].text == "operator" && name + 2 < tokens.size() && tokens[name + 1].text == "(" &&
      tokens[name + 2].text == ")")
    arguments = name + 3;
  if (arguments >= tokens.size() || tokens[arguments].text != "<")
    return false;
  const size_t behind = behindParameters(tokens, arguments);
  return behind < tokens.size() && tokens[behind].text == "(";
}

/// Whether `T::a::b(` begins here. NVIDIA's front end wants `typename` where it could read no
/// expression, as in a declaration (`T::type x;`).
bool isQualifiedCall(const std::vector<SourceToken> &tokens, size_t name) {
  size_t at = name;
  while (at + 2 < tokens.size() && tokens[at + 1].text == "::")
    at += 2;
  return at > name && at + 1 < tokens.size() && tokens[at + 1].text == "(";
}

/// What is to be written before the name, if the word can stand there.
const char *spelled(Redeclarations::Word word, const std::vector<SourceToken> &tokens,
                    size_t name) {
  const std::string_view before = name > 0 ? tokens[name - 1].text : "",
                         behind = name + 1 < tokens.size() ? tokens[name + 1].text : "";
  const bool is_member = before == "." || before == "->";
  switch (word) {
  case Redeclarations::Word::template_name:
    return isInTypename(tokens, name) ? "template " : nullptr;
  case Redeclarations::Word::member_template:
    return is_member && isTemplateCall(tokens, name) ? "template " : nullptr;
  case Redeclarations::Word::type_name:
    return !is_member && before != "typename" && before != "::" && isQualifiedCall(tokens, name)
               ? "typename "
               : nullptr;
  case Redeclarations::Word::this_object:
    return !is_member && before != "::" && behind == "(" ? "this->" : nullptr;
  case Redeclarations::Word::none:
    break;
  }
  return nullptr;
}

size_t lineOf(const std::string &text, size_t offset) {
  return size_t(std::count(text.begin(), text.begin() + long(offset), '\n'));
}

} // namespace

bool Redeclarations::add(const std::string &file, const std::string &text, size_t offset) {
  return add(file, text, offset, Word::none);
}

bool Redeclarations::add(const std::string &file, const std::string &text, size_t offset,
                         Word word) {
  const std::vector<SourceToken> tokens = tokensOf(text);
  const auto found = std::find_if(tokens.begin(), tokens.end(),
                                  [&](const SourceToken &token) { return token.start == offset; });
  if (found == tokens.end())
    return false;
  const size_t name = size_t(found - tokens.begin());
  if (word == Word::none ? !beginning(text, tokens, name) : !spelled(word, tokens, name))
    return false;
  const bool is_new =
      named_[file].insert({lineOf(text, offset), std::string(found->text), word}).second;
  grew_ |= is_new;
  return is_new;
}

bool Redeclarations::grew() { return std::exchange(grew_, false); }

std::optional<std::string> Redeclarations::change(const std::string &file,
                                                  const std::string &text) const {
  const auto named = named_.find(file);
  if (named == named_.end())
    return std::nullopt;
  const std::vector<SourceToken> tokens = tokensOf(text);
  std::map<size_t, const char *> places;
  for (const auto &[line, name, word] : named->second)
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].text != name || lineOf(text, tokens[i].start) != line)
        continue;
      if (word != Word::none) {
        if (const char *missed = spelled(word, tokens, i))
          places[tokens[i].start] = missed;
        continue;
      }
      if (const std::optional<size_t> place = beginning(text, tokens, i))
        places[*place] = words;
      break; // later ones on the line are calls
    }
  std::string result = text;
  for (auto place = places.rbegin(); place != places.rend(); ++place)
    result.insert(place->first, place->second);
  return result;
}

} // namespace heddle::frontend
