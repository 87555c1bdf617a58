// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle-jit's work on PTX text.
#pragma once

namespace heddle::engine {

/// Writes the image of the texts in `input` (engine/ptx_text.cpp packs them) to `output`. Gives the
/// program's exit status: 0; 1 for invalid text, 3 for PTX that is too new, 4 for functions that
/// are missing, with a log on stdout; 2 for anything else.
int compilePtxTexts(const char *input, const char *output);

} // namespace heddle::engine
