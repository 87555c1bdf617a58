// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference engine: runs a launch by giving every thread a fiber.
//
// It defines what is right: scalar code, one thread at a time in ascending order, each block on one
// worker of the pool. Simple enough to be believed.
#pragma once

#include "engine/abi.h"
#include "engine/launch.h"

#include <optional>

namespace heddle::engine::reference {

std::optional<Fault> runGrid(const Launch &launch, const KernelEntryInfo &code);

} // namespace heddle::engine::reference
