// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profile as text, CSV, and as a trace for Chrome or Perfetto.
#pragma once

#include "cli/profile/options.h"
#include "profile/data.h"

#include <cstdio>
#include <nlohmann/json_fwd.hpp>

namespace heddle::cli {

/// The tables and, for each kernel, findings, chosen metrics or lines.
void printProfile(std::FILE *file, const profile::Profile &profile, const ProfileOptions &options);

/// A row for each kernel and metric: all of them, if none is chosen.
void printCsv(std::FILE *file, const profile::Profile &profile, const ProfileOptions &options);

/// Adds what people ask for to the profile's own JSON: the metrics of each kernel.
nlohmann::json jsonOf(const profile::Profile &profile);
void printProfileJson(std::FILE *file, const profile::Profile &profile);

/// Chrome's trace event format: streams and threads as tracks. Throws std::runtime_error.
void writeTrace(const std::string &path, const profile::Profile &profile);

} // namespace heddle::cli
