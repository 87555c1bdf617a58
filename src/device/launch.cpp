// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/launch.h"
#include "device/error_log.h"

#include "device/graph/capture.h"
#include "device/graph/operations.h"
#include "device/graph/run.h"
#include "device/kernel_calls/grid_calls.h"
#include "device/platform.h"
#include "engine/abi.h"
#include "engine/host_task.h"
#include "engine/observe/observer.h"
#include "module/description/cluster_note.h"
#include "support/switches.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace heddle {
namespace {

cudaError_t check(const Device &device, const Kernel &kernel, const LaunchRequest &request,
                  gpu::Occupancy &occupancy) {
  const gpu::Gpu &gpu = device.gpu;
  const engine::Dim3 &grid = request.grid, &block = request.block;
  const uint32_t blocks[] = {grid.x, grid.y, grid.z}, threads[] = {block.x, block.y, block.z};
  for (int i = 0; i < 3; ++i)
    if (blocks[i] == 0 || blocks[i] > uint32_t(gpu.max_grid_dim[i]) || threads[i] == 0 ||
        threads[i] > uint32_t(gpu.max_block_dim[i]))
      return cudaErrorInvalidConfiguration;
  if (block.count() > uint64_t(gpu.max_threads_per_block))
    return cudaErrorInvalidConfiguration;

  const KernelInfo &info = kernel.info();
  int64_t opted_in = kernel.settings[device.ordinal].max_dynamic_shared;
  uint64_t shared = info.static_shared_bytes + request.dynamic_shared_bytes;
  // Set once, the kernel's own limit counts, even where it is below the usual one.
  uint64_t allowed =
      opted_in < 0 ? gpu.shared_per_block : info.static_shared_bytes + uint64_t(opted_in);
  if (request.dynamic_shared_bytes > gpu.shared_per_block_optin || shared > allowed)
    return cudaErrorInvalidValue;
  if (info.max_threads_per_block && block.count() > info.max_threads_per_block)
    return cudaErrorInvalidValue;

  occupancy = gpu::occupancy(
      gpu, resourcesOf(device, kernel, int(block.count()), request.dynamic_shared_bytes));
  if (occupancy.blocks_per_sm == 0)
    return cudaErrorLaunchOutOfResources;
  if (request.cooperative &&
      grid.count() > uint64_t(occupancy.blocks_per_sm) * uint64_t(gpu.multiprocessors))
    return cudaErrorCooperativeLaunchTooLarge;
  return cudaSuccess;
}

bool isSet(const engine::Dim3 &cluster) { return cluster.x || cluster.y || cluster.z; }

// What __cluster_dims__ or cudaFuncSetAttribute says; zeros if neither does.
engine::Dim3 requiredCluster(const Device &device, const Kernel &kernel) {
  const std::array<uint32_t, 3> compiled = compiledCluster(kernel);
  if (compiled[0])
    return {compiled[0], compiled[1], compiled[2]};
  const auto &set = kernel.settings[device.ordinal].cluster;
  return {set[0], set[1], set[2]};
}

bool quiet() {
  static const bool quiet = switchedOn("HEDDLE_QUIET");
  return quiet;
}

void fail(Device &device, const engine::Fault &fault) {
  ErrorLog::instance().add("kernel", fault.message);
  if (!quiet()) {
    bool ends_line = !fault.message.empty() && fault.message.back() == '\n';
    fprintf(stderr, ends_line ? "%s" : "%s\n", fault.message.c_str());
  }
  device.fail(cudaError_t(fault.error));
}

constexpr std::align_val_t packed_alignment{engine::parameters_alignment};

PackedArguments pack(const KernelInfo &info, const LaunchRequest &request) {
  PackedArguments buffer(new (packed_alignment) std::byte[info.parameter_bytes]());
  if (request.packed)
    memcpy(buffer.get(), request.packed, info.parameter_bytes);
  else
    for (size_t i = 0; i < info.parameters.size(); ++i)
      memcpy(&buffer[info.parameters[i].offset], request.arguments[i], info.parameters[i].size);
  return buffer;
}

engine::DeviceResources lend(Device &device, const gpu::Occupancy &occupancy) {
  engine::DeviceResources resources;
  resources.multiprocessors = device.gpu.multiprocessors;
  resources.multiprocessor_warps = uint32_t(device.gpu.max_threads_per_multiprocessor) / 32;
  resources.clock_khz = device.gpu.clock_khz;
  resources.max_resident_blocks = occupancy.blocks_per_sm;
  size_t value = 0;
  device.getLimit(cudaLimitStackSize, value);
  resources.stack_bytes = value;
  device.getLimit(cudaLimitMallocHeapSize, value);
  resources.heap_bytes = value;
  resources.heap = &device.heap;
  resources.print = &device.print;
  resources.allocations = &device.memory;
  return resources;
}

} // namespace

