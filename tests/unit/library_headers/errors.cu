// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each of these is refused by the compiler, with words of ours.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void kernel() {
#ifdef WIDE_TILE
  cg::tiled_partition<2048>(cg::this_thread_block()).sync();
#endif
#ifdef ODD_TILE
  cg::tiled_partition<12>(cg::this_thread_block()).sync();
#endif
#ifdef MULTI_GRID
  cg::this_multi_grid();
#endif
}
