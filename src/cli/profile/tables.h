// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The summaries that nvprof and nsys print: calls, operations on memory, kernels.
#pragma once

#include "profile/data.h"

#include <cstdio>

namespace heddle::cli {

/// A row: events of one name.
struct SummaryRow {
  std::string name;
  uint64_t count = 0, total = 0, bytes = 0; // nanoseconds
  double percent = 0;                       // of the table's time
  uint64_t average = 0, median = 0, least = 0, most = 0;
};

enum class Summary { Calls, Memory, Kernels };

/// Those with most time first.
std::vector<SummaryRow> summaryOf(const profile::Profile &profile, Summary which);

/// Makes the row's numbers from its events' times.
void addTimes(SummaryRow &row, std::vector<uint64_t> &times);

void printTables(std::FILE *file, const profile::Profile &profile);

/// "1.234ms"
std::string timeText(uint64_t nanoseconds);
/// "1.50 MB"
std::string bytesText(uint64_t bytes);

} // namespace heddle::cli
