// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words for races and misused barriers.
#pragma once

#include "check/finding.h"
#include "check/race/host/host_pages.h"
#include "check/race/host/host_races.h"
#include "check/race/meetings.h"
#include "check/race/races.h"
#include "check/told_memory.h"

namespace heddle::check {

Finding describe(const Conflict &conflict, const ToldMemory &memory);
Finding describe(const HostRace &race, const ToldMemory &memory, const HostPages &shared);
Finding describe(const Misuse &misuse);

} // namespace heddle::check
