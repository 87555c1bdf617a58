// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What heddle profile is asked.
#pragma once

#include "cli/profile/metrics.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::cli {

struct ProfileOptions {
  bool lines = false, csv = false, json = false;
  bool tables = true, findings = true; // in the text
  std::string kernel;                  // a regular expression; empty: all
  std::optional<uint64_t> launch;      // from 1 on
  std::vector<const Metric *> metrics; // empty: findings instead
  std::string report;                  // a file for the text; empty: stderr
  std::string trace;                   // a file; or empty
  std::string html;                    // likewise
  std::string gpu;                     // empty: as HEDDLE_GPU says
  bool from_api = false;               // only between cudaProfilerStart and cudaProfilerStop
  bool caches = false;                 // are modelled
  std::string expect;                  // a file of expectations.h; or empty
  std::vector<std::string> rest;       // sources and options of the compiler, or the program
  std::optional<std::vector<std::string>> program_arguments; // behind --
};

/// Throws UsageError.
ProfileOptions parseProfileOptions(const std::vector<std::string> &arguments);

} // namespace heddle::cli
