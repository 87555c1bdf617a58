// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `ptx` command of heddle-jit.
#pragma once

namespace heddle::engine {

/// Compiles the texts in `input` (packed by engine/code/ptx_text.cpp) and writes the image to
/// `output`. Returns the program's exit status: 0; 1 for invalid text, 3 for PTX that is too new, 4
/// for missing functions, each with a log on stdout; 2 for anything else.
int compilePtxTexts(const char *input, const char *output);

} // namespace heddle::engine
