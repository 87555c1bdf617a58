// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are declared once as __host__ __device__ and once as less:
//
//   __host__ __device__ int twice(int x);
//   int twice(int x) { return 2 * x; }
//
// To nvcc all are __host__ __device__ (its warning 20036); Clang takes them for two functions and
// refuses. Where it has complained, __host__ __device__ is written before both declarations, and
// the source compiled again. So is `template` before the name in `typename T::name<int>`, which
// nvcc does not miss.
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
  /// The same for a template's name that lacks `template`. False if it is not in a typename.
  bool addTemplate(const std::string &file, const std::string &text, size_t offset);
  /// Whether there are new ones since this was asked last: then compiling again may help.
  bool grew();
  /// `text` of the file with the declarations changed, each line where it was; nothing if there are
  /// none in it.
  std::optional<std::string> change(const std::string &file, const std::string &text) const;

private:
  struct Name {
    size_t line; // which changes leave as it is
    std::string text;
    bool is_template;
    auto operator<=>(const Name &) const = default;
  };
  std::map<std::string, std::set<Name>> named_; // by file
  bool grew_ = false;
};

} // namespace heddle::frontend
