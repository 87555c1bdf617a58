// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/kernel_queries.h"

#include "device/kernel_calls/grid_calls.h"

using namespace heddle;
using namespace heddle::api;
using namespace __heddle;

namespace {

using Values = unsigned long long *;

cudaError_t activeBlocks(const Device &device, const Kernel &kernel, Values values) {
  const int threads = int(values[1]);
  if (threads <= 0)
    return cudaErrorInvalidValue;
  const gpu::KernelResources resources = resourcesOf(device, kernel, threads, values[2]);
  values[3] = unsigned(gpu::occupancy(device.gpu, resources).blocks_per_sm);
  return cudaSuccess;
}

cudaError_t answer(Device &device, Module &module, unsigned function, Values values) {
  switch (function) {
  case device_call_get_attribute: {
    int value = 0;
    const cudaError_t error =
        attributeOf(Platform::instance(), int(values[1]), cudaDeviceAttr(values[0]), &value);
    values[2] = unsigned(value);
    return error;
  }
  case device_call_error_text: {
    const auto error = cudaError_t(values[0]);
    values[2] = reinterpret_cast<unsigned long long>(values[1] ? cudaGetErrorName(error)
                                                               : cudaGetErrorString(error));
    return cudaSuccess;
  }
  case device_call_function_attributes:
  case device_call_active_blocks: {
    std::shared_ptr<Kernel> kernel;
    if (cudaError_t error =
            Registry::instance().findKernel(module, values[0] - first_kernel, kernel))
      return error;
    return function == device_call_active_blocks
               ? activeBlocks(device, *kernel, values)
               : attributesOf(device, *kernel, reinterpret_cast<cudaFuncAttributes *>(values[1]));
  }
  default:
    return cudaErrorNotSupported;
  }
}

const bool known = (answer_query = answer, true);

} // namespace
