// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes.h"

namespace heddle::curand {

// 4096 lanes: subsequences, or in the seeded ordering sequences of other seeds. The dynamic
// ordering has 64 lanes for every three multiprocessors, as an H100 and an H200 do.
std::unique_ptr<Sequence> makeXorwow() {
  return std::make_unique<LaneSequence<curandStateXORWOW_t>>([](curandOrdering_t Ordering) {
    return Ordering == CURAND_ORDERING_PSEUDO_DYNAMIC ? std::max(1u, 64 * multiprocessors() / 3)
                                                      : 4096u;
  });
}

} // namespace heddle::curand
