// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heddle's device code in a fat binary of NVIDIA's form: nvFatbin puts it there.
#pragma once

#include <cstddef>
#include <string>

namespace heddle {

/// The code, a cubin's or LTO-IR, in the fat binary at `data` that suits a GPU of compute
/// capability `capability` (75: 7.5) best. Empty if there is none, or if there is PTX that suits
/// better. Throws like codesOfFatBinary (nvidia_fat_binary.h).
std::string ownCodeIn(const void *data, size_t limit, unsigned capability);

} // namespace heddle
