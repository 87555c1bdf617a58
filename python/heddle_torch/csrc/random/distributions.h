// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random tensors with the numbers of a GPU: which Philox number an element gets depends on the grid
// that PyTorch would launch, and so on the GPU (its multiprocessors and their threads).
#pragma once

#include "../fallback.h"

namespace heddle::aten {

/// The kernel of a random operation ("aten::uniform_", "aten::native_dropout", …), or null: then
/// its numbers are random, but not a GPU's.
Boxed distribution(const std::string &Name);

} // namespace heddle::aten
