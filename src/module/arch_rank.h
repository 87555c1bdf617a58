// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which GPU of a list code is made for.
#pragma once

#include <cstdint>

namespace heddle {

/// Clang 19 knows no later GPU. Code for those is compiled as for this one
/// (frontend/command_line/architecture.h).
constexpr uint32_t newest_of_clang = 90;

/// Of several GPUs, as of a program that is to run on all of them, code is made for that of the
/// highest rank: the newest that Clang knows (sm_90), as what is written for later ones only
/// (tcgen05 in CUTLASS) is not there; else the newest. `arch`: __CUDA_ARCH__.
constexpr uint32_t archRank(uint32_t arch) {
  return arch <= newest_of_clang * 10 ? arch + 100000 : arch;
}

} // namespace heddle
