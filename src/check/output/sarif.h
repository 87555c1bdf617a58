// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings for other tools: SARIF for code scanning, JUnit's XML for test runners.
#pragma once

#include "check/finding.h"

#include <cstdio>

namespace heddle::check {

/// SARIF 2.1.0 (OASIS standard): a log of one run.
void printSarif(std::FILE *file, const std::vector<Finding> &findings);

/// A test suite in which each finding is a test that has failed; without findings, one that has
/// passed.
void printJunit(std::FILE *file, const std::vector<Finding> &findings);

} // namespace heddle::check
