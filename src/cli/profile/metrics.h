// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics of heddle profile: names, meaning, and how each follows from counts
// (docs/metrics.md).
#pragma once

#include "profile/data.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::cli {

/// What a kernel, or a line of it, has counted, added up.
struct Totals {
  static constexpr size_t spaces = engine::observe::known_spaces, kinds = 3;
  uint64_t warps = 0, threads = 0, warps_diverged = 0; // of a kernel only
  uint64_t dram_written = 0;                           // likewise
  uint64_t warp_instructions[engine::observe::instruction_classes] = {};
  uint64_t thread_instructions[engine::observe::instruction_classes] = {};
  uint64_t lanes = 0; // of the warp's instructions, active or not
  uint64_t branches = 0, divergent = 0, warps_diverging = 0;
  uint64_t jumps = 0, divergent_jumps = 0; // of these, those that are branches in a GPU's code
  uint64_t accesses[spaces][kinds][engine::observe::access_histogram] = {};
  uint64_t bytes[spaces][kinds] = {}; // asked for by threads
};

void add(Totals &totals, const profile::Access &access);
void add(Totals &totals, const Totals &more);
Totals totalsOf(const profile::Kernel &kernel);
/// Of each line of a file with counts, in order.
struct LineTotals {
  std::string file;
  uint32_t line = 0;
  Totals totals;
};
std::vector<LineTotals> linesOf(const profile::Kernel &kernel);

struct Metric {
  const char *name;
  const char *nsight; // Nsight Compute's name, or null
  const char *nvprof; // nvprof's metric or event, or null
  const char *unit;   // "" for plain numbers
  const char *what;   // for people
  double (*value)(const Totals &);
  bool of_caches = false; // known if these are modelled
};

const std::vector<Metric> &metrics();

/// By any of its names. Throws UsageError with the nearest names if there is none.
/// By any of its names. One name may be a metric's of ours and another's of NVIDIA's: `nvidias`
/// tells which is meant.
const Metric &findMetric(const std::string &name, bool nvidias = false);

/// A number as people read it: whole where it is, else with two decimals.
std::string numberText(double value);

} // namespace heddle::cli
