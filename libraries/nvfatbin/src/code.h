// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kinds of code are given, as far as nvFatbin looks into them.
#pragma once

#include "api.h"
#include "container.h"

namespace heddle::fatbin {

/// The version that the text says; nothing if it says none.
std::optional<std::pair<uint16_t, uint16_t>> ptxVersion(std::string_view text);

/// A cubin of Heddle's, an image or code that is to be linked, or machine code of a GPU, which
/// Heddle does not run: that one must be for the architecture.
nvFatbinResult checkCubin(std::string_view code, const Arch &arch);

/// Heddle's LTO-IR.
bool isLtoIr(std::string_view code);

} // namespace heddle::fatbin
