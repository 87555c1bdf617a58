// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a device's multiprocessors (CUDA C++ Programming Guide, "Green Contexts"): into how many
// parts of which size they can be divided. Multiprocessors that hold a cluster together are not
// parted, so sizes are multiples of the architecture's alignment.
#pragma once

#include "gpu/gpu.h"

#include <optional>

namespace heddle {

/// In which pieces multiprocessors are handed out.
struct Grain {
  unsigned least = 1, alignment = 1;
};

/// `alone`: each multiprocessor by itself, which rules out large clusters; `largest_clusters`: in
/// parts that hold the largest cluster.
Grain grainOf(const gpu::Gpu &gpu, bool alone = false, bool largest_clusters = false);

struct Division {
  unsigned groups = 0, each = 0, remaining = 0;
};

/// The groups of at least `wanted` of `all` multiprocessors, `most` groups at most. Nothing if not
/// even one fits.
std::optional<Division> divide(unsigned all, unsigned wanted, const Grain &grain, unsigned most);

} // namespace heddle
