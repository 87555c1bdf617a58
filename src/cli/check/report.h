// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What heddle check has found, as text or JSON.
#pragma once

#include "check/finding.h"

#include <cstdio>

namespace heddle::cli {

/// `most`: so many findings are told; a line says how many more there are.
void printReport(std::FILE *file, const std::vector<check::Finding> &findings, uint64_t most);
/// In the form of NVIDIA's compute-sanitizer.
void printSanitizerReport(std::FILE *file, const std::vector<check::Finding> &findings,
                          uint64_t most, bool host_stacks);
/// One line.
void printJson(std::FILE *file, const std::vector<check::Finding> &findings, uint64_t most,
               int program_exit_code);

} // namespace heddle::cli
