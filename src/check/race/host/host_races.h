// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host code that accesses what work which the host does not know to be done has accessed.
#pragma once

#include "check/host_place.h"
#include "check/race/marks/runs.h"
#include "check/race/marks/shadow.h"

#include <array>
#include <span>

namespace heddle::check {

struct HostRace {
  HostPlace host;
  bool writes = false; // host code does
  uint64_t address = 0;
  const engine::observe::Site *site = nullptr; // of the work's access
  ThreadPlace thread;
};

/// Whether the access races with one by work; if so, `race` is all but `host`. An atomic or
/// volatile access of a kernel's races with none: host code may poll what it writes. Allocates
/// nothing.
bool findHostRace(const engine::observe::HostAccess &access, const Shadow &shadow, const Runs &runs,
                  HostRace &race);

/// Those that have been found, each pair of places once. Allocates nothing. Not thread-safe.
class HostRaces {
public:
  void add(const HostRace &race);
  std::span<const HostRace> all() const { return {races_.data(), count_}; }

private:
  static constexpr size_t most = 256; // further ones are not told
  std::array<HostRace, most> races_;
  size_t count_ = 0;
};

} // namespace heddle::check
