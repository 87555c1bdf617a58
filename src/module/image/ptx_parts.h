// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divides a long PTX text into parts that are compiled by themselves, when one of their kernels is
// first used: libraries' texts have hundreds of kernels, of which a program uses a few.
//
// A part is one kernel with the functions and variables that it reaches. Kernels that reach the
// same variable, or each other, are in one part, as there must be one such variable; variables that
// no kernel reaches are a part, too. Bodies are only looked through for names, so that 36 MB take a
// fraction of a second.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heddle {

class PtxParts {
public:
  /// Nothing if there would be one part, or if the text has managed variables or forms that are not
  /// understood here: then it is to be compiled whole, which also tells what is wrong with it.
  static std::optional<PtxParts> divide(std::shared_ptr<const std::string> text);

  size_t count() const { return parts_.size(); }
  /// The names of all kernels, in the text's order.
  const std::vector<std::string_view> &kernels() const { return kernels_; }
  /// The part that defines a kernel or a variable. Nothing if none does.
  std::optional<size_t> find(std::string_view name) const;
  /// A text of its own, with the first lines of the whole one.
  std::string text(size_t part) const;

private:
  struct Piece {
    size_t begin, end;
  };
  PtxParts() = default;
  friend class PtxDivider;

  std::shared_ptr<const std::string> whole_; // what all names point into
  std::vector<Piece> head_;                  // version, target, files: what belongs to each part
  std::vector<std::vector<Piece>> parts_;
  std::vector<std::string_view> kernels_;
  std::unordered_map<std::string_view, size_t> part_of_;
};

} // namespace heddle
