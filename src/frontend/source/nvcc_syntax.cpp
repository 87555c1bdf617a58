// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/source/nvcc_syntax.h"

#include "frontend/source/launch_syntax.h"
#include "frontend/source/source_tokens.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle::frontend {
namespace {

/// Changes to a text, in ascending order: `length` bytes at `start` become `text`.
struct Change {
  size_t start, length;
  std::string text;
};

std::string changed(const std::string &source, const std::vector<Change> &changes) {
  std::string result;
  size_t at = 0;
  for (const Change &change : changes) {
    result.append(source, at, change.start - at);
    result += change.text;
    at = change.start + change.length;
  }
  return result.append(source, at);
}

bool isOneOf(std::string_view text, const std::initializer_list<std::string_view> &words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

/// Words that may stand before a variable's type.
bool isSpecifier(std::string_view text) {
  return isOneOf(text, {"__shared__", "__device__", "__constant__", "__managed__", "extern",
                        "static", "const", "volatile", "constexpr", "inline"});
}

bool isExecutionSpace(std::string_view text) {
  return isOneOf(text, {"__host__", "__device__", "__global__", "__forceinline__"});
}

/// The index of the bracket that closes the one at `open`, or the number of tokens.
size_t closing(const std::vector<SourceToken> &tokens, size_t open, std::string_view opening,
               std::string_view closing) {
  size_t depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].text == opening)
      ++depth;
    else if (tokens[i].text == closing && --depth == 0)
      return i;
  }
  return tokens.size();
}

// An operand is a string and an expression in brackets, maybe with [name] before. Where the next
// one follows at once, g++ wants a comma, nvcc does not. A blank that stands there becomes the
// comma.
void addCommas(const std::string &source, const std::vector<SourceToken> &tokens, size_t open,
               std::vector<Change> &changes) {
  const size_t end = closing(tokens, open, "(", ")");
  if (end == tokens.size())
    return; // for Clang to complain about
  size_t depth = 0;
  for (size_t i = open; i < end; ++i) {
    if (tokens[i].text == "(")
      ++depth;
    if (tokens[i].text != ")" || --depth != 1 || i + 1 >= end)
      continue;
    const SourceToken &next = tokens[i + 1];
    if (!next.is_string && next.text != "[")
      continue;
    const size_t after = tokens[i].start + 1;
    const bool blank = next.start > after && source[after] == ' ';
    changes.push_back({after, blank ? 1u : 0u, ","});
  }
}

// nvcc takes "mov.u64 %0, %globaltimer;" for what g++ wants as %%globaltimer. What begins with two
// letters is no operand, which is a number, a letter and a number, or a name in brackets. Without
// operands a percent sign is nothing special.
void doublePercents(const std::vector<SourceToken> &tokens, size_t open,
                    std::vector<Change> &changes) {
  const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  size_t end = open + 1;
  while (end < tokens.size() && tokens[end].is_string)
    ++end;
  if (end == tokens.size() || !isOneOf(tokens[end].text, {":", "::"}))
    return;
  for (size_t i = open + 1; i < end; ++i) {
    const std::string_view text = tokens[i].text;
    for (size_t at = text.find('%'); at < text.size(); at = text.find('%', at)) {
      if (at + 2 < text.size() && isLetter(text[at + 1]) && isLetter(text[at + 2]))
        changes.push_back({tokens[i].start + at, 0, "%"});
      at += at + 1 < text.size() && text[at + 1] == '%' ? 2 : 1;
    }
  }
}

void mendAsm(const std::string &source, const std::vector<SourceToken> &tokens, size_t keyword,
             std::vector<Change> &changes) {
  size_t open = keyword + 1;
  while (open < tokens.size() &&
         isOneOf(tokens[open].text, {"volatile", "__volatile__", "__volatile", "inline"}))
    ++open;
  if (open == tokens.size() || tokens[open].text != "(")
    return;
  doublePercents(tokens, open, changes);
  addCommas(source, tokens, open, changes);
}

// [[...]] after __device__ and its kin moves before the first of them. A line break within stays
// where it is, so such a declaration is left alone.
void mendAttribute(const std::string &source, const std::vector<SourceToken> &tokens, size_t open,
                   std::vector<Change> &changes) {
  size_t first = open;
  while (first > 0 && isExecutionSpace(tokens[first - 1].text))
    --first;
  const size_t end = closing(tokens, open, "[", "]");
  if (first == open || end == tokens.size())
    return;
  const size_t start = tokens[first].start, middle = tokens[open].start;
  const size_t stop = tokens[end].start + 1;
  const std::string spaces = source.substr(start, middle - start);
  const std::string attribute = source.substr(middle, stop - middle);
  if ((spaces + attribute).find('\n') == std::string::npos)
    changes.push_back({start, stop - start, attribute + " " + spaces});
}

// `(&(((T *)0)->m))`, which CCCL's headers ask for NVRTC: Clang takes no address in what must be
// constant if it comes from a null pointer, but has a function for the offset.
void mendOffset(const std::vector<SourceToken> &tokens, size_t open, std::vector<Change> &changes) {
  constexpr std::string_view before[] = {"(", "&", "(", "(", "("};
  constexpr std::string_view after[] = {"*", ")", "0", ")", "->"};
  constexpr size_t type = std::size(before), member = type + 1 + std::size(after);
  if (open + member + 2 >= tokens.size())
    return;
  for (size_t i = 0; i < std::size(before); ++i)
    if (tokens[open + i].text != before[i] || tokens[open + type + 1 + i].text != after[i])
      return;
  if (tokens[open + member + 1].text != ")" || tokens[open + member + 2].text != ")")
    return;
  const size_t start = tokens[open].start;
  changes.push_back({start, tokens[open + member + 2].start + 1 - start,
                     "(__builtin_offsetof(" + std::string(tokens[open + type].text) + ", " +
                         std::string(tokens[open + member].text) + "))"});
}

