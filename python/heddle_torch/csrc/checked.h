// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What heddle check is told: which host code is right to access device memory, and where in
// PyTorch's large allocations its tensors lie. Outside heddle check nothing of it happens.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>

namespace heddle::aten {

/// While one lives, what any thread does to device memory on the host is the platform's own work:
/// ATen's CPU kernels have threads of their own. They nest.
class HostScope {
public:
  HostScope();
  ~HostScope();
  HostScope(const HostScope &) = delete;
  HostScope &operator=(const HostScope &) = delete;
};

/// Host code has written the elements of a CUDA tensor with strides, …
void tellWritten(const at::Tensor &T);
/// … or all of this memory. heddle check sees no host code that computes for devices.
void tellWritten(const void *To, size_t Bytes);
void tellWritten(const c10::Storage &All);

/// Tells of the blocks that PyTorch's caching allocator gives out from now on, by their requested
/// sizes, so that an access past a tensor is one past an allocation, and that nothing has written
/// them. To be called once, before there are CUDA tensors.
void followAllocator();

} // namespace heddle::aten
