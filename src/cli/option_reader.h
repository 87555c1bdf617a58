// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a command line word by word.
#pragma once

#include "cli/commands.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::cli {

class OptionReader {
public:
  explicit OptionReader(const std::vector<std::string> &words) : words_(words) {}
  bool atEnd() const { return next_ == words_.size(); }
  const std::string &peek() const { return words_[next_]; }
  std::string take() { return words_[next_++]; }
  std::vector<std::string> takeRest() {
    std::vector<std::string> rest(words_.begin() + std::ptrdiff_t(next_), words_.end());
    next_ = words_.size();
    return rest;
  }

  /// Whether the next word is this; then it is taken.
  bool flag(const std::string &name) {
    if (peek() != name)
      return false;
    ++next_;
    return true;
  }

  /// The same of an option with a value, behind it or behind =. Throws UsageError if it has none.
  bool option(const std::string &name, std::string &value) {
    if (peek().starts_with(name + "=")) {
      value = take().substr(name.size() + 1);
      return true;
    }
    if (peek() != name)
      return false;
    ++next_;
    if (atEnd())
      throw UsageError(name + " needs a value");
    value = take();
    return true;
  }

private:
  const std::vector<std::string> &words_;
  size_t next_ = 0;
};

/// Throws UsageError if it is no number from `least` on.
inline uint64_t numberFrom(uint64_t least, const std::string &option, const std::string &text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least)
    throw UsageError(option + " " + text + ": a number from " + std::to_string(least) +
                     " on is needed");
  return number;
}

inline std::vector<std::string> splitAtCommas(const std::string &list) {
  std::vector<std::string> result;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin)
      result.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

} // namespace heddle::cli
