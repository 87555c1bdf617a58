// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/operation.h"

#include "device/graph/capture.h"
#include "device/launch.h"
#include "device/memory/copy.h"
#include "engine/observe/host.h"

namespace heddle {
namespace {

using engine::observe::Task;
using engine::observe::TaskKind;

struct OperationWork final : Work {
  OperationPointer operation;
  const DeviceStream *stream; // may end before the work: only its address is used
  engine::observe::StreamName name;
  uint64_t call = engine::observe::ApiCall::current();
  bool of_async_call = engine::observe::ApiCall::currentIsAsync();

  OperationWork(OperationPointer operation, const DeviceStream &stream)
      : operation(std::move(operation)), stream(&stream), name(stream.name()) {
    on_worker_only = this->operation->onWorkerOnly();
  }
  void run() noexcept override {
    if (operation->device.error() == cudaSuccess)
      runObserved(*operation, {stream, name, call, of_async_call});
  }
};

void describe(const KernelOperation &operation, Task &task) {
  const engine::Launch &launch = operation.launch;
  const KernelInfo &info = operation.kernel->info();
  task.kind = TaskKind::Kernel;
  task.name = info.display_name;
  task.symbol = info.name;
  task.local_bytes = info.local_bytes;
  task.cooperative = launch.cooperative;
  const uint32_t grid[] = {launch.grid.x, launch.grid.y, launch.grid.z};
  const uint32_t block[] = {launch.block.x, launch.block.y, launch.block.z};
  std::copy_n(grid, 3, task.grid);
  std::copy_n(block, 3, task.block);
  const uint32_t cluster[] = {operation.cluster.x, operation.cluster.y, operation.cluster.z};
  std::copy_n(cluster, 3, task.cluster);
  task.registers = info.registers;
  task.static_shared = info.static_shared_bytes;
  task.dynamic_shared = launch.dynamic_shared_bytes;
}

void describe(const CopyOperation &operation, Task &task) {
  const Memory &memory = operation.device.memory;
  const auto side = [&](const BoxPlace &place, int &device) {
    const std::optional<Allocation> found = memory.find(place.base);
    device = found && found->onDevice() ? found->device : -1;
    return found && found->onDevice()                    ? 'D'
           : found && found->kind == MemoryKind::Managed ? 'M'
                                                         : 'H';
  };
  task.kind = TaskKind::Copy;
  task.name = {side(operation.source, task.from_device), 't', 'o',
               side(operation.destination, task.to_device)};
  task.pageable = operation.to_pageable || operation.from_pageable;
  const auto kind = [](char side, bool pageable) {
    return pageable ? "pageable" : side == 'D' ? "device" : side == 'M' ? "managed" : "pinned";
  };
  task.from = kind(task.name.front(), operation.from_pageable);
  task.to = kind(task.name.back(), operation.to_pageable);
  task.bytes = operation.box.bytes();
}

void describe(const FillOperation &operation, Task &task) {
  const std::optional<Allocation> found = operation.device.memory.find(operation.destination.base);
  task.kind = TaskKind::Fill;
  task.name = "memset";
  task.to = found && found->onDevice()                    ? "device"
            : found && found->kind == MemoryKind::Managed ? "managed"
                                                          : "pinned";
  task.bytes = operation.box.bytes();
  task.value = operation.value;
}

void describe(const Operation &operation, Task &task) {
  switch (operation.type()) {
  case cudaGraphNodeTypeKernel:
    describe(static_cast<const KernelOperation &>(operation), task);
    break;
  case cudaGraphNodeTypeMemcpy:
    describe(static_cast<const CopyOperation &>(operation), task);
    break;
  case cudaGraphNodeTypeMemset:
    describe(static_cast<const FillOperation &>(operation), task);
    break;
  case cudaGraphNodeTypeHost:
    task.kind = TaskKind::HostFunction;
    task.name = "host function";
    break;
  default:
    break;
  }
}

} // namespace

void runObserved(const Operation &operation, const Origin &origin) noexcept {
  engine::observe::HostObserver *observer = engine::observe::hostObserver();
  if (!observer)
    return operation.run();
  Task task;
  task.stream = origin.stream;
  task.stream_name = origin.name;
  task.device = operation.device.ordinal;
  task.call = origin.call;
  task.of_async_call = origin.of_async_call;
  describe(operation, task);
  if (task.kind != TaskKind::Other)
    observer->begins(task.kind);
  task.begin = engine::observe::nanosecondsNow();
  operation.run();
  task.end = engine::observe::nanosecondsNow();
  if (task.kind != TaskKind::Other)
    observer->done(task);
}

cudaError_t put(DeviceStream &stream, OperationPointer operation, const Putting &how) {
  if (Capture::anywhere()) {
    if (cudaError_t error = Capture::admit(stream, how.capturable))
      return error;
    if (std::shared_ptr<Capture> capture = stream.capture())
      return capture->append(stream, std::move(operation));
  }
  Device &device = *stream.device;
  Point point = device.submit(stream, std::make_unique<OperationWork>(std::move(operation), stream),
                              how.start);
  return how.wait ? device.synchronize(point) : cudaSuccess;
}

} // namespace heddle
