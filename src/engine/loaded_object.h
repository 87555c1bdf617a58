// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which file a code address belongs to, for a signal handler.
#pragma once

#include <cstdint>

namespace heddle::engine {

/// The path of the program or library that `code` lies in, as the loader has it; null if it is in
/// none (code that a program has generated). From glibc 2.35 on it may be called in a signal
/// handler; before, it takes the loader's lock, which a thread in dlopen holds.
const char *loadedObject(uintptr_t code);

} // namespace heddle::engine
