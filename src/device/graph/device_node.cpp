// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graph/device_node.h"

#include <cstring>
#include <unordered_map>

namespace heddle {
namespace {

/// All there are.
struct Known {
  std::mutex mutex;
  std::unordered_map<const void *, std::weak_ptr<DeviceNode>> nodes;

  static Known &instance() {
    static auto *known = new Known; // outlives the program's static objects
    return *known;
  }
};

} // namespace

std::shared_ptr<DeviceNode> DeviceNode::create() {
  std::shared_ptr<DeviceNode> made(new DeviceNode);
  Known &known = Known::instance();
  std::lock_guard lock(known.mutex);
  known.nodes[made.get()] = made;
  return made;
}

DeviceNode::~DeviceNode() {
  Known &known = Known::instance();
  std::lock_guard lock(known.mutex);
  known.nodes.erase(this);
}

std::shared_ptr<DeviceNode> DeviceNode::find(const void *handle) {
  Known &known = Known::instance();
  std::lock_guard lock(known.mutex);
  const auto found = known.nodes.find(handle);
  return found == known.nodes.end() ? nullptr : found->second.lock();
}

void DeviceNode::provide(OperationPointer operation, bool is_enabled) {
  std::lock_guard lock(mutex);
  if (operation == provided && is_enabled == provided_enabled)
    return;
  provided = now = std::move(operation);
  provided_enabled = enabled = is_enabled;
}

OperationPointer DeviceNode::current() const {
  std::lock_guard lock(mutex);
  return enabled ? now : nullptr;
}

cudaError_t DeviceNode::update(const cudaGraphKernelNodeUpdate &update) {
  std::lock_guard lock(mutex);
  if (!now)
    return cudaErrorInvalidValue;
  switch (update.field) {
  case cudaGraphKernelNodeFieldGridDim:
    return setGrid(update.updateData.gridDim);
  case cudaGraphKernelNodeFieldParam: {
    const auto &argument = update.updateData.param;
    return setArgument(argument.pValue, argument.offset, argument.size);
  }
  case cudaGraphKernelNodeFieldEnabled:
    enabled = update.updateData.isEnabled != 0;
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t DeviceNode::setGrid(const dim3 &grid) {
  const auto &kernel = static_cast<const KernelOperation &>(*now);
  return replace({grid.x, grid.y, grid.z}, kernel.parameters.get());
}

cudaError_t DeviceNode::setArgument(const void *value, size_t offset, size_t bytes) {
  const auto &kernel = static_cast<const KernelOperation &>(*now);
  const size_t all = kernel.kernel->info().parameter_bytes;
  if (!value || offset > all || bytes > all - offset)
    return cudaErrorInvalidValue;
  std::vector<std::byte> parameters(kernel.parameters.get(), kernel.parameters.get() + all);
  memcpy(parameters.data() + offset, value, bytes);
  return replace(kernel.launch.grid, parameters.data());
}

cudaError_t DeviceNode::replace(engine::Dim3 grid, const std::byte *parameters) {
  const auto &before = static_cast<const KernelOperation &>(*now);
  LaunchRequest request{grid, before.launch.block, before.launch.dynamic_shared_bytes,
                        before.launch.cooperative};
  request.packed = parameters;
  request.function = before.function;
  request.cluster = before.cluster;
  std::shared_ptr<KernelOperation> made;
  if (prepareLaunch(before.device, before.kernel, request, made) != cudaSuccess)
    return cudaErrorInvalidValue;
  now = std::move(made);
  return cudaSuccess;
}

} // namespace heddle
