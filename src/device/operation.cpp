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
  const void *stream;
  uint64_t call = engine::observe::ApiCall::current();

  OperationWork(OperationPointer operation, const void *stream)
      : operation(std::move(operation)), stream(stream) {
    on_worker_only = this->operation->onWorkerOnly();
  }
  void run() noexcept override {
    if (operation->device.error() == cudaSuccess)
      runObserved(*operation, stream, call);
  }
};

void describe(const KernelOperation &operation, Task &task) {
  const engine::Launch &launch = operation.launch;
  const KernelInfo &info = operation.kernel->info();
  task.kind = TaskKind::Kernel;
  task.name = info.display_name;
  const uint32_t grid[] = {launch.grid.x, launch.grid.y, launch.grid.z};
  const uint32_t block[] = {launch.block.x, launch.block.y, launch.block.z};
  std::copy_n(grid, 3, task.grid);
  std::copy_n(block, 3, task.block);
  task.registers = info.registers;
  task.static_shared = info.static_shared_bytes;
  task.dynamic_shared = launch.dynamic_shared_bytes;
}

void describe(const CopyOperation &operation, Task &task) {
  const Memory &memory = operation.device.memory;
  const auto side = [&](const BoxPlace &place) {
    const std::optional<Allocation> found = memory.find(place.base);
    return found && found->onDevice()                    ? 'D'
           : found && found->kind == MemoryKind::Managed ? 'M'
                                                         : 'H';
  };
  task.kind = TaskKind::Copy;
  task.name = {side(operation.source), 't', 'o', side(operation.destination)};
  task.pageable = operation.to_pageable || operation.from_pageable;
  const auto kind = [](char side, bool pageable) {
    return pageable ? "pageable" : side == 'D' ? "device" : side == 'M' ? "managed" : "pinned";
  };
  task.from = kind(task.name.front(), operation.from_pageable);
  task.to = kind(task.name.back(), operation.to_pageable);
  task.bytes = operation.box.bytes();
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
    task.kind = TaskKind::Fill;
    task.name = "memset";
    task.bytes = static_cast<const FillOperation &>(operation).box.bytes();
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

void runObserved(const Operation &operation, const void *stream, uint64_t call) noexcept {
  engine::observe::HostObserver *observer = engine::observe::host_observer;
  if (!observer)
    return operation.run();
  Task task;
  task.stream = stream;
  task.device = operation.device.ordinal;
  task.call = call;
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
  Point point = device.submit(
      stream, std::make_unique<OperationWork>(std::move(operation), &stream), how.start);
  return how.wait ? device.synchronize(point) : cudaSuccess;
}

} // namespace heddle
