// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What heddle check, compute-sanitizer and cuda-memcheck are asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::cli {

struct CheckOptions {
  bool memory = true, init = false, races = true, sync = true, leaks = false, api = false,
       unused = false;
  bool nvidia = false; // print as compute-sanitizer does
  bool json = false;
  bool host_stacks = true; // in NVIDIA's form
  uint64_t most_reports = 100;
  std::optional<int> error_code; // of the exit, if something was found
  std::string log_file;          // empty: stderr
  std::string json_file, sarif_file, junit_file, suppressions_file,
      written_suppressions;      // or empty
  std::vector<std::string> rest; // sources and options of the compiler, or the program
  std::optional<std::vector<std::string>> program_arguments; // behind --
};

/// Throw UsageError.
CheckOptions parseCheckOptions(const std::vector<std::string> &arguments);
CheckOptions parseSanitizerOptions(const std::vector<std::string> &arguments);

} // namespace heddle::cli
