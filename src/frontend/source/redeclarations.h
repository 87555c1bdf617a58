// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are declared once as __host__ __device__ and once as less:
//
//   __host__ __device__ int twice(int x);
//   int twice(int x) { return 2 * x; }
//
// To nvcc all are __host__ __device__ (its warning 20036); Clang takes them for two functions and
// refuses. Where it has complained, __host__ __device__ is written before both declarations, and
// the source compiled again.
//
// So are words in templates that nvcc, which reads a body when it is instantiated, does not miss:
//
//   typename T::name<int> x;      typename T::template name<int> x;
//   value.call<true>(x);          value.template call<true>(x);
//   auto y = T::type(x);          auto y = typename T::type(x);
//   call(x);                      this->call(x);     of a base class that is a member of T
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace heddle::frontend {

class Redeclarations {
public:
  /// Clang has named the function whose name is at `offset` of the file's text, as Clang sees it.
  /// False if its declaration cannot be changed.
  bool add(const std::string &file, const std::string &text, size_t offset);
  /// Words in templates that Clang misses before a name.
  enum class Word { none, template_name, member_template, type_name, this_object };
  /// The same for such a word before the name at `offset`. False if it cannot stand there.
  bool add(const std::string &file, const std::string &text, size_t offset, Word word);
  /// Whether there are new ones since this was asked last: then compiling again may help.
  bool grew();
  /// `text` of the file with the declarations changed, each line where it was; nothing if there are
  /// none in it.
  std::optional<std::string> change(const std::string &file, const std::string &text) const;

private:
  struct Name {
    size_t line; // which changes leave as it is
    std::string text;
    Word word; // none: a declaration's name
    auto operator<=>(const Name &) const = default;
  };
  std::map<std::string, std::set<Name>> named_; // by file
  bool grew_ = false;
};

} // namespace heddle::frontend