void FreeParameters::operator()(std::byte *bytes) const {
  operator delete[](bytes, packed_alignment);
}

std::array<uint32_t, 3> compiledCluster(const Kernel &kernel) {
  return clusterDims(kernel.module->info(), kernel.info());
}

cudaError_t clusterOf(const Device &device, const Kernel &kernel, const LaunchRequest &request,
                      engine::Dim3 &cluster) {
  cluster = {1, 1, 1};
  const engine::Dim3 required = requiredCluster(device, kernel), &asked = request.cluster;
  if (!isSet(required) && !isSet(asked))
    return cudaSuccess;
  if (isSet(required) && isSet(asked) &&
      (required.x != asked.x || required.y != asked.y || required.z != asked.z))
    return cudaErrorInvalidClusterSize;
  cluster = isSet(asked) ? asked : required;
  if (!cluster.x || !cluster.y || !cluster.z)
    return cudaErrorInvalidClusterSize;
  if (cluster.count() == 1)
    return cudaSuccess;
  if (!device.gpu.cluster_launch) {
    if (!quiet())
      fprintf(stderr,
              "heddle: kernel %s needs thread block clusters, which %s does not have; GPUs of "
              "compute capability 9.0 do (HEDDLE_GPU=h200)\n",
              kernel.info().display_name.c_str(), device.gpu.name.c_str());
    return cudaErrorNotSupported;
  }
  const bool large = kernel.settings[device.ordinal].large_clusters;
  if (cluster.count() > (large ? most_cluster_blocks : portable_cluster_blocks))
    return cudaErrorInvalidClusterSize;
  const engine::Dim3 &grid = request.grid;
  if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
    return cudaErrorInvalidClusterSize;
  return cudaSuccess;
}

cudaError_t readExtra(void **extra, const KernelInfo &info, const void *&packed) {
  size_t size = 0;
  for (size_t i = 0; extra[i]; i += 2) {
    const auto what = reinterpret_cast<uintptr_t>(extra[i]);
    if (what == 1) // CU_LAUNCH_PARAM_BUFFER_POINTER
      packed = extra[i + 1];
    else if (what == 2) // CU_LAUNCH_PARAM_BUFFER_SIZE
      size = *static_cast<size_t *>(extra[i + 1]);
    else
      return cudaErrorInvalidValue;
  }
  return packed && size >= info.parameter_bytes ? cudaSuccess : cudaErrorInvalidValue;
}

gpu::KernelResources resourcesOf(const Device &device, const Kernel &kernel, int threads,
                                 size_t dynamic_shared_bytes) {
  const KernelInfo &info = kernel.info();
  const Kernel::Settings &settings = kernel.settings[device.ordinal];
  gpu::KernelResources resources;
  resources.threads = threads;
  // Registers are estimated, and ptxas may do with fewer: they keep blocks from running side by
  // side, but no block from running.
  resources.registers_per_thread =
      std::min(int(info.registers), gpu::mostRegisters(device.gpu, threads));
  resources.static_shared = info.static_shared_bytes;
  resources.dynamic_shared = dynamic_shared_bytes;
  if (int64_t opted_in = settings.max_dynamic_shared; opted_in >= 0)
    resources.max_dynamic_shared = uint64_t(opted_in);
  resources.shared_carveout = settings.carveout;
  // __launch_bounds__ limit a launch but, on a GPU, not what the occupancy calls answer.
  return resources;
}

