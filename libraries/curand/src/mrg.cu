// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes.h"

namespace heddle::curand {

std::unique_ptr<Sequence> makeMrg() {
  return std::make_unique<LaneSequence<curandStateMRG32k3a_t>>([](curandOrdering_t Ordering) {
    if (Ordering == CURAND_ORDERING_PSEUDO_DYNAMIC)
      return 2048 * multiprocessors();
    return Ordering == CURAND_ORDERING_PSEUDO_LEGACY ? 4096u : 81920u;
  });
}

} // namespace heddle::curand
