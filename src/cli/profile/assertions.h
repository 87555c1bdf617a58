// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions in comments of sources: `// heddle: bank_conflicts == 0`.
//
// Behind code, one is about its line; on a line of its own, about the kernel that follows. So a
// teacher can grade, and a test guard, what a kernel costs.
#pragma once

#include "profile/data.h"

#include <string>
#include <vector>

namespace heddle::cli {

/// Whether a relation (`==`, `!=`, `<`, `<=`, `>`, `>=`) holds.
bool holds(double value, const std::string &relation, double number);

/// A sentence for each that does not hold, or makes no sense. Looks through the files that kernels'
/// code is from.
std::vector<std::string> brokenAssertions(const profile::Profile &profile);

} // namespace heddle::cli