void KernelOperation::run() const noexcept {
  if (std::optional<engine::Fault> fault = runWithChildren(*this, 0, GraphRun::current()))
    fail(device, *fault);
}

namespace {
thread_local bool in_host_operation = false;
} // namespace

bool HostOperation::isRunning() { return in_host_operation; }

void HostOperation::run() const noexcept {
  in_host_operation = true;
  if (library_call) {
    runTask();
  } else {
    if (engine::observe::observer)
      engine::observe::observer->tellsHost();
    function(data);
  }
  in_host_operation = false;
}

void HostOperation::runTask() const noexcept {
  engine::RawFault fault;
  const auto call = [](void *operation) {
    const auto *self = static_cast<const HostOperation *>(operation);
    self->function(self->data);
  };
  if (!engine::runHostTask(call, const_cast<HostOperation *>(this), fault))
    fail(device, engine::describeTaskFault(fault, library_call));
}

std::vector<void *> KernelOperation::arguments() const {
  std::vector<void *> addresses;
  for (const auto &parameter : kernel->info().parameters)
    addresses.push_back(&parameters[parameter.offset]);
  return addresses;
}

cudaError_t prepareLaunch(Device &device, const std::shared_ptr<Kernel> &kernel,
                          const LaunchRequest &request,
                          std::shared_ptr<KernelOperation> &operation) {
  gpu::Occupancy occupancy;
  if (cudaError_t error = check(device, *kernel, request, occupancy))
    return error;
  engine::Dim3 cluster;
  if (cudaError_t error = clusterOf(device, *kernel, request, cluster))
    return error;
  const KernelInfo &info = kernel->info();
  if (!info.parameters.empty() && !request.arguments && !request.packed)
    return cudaErrorInvalidValue;
  if (cudaError_t error = kernel->module->compile(kernel->index, request.grid, request.block))
    return error;
  auto made = std::make_shared<KernelOperation>(device, kernel);
  if (cudaError_t error = kernel->module->globals(device, made->launch.globals))
    return error;
  made->parameters = pack(info, request);
  made->launch.program = &kernel->module->program();
  made->launch.kernel = kernel->index;
  made->launch.grid = request.grid;
  made->launch.block = request.block;
  made->cluster = cluster;
  made->launch.dynamic_shared_bytes = uint32_t(request.dynamic_shared_bytes);
  made->launch.cooperative = request.cooperative;
  made->launch.parameters = made->parameters.get();
  made->launch.device = lend(device, occupancy);
  made->function = request.function;
  made->device_node = request.device_node;
  operation = std::move(made);
  return cudaSuccess;
}

cudaError_t withCooperation(const KernelOperation &before, bool cooperative,
                            OperationPointer &operation) {
  const engine::Launch &launch = before.launch;
  LaunchRequest request{launch.grid, launch.block, launch.dynamic_shared_bytes, cooperative};
  request.packed = before.parameters.get();
  request.function = before.function;
  request.cluster = before.cluster;
  std::shared_ptr<KernelOperation> made;
  cudaError_t error = prepareLaunch(before.device, before.kernel, request, made);
  operation = std::move(made);
  return error;
}

cudaError_t launchKernel(Device &device, const std::shared_ptr<Kernel> &kernel,
                         DeviceStream &stream, const LaunchRequest &request) {
  if (request.device_node && !stream.capture())
    return cudaErrorInvalidValue;
  std::shared_ptr<KernelOperation> operation;
  if (cudaError_t error = prepareLaunch(device, kernel, request, operation)) {
    std::shared_ptr<Capture> capture = stream.capture();
    if (!capture)
      return error;
    capture->invalidate();
    return error == cudaErrorInvalidConfiguration ? cudaErrorInvalidValue : error;
  }
  device.print.flush(); // CUDA C++ Programming Guide, "Formatted Output": at the start of a launch
  bool blocking = Platform::instance().launchBlocking();
  return put(stream, std::move(operation), {blocking ? Start::ByCaller : Start::Now, blocking});
}

} // namespace heddle
