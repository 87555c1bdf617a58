// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where Python code calls CUDA (engine/observe/python_frames.h). The GIL is taken as the call
// begins, before this library holds a lock that a thread with the GIL could wait for; calls that
// PyTorch's allocator makes under a lock of its own never wait for it.
#pragma once

#include "check/finding.h"

#include <cstdint>
#include <vector>

namespace heddle::check {

/// If there is Python in the process, calls of the program's are followed from now on. When the
/// process starts.
void followPython();

/// Of the call of CUDA that this thread is in; 0: no Python code has called, or it is not known.
uint32_t pythonPlace();

/// The calls, the innermost first. `number`: from pythonPlace, not 0.
std::vector<Place> pythonPlaces(uint32_t number);

} // namespace heddle::check
