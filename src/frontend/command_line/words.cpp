// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/command_line/words.h"

#include <string_view>

namespace heddle::frontend {
namespace {

std::vector<std::string> split(const std::string &text, std::string_view separators) {
  std::vector<std::string> parts;
  std::string part;
  char quote = 0;
  bool started = false; // "" is a word, too
  for (size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    const bool escapes = letter == '\\' && quote != '\'' && i + 1 < text.size() &&
                         (separators.find(text[i + 1]) != std::string_view::npos ||
                          std::string_view("\"'\\").find(text[i + 1]) != std::string_view::npos);
    if (escapes) {
      part += text[++i];
      started = true;
    } else if (quote ? letter == quote : letter == '"' || letter == '\'') {
      quote = quote ? 0 : letter;
      started = true;
    } else if (!quote && separators.find(letter) != std::string_view::npos) {
      if (started)
        parts.push_back(std::move(part));
      part.clear();
      started = false;
    } else {
      part += letter;
      started = true;
    }
  }
  if (started)
    parts.push_back(part);
  return parts;
}

} // namespace

std::vector<std::string> splitAtCommas(const std::string &text) { return split(text, ", "); }

std::vector<std::string> splitWords(const std::string &text) { return split(text, " \t\r\n"); }

std::string quoteCommand(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words) {
    if (!text.empty())
      text += ' ';
    const bool plain = !word.empty() && word.find_first_of(" \t\n\"'\\$`&|;<>()*?#~") == word.npos;
    if (plain) {
      text += word;
      continue;
    }
    text += '"';
    for (char letter : word) {
      if (std::string_view("\"\\$`").find(letter) != std::string_view::npos)
        text += '\\';
      text += letter;
    }
    text += '"';
  }
  return text;
}

} // namespace heddle::frontend
