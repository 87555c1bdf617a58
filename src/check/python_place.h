// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where Python code calls CUDA, in a process with CPython 3.9 or later in it.
//
// Frames are read through Python's own functions, found by name when the process starts, so that
// no version of Python is built in. They may be called only by a thread that holds the
// interpreter's lock (the GIL). A thread that launches from Python has often given it up for the
// call (ctypes, Triton, Numba): then it is taken back as the call begins, before this library holds
// a lock that a thread with the GIL could wait for. Calls that PyTorch's allocator makes under a
// lock of its own never wait for the GIL.
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

/// The calls, the innermost first, without those in packages that work for others (PyTorch, Triton,
/// Numba, …) and in Python's library. `number`: from pythonPlace, not 0.
std::vector<Place> pythonPlaces(uint32_t number);

} // namespace heddle::check
