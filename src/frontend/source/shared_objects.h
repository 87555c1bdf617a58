// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared variables whose type has a constructor: `__shared__ cuda::barrier<…> barrier;`.
//
// nvcc warns that the constructor does not run, and leaves the memory as it is; Clang refuses the
// declaration. Which types have such a constructor only Clang knows. So where it has complained,
// the text of the declaration is changed, and the source compiled again:
//
//   __shared__ __heddle_uninitialized<cuda::barrier<…>> barrier__object;
//   auto &barrier = barrier__object.object;
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

namespace heddle::frontend {

class SharedObjects {
public:
  /// Clang has refused the variable whose name is at `offset` of the file's text, as Clang sees it.
  /// False if its declaration cannot be changed.
  bool add(const std::string &file, const std::string &text, size_t offset);
  /// Whether there are new ones since this was asked last: then compiling again may help.
  bool grew();
  /// `text` of the file with the declarations changed, each line where it was; nothing if there are
  /// none in it.
  std::optional<std::string> change(const std::string &file, const std::string &text) const;

private:
  // By file: lines, which changes leave as they are, and names.
  std::map<std::string, std::set<std::pair<size_t, std::string>>> refused_;
  bool grew_ = false;
};

} // namespace heddle::frontend
