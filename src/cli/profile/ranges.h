// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVTX ranges: their table, and which kernels were launched in them.
//
// A kernel belongs to a range if the call that asked for it began in it: on the same thread for
// ranges that are pushed and popped, on any thread for started ones.
#pragma once

#include "cli/profile/tables.h"

#include <memory>
#include <string>
#include <vector>

namespace heddle::cli {

/// Ranges of one name and one kind.
struct RangeRow : SummaryRow {
  std::string style; // "PushPop" or "StartEnd"
  uint64_t kernels = 0, kernel_time = 0;
};

/// Those with most time first. A name is "domain:name", of the default domain just the name. Of
/// `kind` ("range" or "started_range") only; empty: of both.
std::vector<RangeRow> rangesOf(const profile::Profile &profile, const std::string &kind = "");

void printRanges(std::FILE *file, const profile::Profile &profile);

/// Ranges as Nsight Compute's --nvtx-include describes them.
///
/// `NAME,NAME` names started ranges, all of which must hold the launch. With one of `/`, `[` and
/// `]` it is about the stack of pushed ranges: `A/B` is B directly within A, `A/*/B` with any
/// ranges between them, `A/` or `/A` any A; `[A` is at the bottom of the stack, `A]` at its top. In
/// front, `DOMAIN@` names a domain (else the default one). Names may begin with `regex:`; a
/// backslash takes a letter's meaning from it.
class RangeExpression {
public:
  /// Throws UsageError.
  explicit RangeExpression(const std::string &text);
  RangeExpression(RangeExpression &&) noexcept;
  RangeExpression &operator=(RangeExpression &&) noexcept;
  ~RangeExpression();
  /// Whether the call was made in such ranges.
  bool holds(const profile::Profile &profile, uint64_t call) const;

private:
  struct Parsed;
  std::unique_ptr<Parsed> parsed_;
};

} // namespace heddle::cli
