// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared variables whose type has a constructor: `__shared__ cuda::barrier<…> barrier;`.
//
// nvcc warns that the constructor does not run, and leaves the memory as it is; Clang refuses the
// declaration. Which types have such a constructor only Clang knows. So where it has complained,
// the text of the declaration is changed, and the source compiled again:
//
//   __shared__ __heddle_uninitialized<cuda::barrier<…>> barrier__object;
//   auto &barrier = barrier__object.object;
//
// Shared variables that are extern and have a size: `extern __shared__ float tile[16];`. nvcc takes
// the declaration for a definition, and says so; Clang refuses it. The word extern is replaced.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

namespace heddle::frontend {

/// The annotation of a variable that was extern.
inline constexpr const char *was_extern = "heddle.was_extern";

class SharedObjects {
public:
  /// Clang has refused the variable whose name is at `offset` of the file's text, as Clang sees it.
  /// False if its declaration cannot be changed.
  bool add(const std::string &file, const std::string &text, size_t offset);
  /// The same, for one that is extern; the word at `offset` is __shared__.
  bool addExtern(const std::string &file, const std::string &text, size_t offset);
  /// Whether there are new ones since this was asked last: then compiling again may help.
  bool grew();
  /// `text` of the file with the declarations changed, each line where it was; nothing if there are
  /// none in it.
  std::optional<std::string> change(const std::string &file, const std::string &text) const;

private:
  // By file: lines, which changes leave as they are, and names.
  using Words = std::map<std::string, std::set<std::pair<size_t, std::string>>>;
  Words refused_;
  Words extern_; // of these, the word __shared__
  bool grew_ = false;
};

} // namespace heddle::frontend
