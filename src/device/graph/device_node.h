// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel nodes that kernels change: their arguments, their grid, whether they run (CUDA runtime
// API, cudaLaunchAttributeDeviceUpdatableKernelNode). The graph of such a node has one executable,
// whose launches ask here what the node is to do.
#pragma once

#include "device/launch.h"

#include <mutex>

namespace heddle {

/// What a cudaGraphDeviceNode_t points to. Thread-safe.
class DeviceNode {
public:
  static std::shared_ptr<DeviceNode> create();
  /// Null if there is none (any more): kernels may pass what they like.
  static std::shared_ptr<DeviceNode> find(const void *handle);
  ~DeviceNode();
  DeviceNode(const DeviceNode &) = delete;
  DeviceNode &operator=(const DeviceNode &) = delete;

  cudaGraphDeviceNode_t handle() {
    return reinterpret_cast<cudaGraphDeviceNode_t>(static_cast<void *>(this));
  }
  /// What the executable says. Once that is another thing than before, kernels' changes are gone.
  void provide(OperationPointer operation, bool enabled);
  /// What the next launch runs; null if it leaves the node out.
  OperationPointer current() const;
  /// Of a kernel's. cudaErrorInvalidValue if the node cannot be like that, or has no executable.
  cudaError_t update(const cudaGraphKernelNodeUpdate &update);

private:
  DeviceNode() = default;
  mutable std::mutex mutex; // guards what follows
  OperationPointer provided, now;
  bool provided_enabled = false, enabled = false;

  cudaError_t setGrid(const dim3 &grid);
  cudaError_t setArgument(const void *value, size_t offset, size_t bytes);
  cudaError_t replace(engine::Dim3 grid, const std::byte *parameters);
};

} // namespace heddle
