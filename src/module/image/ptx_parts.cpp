// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/image/ptx_parts.h"

#include "module/ptx_version.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <unordered_set>

namespace heddle {
namespace {

/// Not a form that is understood here.
struct Undivided {};

void need(bool condition) {
  if (!condition)
    throw Undivided();
}

/// Whether a character may be in a name, by its number: texts are long.
constexpr auto name_letters = [] {
  std::array<bool, 256> letters{};
  for (int c = 0; c < 256; ++c)
    letters[size_t(c)] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '_' || c == '$';
  return letters;
}();

bool isNameLetter(char c) { return name_letters[static_cast<unsigned char>(c)]; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Words and signs of a stretch of text, without comments. Directives have their dot, registers
/// their percent sign.
class Words {
public:
  Words(std::string_view text, size_t at, size_t end) : text_(text), at_(at), end_(end) {}

  /// Empty at the end.
  std::string_view next() {
    skipBlanks();
    const size_t start = at_;
    if (at_ == end_)
      return {};
    if (text_[at_] == '"')
      at_ = std::min(text_.find('"', at_ + 1), end_ - 1);
    ++at_;
    if (isNameLetter(text_[start]) || text_[start] == '.' || text_[start] == '%')
      while (at_ < end_ && isNameLetter(text_[at_]))
        ++at_;
    return text_.substr(start, at_ - start);
  }
  size_t place() const { return at_; }
  void skipLine() { at_ = std::min(text_.find('\n', at_), end_); }

private:
  void skipBlanks() {
    while (at_ < end_) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
        ++at_;
      else if (text_.compare(at_, 2, "//") == 0)
        skipLine();
      else if (text_.compare(at_, 2, "/*") == 0)
        at_ = std::min(text_.find("*/", at_ + 2), end_ - 2) + 2;
      else
        break;
    }
  }

  const std::string_view text_;
  size_t at_;
  const size_t end_;
};

/// What stands outside of all braces: a kernel, a function, variables.
struct Item {
  size_t begin = 0, end = 0;
  bool is_kernel = false;
  bool is_shared_by_kernels = false; // a variable of which there is one for all
  std::vector<std::string_view> names;
  std::vector<size_t> uses; // other items
};

} // namespace

/// Reads the items of a text and finds out which belong together.
class PtxDivider {
public:
  explicit PtxDivider(const std::string &text) : text_(text) {}

  void readItems() {
    Words words(text_, 0, text_.size());
    for (size_t begin = 0;; begin = words.place()) {
      const std::string_view first = words.next();
      begin = words.place() - first.size();
      if (first.empty())
        break;
      if (first == ".version" || first == ".target" || first == ".address_size" || first == ".file")
        readLine(words, begin, first);
      else if (first == ".section") // of a debugger's
        skipSection(words);
      else
        readItem(words, begin, first);
    }
    need(has_version_);
  }

  PtxParts divide() {
    for (size_t i = 0; i < items_.size(); ++i)
      for (const std::string_view name : items_[i].names)
        by_name_[name].push_back(i);
    for (Item &item : items_)
      findUses(item);
    group_.resize(items_.size());
    std::iota(group_.begin(), group_.end(), size_t(0));
    std::vector<std::vector<size_t>> reached(items_.size());
    for (size_t i = 0; i < items_.size(); ++i)
      if (isThereOnce(items_[i]))
        reached[i] = reachedFrom(i);
    return makeParts(reached);
  }

private:
  using Piece = PtxParts::Piece;

  void readLine(Words &words, size_t begin, std::string_view directive) {
    if (directive == ".version") {
      const size_t at = words.place() + 1;
      unsigned major = 0, minor = 0;
      const char *end = text_.data() + text_.size(), *dot = text_.data() + at;
      dot = std::from_chars(dot, end, major).ptr;
      need(major > 0 && dot != end && *dot == '.'); // 0 also if it is too large
      std::from_chars(dot + 1, end, minor);
      need(major < 100 && minor < 10 && major * 10 + minor <= newest_ptx_version);
      has_version_ = true;
    }
    words.skipLine();
    head_.push_back({begin, words.place()});
  }

  static void skipSection(Words &words) {
    std::string_view word;
    while ((word = words.next()) != "}")
      need(!word.empty());
  }

