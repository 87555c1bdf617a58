// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/operation.h"

#include "device/graph/capture.h"

namespace heddle {
namespace {

struct OperationWork final : Work {
  OperationPointer operation;

  explicit OperationWork(OperationPointer operation) : operation(std::move(operation)) {
    on_worker_only = this->operation->onWorkerOnly();
  }
  void run() noexcept override {
    if (operation->device.error() == cudaSuccess)
      operation->run();
  }
};

} // namespace

cudaError_t put(DeviceStream &stream, OperationPointer operation, const Putting &how) {
  if (Capture::anywhere()) {
    if (cudaError_t error = Capture::admit(stream, how.capturable))
      return error;
    if (std::shared_ptr<Capture> capture = stream.capture())
      return capture->append(stream, std::move(operation));
  }
  Device &device = *stream.device;
  Point point =
      device.submit(stream, std::make_unique<OperationWork>(std::move(operation)), how.start);
  return how.wait ? device.synchronize(point) : cudaSuccess;
}

} // namespace heddle
