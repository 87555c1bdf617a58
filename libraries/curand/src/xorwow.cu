// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes.h"

namespace heddle::curand {

std::unique_ptr<Sequence> makeXorwow() {
  return std::make_unique<LaneSequence<curandStateXORWOW_t>>(
      [](curandOrdering_t) { return 4096u; });
}

} // namespace heddle::curand
