// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches with thread block clusters.
#pragma once

#include "engine/launch.h"

namespace heddle::engine {

/// As run(launch). The grid is a multiple of the cluster, of at most 16 blocks, whose blocks run
/// beside each other.
std::optional<Fault> runClusters(const Launch &launch, const Dim3 &cluster);

} // namespace heddle::engine
