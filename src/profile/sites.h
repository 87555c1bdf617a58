// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a launch's counters to a kernel's blocks, branches and accesses with their places.
#pragma once

#include "engine/observe/counts.h"
#include "profile/data.h"

namespace heddle::profile {

/// Adds them to the kernel.
void addSites(const engine::observe::LaunchCounts &counts, Kernel &kernel);

} // namespace heddle::profile
