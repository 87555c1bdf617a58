// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fat binaries of nvcc's as inputs of a link: by themselves, in object files, in libraries.
#pragma once

#include "module/ptx/module/compile.h"

#include <string>
#include <vector>

namespace heddle::rtc {

/// The PTX of all fat binaries in `bytes`, a text for each, for a GPU of this compute capability
/// (75: 7.5). Empty if there are none. Throws std::runtime_error if one is broken or has no PTX.
std::vector<PtxText> textsOfFatBinaries(const std::string &bytes, const std::string &name,
                                        unsigned capability);

} // namespace heddle::rtc
