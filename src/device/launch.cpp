// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/launch.h"

#include "device/platform.h"
#include "support/switches.h"

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

bool quiet() {
  static const bool quiet = switchedOn("HEDDLE_QUIET");
  return quiet;
}

struct LaunchWork final : Work {
  Device &device;
  std::shared_ptr<Module> module;
  engine::Launch launch;
  std::unique_ptr<std::byte[]> parameters;

  LaunchWork(Device &device, std::shared_ptr<Module> module)
      : device(device), module(std::move(module)) {}

  void run() noexcept override {
    if (device.error() != cudaSuccess)
      return;
    std::optional<engine::Fault> fault = engine::run(launch);
    if (!fault)
      return;
    if (!quiet()) {
      bool ends_line = !fault->message.empty() && fault->message.back() == '\n';
      fprintf(stderr, ends_line ? "%s" : "%s\n", fault->message.c_str());
    }
    device.fail(cudaError_t(fault->error));
  }
};

std::unique_ptr<std::byte[]> pack(const KernelInfo &info, void **arguments) {
  auto buffer = std::make_unique<std::byte[]>(info.parameter_bytes);
  for (size_t i = 0; i < info.parameters.size(); ++i)
    memcpy(&buffer[info.parameters[i].offset], arguments[i], info.parameters[i].size);
  return buffer;
}

engine::DeviceResources lend(Device &device, const gpu::Occupancy &occupancy) {
  engine::DeviceResources resources;
  resources.multiprocessors = device.gpu.multiprocessors;
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

gpu::KernelResources resourcesOf(const Device &device, const Kernel &kernel, int threads,
                                 size_t dynamic_shared_bytes) {
  const KernelInfo &info = kernel.info();
  const Kernel::Settings &settings = kernel.settings[device.ordinal];
  gpu::KernelResources resources;
  resources.threads = threads;
  resources.registers_per_thread = int(info.registers);
  resources.static_shared = info.static_shared_bytes;
  resources.dynamic_shared = dynamic_shared_bytes;
  if (int64_t opted_in = settings.max_dynamic_shared; opted_in >= 0)
    resources.max_dynamic_shared = uint64_t(opted_in);
  resources.shared_carveout = settings.carveout;
  // __launch_bounds__ limit a launch but, on a GPU, not what the occupancy calls answer.
  return resources;
}

cudaError_t launchKernel(Device &device, Kernel &kernel, DeviceStream &stream,
                         const LaunchRequest &request) {
  gpu::Occupancy occupancy;
  if (cudaError_t error = check(device, kernel, request, occupancy))
    return error;
  const KernelInfo &info = kernel.info();
  if (!info.parameters.empty() && !request.arguments)
    return cudaErrorInvalidValue;
  if (cudaError_t error = kernel.module->compile(kernel.index, request.grid, request.block))
    return error;
  auto work = std::make_unique<LaunchWork>(device, kernel.module);
  if (cudaError_t error = kernel.module->globals(device, work->launch.globals))
    return error;
  work->parameters = pack(info, request.arguments);
  work->launch.program = &kernel.module->program();
  work->launch.kernel = kernel.index;
  work->launch.grid = request.grid;
  work->launch.block = request.block;
  work->launch.dynamic_shared_bytes = uint32_t(request.dynamic_shared_bytes);
  work->launch.cooperative = request.cooperative;
  work->launch.parameters = work->parameters.get();
  work->launch.device = lend(device, occupancy);

  device.print.flush(); // CUDA C++ Programming Guide, "Formatted Output": at the start of a launch
  bool blocking = Platform::instance().launchBlocking();
  Point point = device.submit(stream, std::move(work), blocking ? Start::ByCaller : Start::Now);
  return blocking ? device.synchronize(point) : cudaSuccess;
}

} // namespace heddle
