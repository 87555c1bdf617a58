// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device that an operation works on, and its memory. Heddle's device memory is host memory, so
// ATen's CPU kernels compute a CUDA tensor where it is. What they allocate meanwhile must be device
// memory, too: a result then needs no copy, and counts in torch.cuda.memory_allocated().
#pragma once

#include <c10/core/Allocator.h>
#include <c10/cuda/CUDAStream.h>

#include <functional>

namespace heddle::aten {

/// While one lives, what ATen allocates as CPU memory on this thread is memory of `Device`, from
/// PyTorch's caching allocator. They nest.
class OnDevice {
public:
  explicit OnDevice(c10::DeviceIndex Device);
  ~OnDevice();
  OnDevice(const OnDevice &) = delete;
  OnDevice &operator=(const OnDevice &) = delete;

private:
  c10::DeviceIndex Before;
};

/// The device of the innermost OnDevice of this thread, or -1.
c10::DeviceIndex currentDevice();

/// Puts the allocator behind OnDevice in the place of ATen's CPU allocator, once.
void installAllocator();

/// Whether the memory came from PyTorch's caching allocator for CUDA.
bool isDeviceMemory(const at::DataPtr &Memory);

/// `Memory`, said to be of another device; its owner stays the same.
at::DataPtr relabel(at::DataPtr &&Memory, c10::Device Device);

/// Waits for the work that is on the current stream of `Device`. False, and nothing waited for, if
/// the stream is being captured into a graph.
bool waitForStream(c10::DeviceIndex Device);

/// Adds `Task` to the graph that the current stream of `Device` is captured into: it runs each time
/// the graph is launched, on a thread of the stream.
void addToGraph(c10::DeviceIndex Device, std::function<void()> Task);

} // namespace heddle::aten
