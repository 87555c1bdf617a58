// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that a mistyped one may have meant.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::cli {

/// The number of letters to insert, delete or change to make `b` of `a`.
size_t editDistance(const std::string &a, const std::string &b);

/// The `most` nearest of `known`, nearest first.
std::vector<std::string> nearestNames(const std::string &name, std::vector<std::string> known,
                                      size_t most);

} // namespace heddle::cli