// Eigen takes mathematical functions from the global namespace where nvcc compiles device code, and
// from std elsewhere. With Clang's headers those of std are complete, also for complex numbers.
void mendUsing(const std::vector<SourceToken> &tokens, size_t macro, std::vector<Change> &changes) {
  constexpr std::string_view after[] = {"(", "FUNC", ")", "using", "::"};
  if (macro + std::size(after) >= tokens.size())
    return;
  for (size_t i = 0; i < std::size(after); ++i)
    if (tokens[macro + 1 + i].text != after[i])
      return;
  changes.push_back({tokens[macro + std::size(after)].start, 0, "std"});
}

// `#pragma unroll` where no statement follows: at the end of a block, or before a function. Another
// name makes it a pragma that Clang does not know, and skips.
void mendUnroll(const std::string &source, const std::vector<SourceToken> &tokens, size_t pragma,
                std::vector<Change> &changes) {
  const size_t name = pragma + 1, line_end = source.find('\n', tokens[name].start);
  size_t next = name;
  while (next < tokens.size() && tokens[next].start < line_end)
    ++next;
  if (next == tokens.size() ||
      isOneOf(tokens[next].text, {"}", "template", "extern", "namespace", "struct", "class"}) ||
      isExecutionSpace(tokens[next].text))
    changes.push_back({tokens[name].start, tokens[name].length, "ignored"});
}

// In files of the host nvcc defines __NVCC__, too, by which CCCL takes its PTX for what the
// compiler understands: g++ does not look at it where it is unused, Clang does.
void mendCcclCompiler(const std::vector<SourceToken> &tokens, size_t name,
                      std::vector<Change> &changes) {
  if (name < 2 || name + 4 >= tokens.size() || tokens[name - 2].text != "defined" ||
      !isOneOf(tokens[name + 3].text, {"undef", "define"}) ||
      tokens[name + 4].text != "_CCCL_CUDA_COMPILER_NVCC")
    return;
  changes.push_back({tokens[name + 1].start + 1, 0, " && defined(__CUDACC__)"});
}

// Newer CCCL defines the macro that we set for older one (__heddle/compiler.h) anew.
void mendCcclMacro(const std::string &source, const std::vector<SourceToken> &tokens, size_t name,
                   std::vector<Change> &changes) {
  const size_t behind = tokens[name].start + tokens[name].length;
  if (name >= 2 && tokens[name - 1].text == "define" && tokens[name - 2].text == "#" &&
      source.compare(behind, 2, "()") == 0)
    changes.push_back({tokens[name - 2].start, 0, "#undef _CCCL_CUDA_COMPILER_CLANG\n"});
}

void nameBraces(const std::vector<SourceToken> &tokens, size_t open, std::vector<Change> &changes) {
  for (const UnnamedBrace &unnamed : unnamedBraces(tokens, open))
    changes.push_back({tokens[unnamed.brace].start, 0, unnamed.type});
}

} // namespace

std::optional<std::string> mendNvccSyntax(std::string_view text) {
  const bool has_launches = text.find('<') != std::string_view::npos;
  std::optional<std::string> joined = has_launches ? joinLaunchBrackets(text) : std::nullopt;
  const bool has_words = (text.find("<<<") != std::string_view::npos &&
                          text.find('{', text.find("<<<")) != std::string_view::npos) ||
                         text.find("asm") != std::string_view::npos ||
                         text.find("alignas") != std::string_view::npos ||
                         text.find("_CCCL_CUDA_COMPILER_NVCC") != std::string_view::npos ||
                         text.find("unroll") != std::string_view::npos ||
                         text.find("EIGEN_USING_STD") != std::string_view::npos ||
                         text.find("[[") != std::string_view::npos ||
                         text.find("0)->") != std::string_view::npos;
  if (!has_words)
    return joined;
  const std::string source = joined ? *joined : std::string(text);
  const std::vector<SourceToken> tokens = tokensOf(source);
  std::vector<Change> changes;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view word = tokens[i].text;
    if (isOneOf(word, {"asm", "__asm__", "__asm"}))
      mendAsm(source, tokens, i, changes);
    else if (word == "alignas" && i > 0 && isSpecifier(tokens[i - 1].text))
      changes.push_back({tokens[i].start, word.size(), "_Alignas"}); // C's may stand anywhere
    else if (word == "[" && i > 0 && i + 1 < tokens.size() && tokens[i + 1].text == "[" &&
             isExecutionSpace(tokens[i - 1].text))
      mendAttribute(source, tokens, i, changes);
    else if (word == "!" && i + 1 < tokens.size())
      mendOffset(tokens, i + 1, changes);
    else if (word == "pragma" && i > 0 && tokens[i - 1].text == "#" && i + 1 < tokens.size() &&
             tokens[i + 1].text == "unroll")
      mendUnroll(source, tokens, i, changes);
    else if (word == "__NVCC__")
      mendCcclCompiler(tokens, i, changes);
    else if (word == "_CCCL_CUDA_COMPILER_CLANG")
      mendCcclMacro(source, tokens, i, changes);
    else if (word == "EIGEN_USING_STD")
      mendUsing(tokens, i, changes);
    else if (word == "<<<")
      nameBraces(tokens, i, changes);
  }
  if (changes.empty())
    return joined;
  std::sort(changes.begin(), changes.end(),
            [](const Change &a, const Change &b) { return a.start < b.start; });
  return changed(source, changes);
}

} // namespace heddle::frontend
