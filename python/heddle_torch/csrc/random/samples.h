// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random tensors whose elements' distributions depend on other tensors (probabilities, means), and
// permutations, with the numbers of a GPU.
#pragma once

#include "../fallback.h"

namespace heddle::aten {

/// The kernel of a random operation ("aten::poisson", "aten::multinomial", …), or null.
Boxed sampler(const std::string &Name);

} // namespace heddle::aten
