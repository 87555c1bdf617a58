// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of assertions on kernels, for tests: heddle expect, and heddle profile --expect.
//
// A line is `KERNEL METRIC RELATION NUMBER`: a regular expression without spaces that is looked for
// in the kernels' names, a metric by any of its names, `==`, `!=`, `<`, `<=`, `>` or `>=`. It must
// hold for each kernel that it names. Empty lines, and what is behind a #, are comments.
#pragma once

#include "cli/profile/metrics.h"

#include <regex>
#include <string>
#include <vector>

namespace heddle::cli {

struct Expectation {
  std::string text, place; // FILE:LINE
  std::regex kernel;
  const Metric *metric = nullptr;
  std::string relation;
  double number = 0;
};

/// Throws UsageError if the file cannot be read, or a line makes no sense.
std::vector<Expectation> readExpectations(const std::string &path);

/// A sentence for each that does not hold.
std::vector<std::string> brokenExpectations(const std::vector<Expectation> &expectations,
                                            const profile::Profile &profile);

} // namespace heddle::cli
