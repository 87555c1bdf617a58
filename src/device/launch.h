// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel launches: checks one as a GPU's driver does, and puts it into a stream.
#pragma once

#include "device/operation.h"
#include "device/registry.h"
#include "gpu/occupancy.h"

namespace heddle {

class DeviceNode;

struct LaunchRequest {
  engine::Dim3 grid, block;
  size_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  void **arguments = nullptr;              // the address of each argument …
  const void *packed = nullptr;            // … or all of them, as the kernel has its parameters
  const void *function = nullptr;          // the host function that stands for the kernel
  engine::Dim3 cluster = {0, 0, 0};        // zeros: as the kernel says
  std::shared_ptr<DeviceNode> device_node; // the node that a capture makes, if kernels change it
};

/// The copies of a launch's arguments, as aligned as kernels expect.
struct FreeParameters {
  void operator()(std::byte *bytes) const;
};
using PackedArguments = std::unique_ptr<std::byte[], FreeParameters>;

/// A launch that has been checked: a kernel with its grid and its arguments.
class KernelOperation final : public Operation {
public:
  KernelOperation(Device &device, std::shared_ptr<Kernel> kernel)
      : Operation(device), kernel(std::move(kernel)) {}
  cudaGraphNodeType type() const override { return cudaGraphNodeTypeKernel; }
  void run() const noexcept override;
  /// The address of each argument's copy.
  std::vector<void *> arguments() const;

  const std::shared_ptr<Kernel> kernel;
  const void *function = nullptr; // the host function that stands for the kernel
  engine::Launch launch;
  engine::Dim3 cluster; // of blocks
  PackedArguments parameters;
  std::shared_ptr<DeviceNode> device_node; // as in LaunchRequest
};

/// CUDA guide, "Thread Block Clusters": so many blocks any GPU with clusters runs, and so many some
/// do.
inline constexpr uint64_t portable_cluster_blocks = 8, most_cluster_blocks = 16;

/// __cluster_dims__ of the kernel, or zeros.
std::array<uint32_t, 3> compiledCluster(const Kernel &kernel);
/// The clusters of a launch; an error if the kernel, the device or the grid does not allow them.
cudaError_t clusterOf(const Device &device, const Kernel &kernel, const LaunchRequest &request,
                      engine::Dim3 &cluster);

/// What a block of this kernel needs on this device, for the occupancy rules.
gpu::KernelResources resourcesOf(const Device &device, const Kernel &kernel, int threads,
                                 size_t dynamic_shared_bytes);

/// The packed arguments that `extra` gives in place of their addresses, as in cuLaunchKernel: pairs
/// of CU_LAUNCH_PARAM_* and a value.
cudaError_t readExtra(void **extra, const KernelInfo &info, const void *&packed);

/// Checks a launch as a GPU's driver does, and copies its arguments.
cudaError_t prepareLaunch(Device &device, const std::shared_ptr<Kernel> &kernel,
                          const LaunchRequest &request,
                          std::shared_ptr<KernelOperation> &operation);

/// The same launch, cooperative or not.
cudaError_t withCooperation(const KernelOperation &before, bool cooperative,
                            OperationPointer &operation);

/// Returns as soon as the launch is in the stream.
cudaError_t launchKernel(Device &device, const std::shared_ptr<Kernel> &kernel,
                         DeviceStream &stream, const LaunchRequest &request);

} // namespace heddle
