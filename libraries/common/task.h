// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library's work on a stream. CUDA's library calls return at once and take effect in the order of
// their stream; a stream that is being captured makes a graph node of them (CUDA Programming Guide,
// "CUDA Graphs", stream capture). Work that kernels do is launched as any kernel is; work that a
// CPU library does (OpenBLAS, oneDNN, ...) becomes a task here.
#pragma once

#include <driver_types.h>
#include <functional>

namespace heddle::library {

using Task = std::function<void()>;

/// Puts a task on a stream. If the stream is being captured, the task becomes a host node that the
/// graph owns, and it runs each time that the graph is launched. `call` is the API function that
/// the program called, a string that lives for ever. A task that touches memory that is not there
/// fails the device with cudaErrorIllegalAddress, as a kernel does. The task runs on the stream's
/// thread and may call no CUDA function.
cudaError_t submit(const char *call, cudaStream_t stream, Task task);

/// As `submit`; if `wait`, returns when the task has run, as a call must that leaves a result in
/// host memory. Waiting for a stream that is being captured is CUDA's error 900 and more.
cudaError_t submit(const char *call, cudaStream_t stream, Task task, bool wait);

} // namespace heddle::library
