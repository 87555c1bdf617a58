// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rtc/compiler/typed_pointers.h"

#include <cctype>
#include <optional>

namespace heddle::rtc {
namespace {

bool isNameLetter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' ||
         c == '-';
}

// Copies the text, and where a type stands, rewrites it. A type is found by its first word; that a
// word is a type's is certain in LLVM's language, but for names (with a sigil before them), strings
// and comments, which are copied.
class Rewriter {
public:
  explicit Rewriter(std::string_view text) : text_(text) {}

  std::string rewrite() {
    while (at_ < text_.size())
      copyOne();
    return std::move(out_);
  }

private:
  bool starts(std::string_view word, size_t at) const {
    return text_.substr(at, word.size()) == word;
  }

  // The end of the quoted string or the name that begins at `at`.
  size_t endOfQuoted(size_t at) const {
    const size_t end = text_.find('"', at + 1);
    return end == std::string_view::npos ? text_.size() : end + 1;
  }
  size_t endOfName(size_t at) const {
    if (at < text_.size() && text_[at] == '"')
      return endOfQuoted(at);
    while (at < text_.size() && isNameLetter(text_[at]))
      ++at;
    return at;
  }
  size_t endOfBlanks(size_t at) const {
    while (at < text_.size() && std::isspace(static_cast<unsigned char>(text_[at])))
      ++at;
    return at;
  }

  void copyTo(size_t end) {
    out_ += text_.substr(at_, end - at_);
    at_ = end;
  }

  void copyOne() {
    const char c = text_[at_];
    if (c == ';')
      return copyTo(std::min(text_.find('\n', at_), text_.size()));
    if (c == '"')
      return copyTo(endOfQuoted(at_));
    if (c == '@' || c == '!' || c == '#')
      return copyTo(std::max(endOfName(at_ + 1), at_ + 1));
    if (auto type = readType(at_)) {
      out_ += type->text;
      at_ = type->end;
      if (!type->pointee.empty())
        nameAttributeTypes(type->pointee);
      return;
    }
    if (isNameLetter(c))
      return copyTo(endOfName(at_));
    copyTo(at_ + 1);
  }

  // `i8* byval align 8 %x`: the attributes behind a parameter's type.
  void nameAttributeTypes(const std::string &pointee) {
    while (true) {
      const size_t word = endOfBlanks(at_), end = endOfName(word);
      if (end == word || std::isdigit(static_cast<unsigned char>(text_[word])))
        return;
      const std::string_view attribute = text_.substr(word, end - word);
      static constexpr std::string_view known[] = {
          "byval",    "sret",      "inalloca", "noalias",  "nocapture",      "readonly",
          "readnone", "nonnull",   "noundef",  "align",    "signext",        "zeroext",
          "inreg",    "writeonly", "nest",     "returned", "dereferenceable"};
      bool is_known = false;
      for (const std::string_view name : known)
        is_known |= name == attribute;
      if (!is_known)
        return;
      copyTo(end);
      const bool typed = end < text_.size() && text_[end] == '(';
      if ((attribute == "byval" || attribute == "sret" || attribute == "inalloca") && !typed)
        out_ += "(" + pointee + ")";
      if (attribute == "align")
        copyTo(endOfName(endOfBlanks(at_)));
      if (attribute == "dereferenceable" && typed)
        copyTo(std::min(text_.find(')', at_), text_.size() - 1) + 1);
    }
  }

  struct Type {
    std::string text;
    size_t end;
    std::string pointee; // of the outermost pointer
  };

  // A type with all that follows it: addrspace(1)*, (i32, i8*)*, *.
  std::optional<Type> readType(size_t at) const {
    if (depth_ > 200)
      return std::nullopt; // deeper than any program; LLVM's parser may complain
    ++depth_;
    std::optional<Type> type = readBase(at);
    bool is_pointer = false;
    while (type && takeSuffix(*type, is_pointer))
      ;
    --depth_;
    // A single name that is no pointer is left to be copied: `%x` may be a value.
    if (type && !is_pointer && text_[at] == '%')
      return depth_ ? type : std::nullopt;
    return type;
  }

