// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings that are known and not to be reported: a JSON file of patterns.
#pragma once

#include "check/finding.h"

namespace heddle::check {

/// Patterns as the shell's, with * and ?; an empty one fits everything.
struct Suppression {
  std::string kind, file, kernel, variable;
  bool covers(const Finding &finding) const;
};

/// Throws std::runtime_error with a message for people.
std::vector<Suppression> readSuppressions(const std::string &path);
/// A file that suppresses these findings and those like them. Throws std::runtime_error.
void writeSuppressions(const std::string &path, const std::vector<Finding> &findings);

} // namespace heddle::check
