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

/// One group that is to be made (CUDA runtime API, cudaDevSmResourceSplit).
struct GroupRequest {
  unsigned count = 0;       // 0: as many as are left
  unsigned coscheduled = 0; // in pieces of so many, which hold a cluster; 0: the alignment
  unsigned preferred = 0;   // pieces that are joined to larger ones where that can be
  bool backfill = false;    // what is missing need not be in pieces

  unsigned piece(const Grain &grain) const;
};

/// Whether there are such groups of `all` multiprocessors.
bool isGroup(const gpu::Gpu &gpu, const GroupRequest &request, unsigned all);

/// How many of the `left` ones the group has; nothing if it cannot be had. 0 only of a group that
/// takes what is left.
std::optional<unsigned> groupSize(const GroupRequest &request, const Grain &grain, unsigned left);

} // namespace heddle
