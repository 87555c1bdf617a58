// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Python code that this thread runs, in a process with CPython 3.9 or later in it.
//
// Frames are read through Python's own functions, found by name when the process starts, so that
// no version of Python is built in. They may be called only by a thread that holds the
// interpreter's lock (the GIL). A thread that launches from Python has often given it up for the
// call (ctypes, Triton, Numba): then it can be taken back, before the caller holds a lock that a
// thread with the GIL could wait for.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::engine::observe {

struct PythonFrame {
  std::string function, file;
  uint32_t line = 0;
  auto operator<=>(const PythonFrame &) const = default;
};

/// Whether there is CPython in the process. To be called first, when the process starts.
bool findPython();

/// The calls that this thread is in, the innermost first, and at most four, without those in
/// packages that work for others (PyTorch, Triton, Numba, …) and in Python's library. Empty also
/// where the thread has not got the GIL, unless it may `wait` for it.
std::vector<PythonFrame> pythonFrames(bool wait);

/// Whether a call of CUDA of this name may wait for the GIL. PyTorch allocates by the runtime API,
/// under its allocator's lock.
bool mayWaitForPython(std::string_view call);

} // namespace heddle::engine::observe
