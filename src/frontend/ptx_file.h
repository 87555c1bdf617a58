// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX files as inputs.
#pragma once

#include "frontend/compile.h"

namespace heddle::frontend {

/// The device image of a PTX file. Nothing if it has errors, which have been shown as ptxas words
/// them.
std::optional<CompiledSource> compilePtxToImage(const Options &options, const Input &input);

} // namespace heddle::frontend
