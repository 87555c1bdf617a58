// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Union and find for connected regions: a label is the number of a pixel of the same region, and
// the first pixel of a region labels itself.
#pragma once

#include "pixels.h"

namespace heddle::npp {

// Other threads may unite regions meanwhile.
__device__ inline unsigned labelOf(const unsigned *labels, unsigned i) {
  return __atomic_load_n(&labels[i], __ATOMIC_RELAXED);
}

__device__ inline unsigned find(const unsigned *labels, unsigned i) {
  for (unsigned next = labelOf(labels, i); next != i; next = labelOf(labels, i))
    i = next;
  return i;
}

__device__ inline void unite(unsigned *labels, unsigned a, unsigned b) {
  for (;;) {
    a = find(labels, a);
    b = find(labels, b);
    if (a == b)
      return;
    const unsigned least = min(a, b), most = max(a, b);
    const unsigned before = atomicMin(&labels[most], least);
    if (before == most)
      return;
    // Another thread was faster: `most` belongs to `before` now, too.
    a = before;
    b = least;
  }
}

// Neighbours in reading order before a pixel: left, above, and above it to the left and right.
__device__ inline bool neighbour(int k, int x, int y, int width, int &nx, int &ny) {
  nx = x + (k == 0 ? -1 : k == 1 ? 0 : k == 2 ? -1 : 1);
  ny = y - (k > 0);
  return nx >= 0 && nx < width && ny >= 0;
}

} // namespace heddle::npp
