// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where in the host's program a call of CUDA came from.
#pragma once

#include "check/finding.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::check {

/// A call of the library by the program. Plain data, cheap to note; null where it is not known.
struct HostPlace {
  const char *function = nullptr;        // the library's: "cudaMalloc"
  std::array<uintptr_t, 8> callers = {}; // in the program's code, the innermost first
  uint32_t python = 0;                   // the Python code that called (python_place.h), if any did
  bool by_library = false;               // another one of Heddle's called for the program
};

/// The call that this thread is in.
HostPlace callerOfLibrary();

/// An instruction that a signal has interrupted in this thread: the program's code that it belongs
/// to, or that has called a function of the C or C++ library. `by_library`: it is the CUDA
/// library's own. For signal handlers.
HostPlace placeOfInstruction(uintptr_t code);

/// The calls, the innermost first, up to main and at most four, or as far as the program's debug
/// information tells. Without it, one place of which the function's name is known, or
/// program+offset, and no line.
std::vector<Place> placesOf(const HostPlace &place);
/// The same in words: "fill at prog.cu:4, called from main at prog.cu:12"; or empty.
std::string describe(const HostPlace &place);

} // namespace heddle::check
