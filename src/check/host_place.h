// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where in the host's program a call of CUDA came from.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace heddle::check {

/// A call of the library by the program. Plain data, cheap to note; null where it is not known.
struct HostPlace {
  const char *function = nullptr;        // the library's: "cudaMalloc"
  std::array<uintptr_t, 8> callers = {}; // in the program's code, the innermost first
  bool by_library = false;               // another one of Heddle's called for the program
};

/// The call that this thread is in.
HostPlace callerOfLibrary();

/// "fill at prog.cu:4, called from main at prog.cu:12", up to main and at most four calls, or as
/// far as the program's debug information tells; or empty.
std::string describe(const HostPlace &place);

} // namespace heddle::check
