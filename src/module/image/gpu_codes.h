// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For which GPUs nvcc would have put code into a program, and which GPUs run such a program.
//
// A code is named as nvcc names it: machine code for a GPU ("sm_80"), or PTX for it and later ones
// ("compute_80"); with the suffix a for this GPU alone, f for its family. Heddle's device code runs
// everywhere; the list is kept so that a program that works here works on that GPU.
#pragma once

#include <span>
#include <string>

namespace heddle {

/// Whether a GPU of compute capability `capability` (75: 7.5) runs a program with these codes. None
/// at all: every GPU does. `only_ptx`: machine code does not count.
bool runsOnGpu(std::span<const std::string> codes, unsigned capability, bool only_ptx = false);

} // namespace heddle
