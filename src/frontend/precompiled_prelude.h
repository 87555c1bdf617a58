// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The prelude of .cu files (include/__heddle/prelude.h), precompiled.
//
// Each .cu file begins with what cuda_runtime.h and the math headers declare, once for the device
// and once for the host: most of the time that Clang takes for a small program. Clang's precompiled
// header of it is kept in the cache, one for each set of options that it depends on. A source is
// compiled without it where it would not be what the source would read: a folder of the program's
// has a header of the same name, or a header has changed since.
#pragma once

#include "frontend/command_line/options.h"
#include "frontend/diagnostics.h"

#include "clang/Frontend/CompilerInstance.h"

#include <functional>
#include <string>

namespace heddle::frontend {

/// The text of a header after Clang has precompiled it, by an instance that is prepared to read it.
/// Empty if it has errors. Throws std::runtime_error if the temporary folder cannot be written.
std::string precompile(clang::CompilerInstance &instance);

/// Lets `instance`, which is prepared to compile a .cu file with these options, take the prelude
/// from the cache, where it is put first if need be. False if it will read the headers instead.
bool usePrecompiledPrelude(clang::CompilerInstance &instance, const Options &options);

/// One compilation of a source: whether it had no errors, and whether it took the prelude.
struct Attempt {
  bool good = false, took_prelude = false;
};

/// Compiles with the prelude if that may be, and a source that has errors then once more without
/// it: Clang says other things where it knows all names of a precompiled header ("did you mean").
/// Returns whether there are no errors; only the last attempt's messages are shown.
bool compileWithPrelude(ShownMessages &shown,
                        const std::function<Attempt(ShownMessages &, bool may_take)> &attempt);

/// The name of the prelude, as -include has it.
extern const char *const prelude_header;

} // namespace heddle::frontend