  // Up to the semicolon, or the end of the body.
  void readItem(Words &words, size_t begin, std::string_view word) {
    Item item{begin, 0, false, false, {}, {}};
    bool is_function = false, is_variable = false, has_value = false;
    size_t braces = 0, brackets = 0;
    for (; !(word == ";" && braces == 0); word = words.next()) {
      need(!word.empty() && word != ".managed");
      if (word == "{")
        ++braces;
      else if (word == "}" && --braces == 0 && is_function)
        break;
      else if (word == "(" || word == "[")
        ++brackets;
      else if (word == ")" || word == "]")
        --brackets;
      if (braces || brackets || word == "]" || word == ")")
        continue;
      if (word == ".entry" || word == ".func" || word == ".alias")
        is_function = true, item.is_kernel = word == ".entry";
      else if (word == ".global" || word == ".const" || word == ".shared")
        is_variable = true, item.is_shared_by_kernels = word != ".shared";
      else if (word == "=")
        has_value = true;
      else
        need(!has_value || word != ","); // one of several variables with values
      // Of a function the first name, of variables all of them.
      if (isNameLetter(word.front()) && !isDigit(word.front()) && !has_value &&
          (is_variable || item.names.empty()))
        item.names.push_back(word);
    }
    need((is_function || is_variable) && !item.names.empty());
    item.end = words.place();
    items_.push_back(std::move(item));
  }

  void findUses(Item &item) {
    Words words(text_, item.begin, item.end);
    for (std::string_view word; !(word = words.next()).empty();) {
      if (!isNameLetter(word.front()) || isDigit(word.front()))
        continue;
      if (const auto found = by_name_.find(word); found != by_name_.end())
        item.uses.insert(item.uses.end(), found->second.begin(), found->second.end());
    }
    std::sort(item.uses.begin(), item.uses.end());
    item.uses.erase(std::unique(item.uses.begin(), item.uses.end()), item.uses.end());
  }

  size_t groupOf(size_t item) {
    while (group_[item] != item)
      item = group_[item] = group_[group_[item]];
    return item;
  }

  static bool isThereOnce(const Item &item) { return item.is_kernel || item.is_shared_by_kernels; }

  // All that a kernel or a variable reaches. What is there once is in one group with it.
  std::vector<size_t> reachedFrom(size_t root) {
    std::vector<size_t> all = {root};
    std::vector<bool> seen(items_.size());
    seen[root] = true;
    for (size_t i = 0; i < all.size(); ++i) {
      if (isThereOnce(items_[all[i]]))
        group_[groupOf(all[i])] = groupOf(root);
      for (const size_t use : items_[all[i]].uses)
        if (!seen[use])
          seen[use] = true, all.push_back(use);
    }
    return all;
  }

  // A part for each group with kernels, and one for the variables of all others.
  PtxParts makeParts(const std::vector<std::vector<size_t>> &reached) {
    PtxParts parts;
    std::unordered_map<size_t, size_t> number;
    std::unordered_set<std::string_view> seen;
    for (size_t i = 0; i < items_.size(); ++i)
      if (items_[i].is_kernel) {
        number.try_emplace(groupOf(i), number.size());
        if (seen.insert(items_[i].names.front()).second)
          parts.kernels_.push_back(items_[i].names.front());
      }
    std::vector<std::vector<size_t>> members(number.size() + 1);
    for (size_t i = 0; i < items_.size(); ++i) {
      const auto found = number.find(groupOf(i));
      std::vector<size_t> &all = members[found == number.end() ? number.size() : found->second];
      all.insert(all.end(), reached[i].begin(), reached[i].end());
    }
    for (std::vector<size_t> &all : members)
      if (!all.empty())
        addPart(all, parts);
    parts.head_ = std::move(head_);
    return parts;
  }

  void addPart(std::vector<size_t> &all, PtxParts &parts) {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::vector<Piece> pieces;
    for (const size_t i : all) {
      pieces.push_back({items_[i].begin, items_[i].end});
      if (isThereOnce(items_[i]))
        for (const std::string_view name : items_[i].names)
          parts.part_of_.try_emplace(name, parts.parts_.size());
    }
    parts.parts_.push_back(std::move(pieces));
  }

  const std::string_view text_;
  std::vector<Piece> head_;
  std::vector<Item> items_;
  std::unordered_map<std::string_view, std::vector<size_t>> by_name_;
  std::vector<size_t> group_;
  bool has_version_ = false;
};

std::optional<PtxParts> PtxParts::divide(std::shared_ptr<const std::string> text) {
  try {
    PtxDivider divider(*text);
    divider.readItems();
    PtxParts parts = divider.divide();
    if (parts.count() < 2)
      return std::nullopt;
    parts.whole_ = std::move(text);
    return parts;
  } catch (const Undivided &) {
    return std::nullopt;
  }
}

std::optional<size_t> PtxParts::find(std::string_view name) const {
  const auto found = part_of_.find(name);
  return found == part_of_.end() ? std::nullopt : std::optional(found->second);
}

std::string PtxParts::text(size_t part) const {
  std::string all;
  for (const std::vector<Piece> *pieces : {&head_, &parts_[part]})
    for (const Piece &piece : *pieces)
      all.append(*whole_, piece.begin, piece.end - piece.begin) += '\n';
  return all;
}

} // namespace heddle
