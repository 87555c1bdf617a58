// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks that the device library (devicelib/texture_entry.h) leaves where textures are fetched from
// and surfaces accessed: by then, nothing else says what the program has asked for. heddle profile
// counts them (engine/compiler/instrument/counts.h); for all else they are removed.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle {

/// void (i64 handle, i32 what, i32 x, i32 y, i32 z, i32 layer, float level): texture::Fetch says
/// what they are.
inline constexpr llvm::StringLiteral fetch_mark = "__heddle_fetch";

/// Says that marks access nothing of the program's, so that they are in the way of few
/// optimisations.
void describeFetchMarks(llvm::Module &module);
void removeFetchMarks(llvm::Module &module);

} // namespace heddle