  bool takeSuffix(Type &type, bool &is_pointer) const {
    size_t next = endOfBlanks(type.end);
    if (starts("*", next)) {
      type = {"ptr", next + 1, type.text};
      return is_pointer = true;
    }
    if (starts("addrspace(", next)) {
      const size_t close = text_.find(')', next);
      if (close == std::string_view::npos)
        return false;
      const size_t star = endOfBlanks(close + 1);
      if (!starts("*", star))
        return false;
      type = {"ptr " + std::string(text_.substr(next, close + 1 - next)), star + 1, type.text};
      return is_pointer = true;
    }
    // A function's type counts only with the pointer behind it, or before a callee's name: else it
    // is the list of a function's own parameters.
    if (starts("(", next)) {
      auto list = readList(next, '(', ')');
      if (!list)
        return false;
      const size_t after = endOfBlanks(list->end);
      const bool is_type = starts("*", after) || starts("@", after) || starts("%", after) ||
                           (starts("addrspace(", after) && false);
      if (!is_type)
        return false;
      type = {type.text + " " + list->text, list->end, ""};
      return true;
    }
    return false;
  }

  std::optional<Type> readBase(size_t at) const {
    if (at >= text_.size())
      return std::nullopt;
    const char c = text_[at];
    if (c == '{')
      return readList(at, '{', '}');
    if (c == '<' && starts("<{", at)) {
      auto inside = readList(at + 1, '{', '}');
      if (!inside || !starts(">", inside->end))
        return std::nullopt;
      return Type{"<" + inside->text + ">", inside->end + 1, ""};
    }
    if (c == '[' || c == '<')
      return readArray(at, c == '[' ? ']' : '>');
    if (c == '%') {
      const size_t end = endOfName(at + 1);
      return Type{std::string(text_.substr(at, end - at)), end, ""};
    }
    if (at > 0 && (isNameLetter(text_[at - 1]) || text_[at - 1] == '%'))
      return std::nullopt;
    const size_t end = endOfName(at);
    const std::string word(text_.substr(at, end - at));
    if (!isTypeWord(word))
      return std::nullopt;
    return Type{word, end, ""};
  }

  static bool isTypeWord(const std::string &word) {
    if (word.size() > 1 && word[0] == 'i' &&
        word.find_first_not_of("0123456789", 1) == std::string::npos)
      return true;
    for (const char *known : {"void", "half", "bfloat", "float", "double", "fp128", "ptr",
                              "metadata", "label", "token"})
      if (word == known)
        return true;
    return false;
  }

  // [4 x i8*] or <2 x i8*>
  std::optional<Type> readArray(size_t at, char close) const {
    size_t next = endOfBlanks(at + 1);
    const size_t digits = next;
    while (next < text_.size() && std::isdigit(static_cast<unsigned char>(text_[next])))
      ++next;
    const size_t cross = endOfBlanks(next);
    if (next == digits || !starts("x", cross))
      return std::nullopt;
    const auto element = readType(endOfBlanks(cross + 1));
    if (!element)
      return std::nullopt;
    const size_t end = endOfBlanks(element->end);
    if (end >= text_.size() || text_[end] != close)
      return std::nullopt;
    return Type{text_[at] + std::string(text_.substr(digits, next - digits)) + " x " +
                    element->text + close,
                end + 1, ""};
  }

  // (i32, i8*, ...) or { i32, i8* }: types and nothing else.
  std::optional<Type> readList(size_t at, char open, char close) const {
    std::string list(1, open);
    size_t next = endOfBlanks(at + 1);
    while (next < text_.size() && text_[next] != close) {
      if (starts("...", next)) {
        list += "...";
        next = endOfBlanks(next + 3);
        continue;
      }
      const auto element = readType(next);
      if (!element)
        return std::nullopt;
      list += element->text;
      next = endOfBlanks(element->end);
      if (starts(",", next)) {
        list += ", ";
        next = endOfBlanks(next + 1);
      } else if (next < text_.size() && text_[next] != close) {
        return std::nullopt;
      }
    }
    if (next >= text_.size())
      return std::nullopt;
    return Type{list + close, next + 1, ""};
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string out_;
  mutable unsigned depth_ = 0;
};

} // namespace

std::string withOpaquePointers(std::string_view text) {
  if (text.find('*') == std::string_view::npos)
    return std::string(text);
  return Rewriter(text).rewrite();
}

} // namespace heddle::rtc
