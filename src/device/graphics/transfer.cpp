// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graphics/transfer.h"

namespace heddle {

cudaError_t copyIn(DeviceStream &stream, const BoxPlace &to, std::vector<char> data,
                   const Box &box) {
  std::shared_ptr<CopyOperation> operation;
  const BoxPlace from = {data.data(), box.width, box.height};
  if (const cudaError_t error =
          prepareCopy(*stream.device, to, from, box, cudaMemcpyHostToDevice, operation))
    return error;
  if (box.empty())
    return cudaSuccess;
  operation->staged = std::move(data);
  return put(stream, std::move(operation), {.capturable = false});
}

cudaError_t copyOut(DeviceStream &stream, std::vector<char> &data, const BoxPlace &from,
                    const Box &box) {
  data.resize(box.bytes());
  std::shared_ptr<CopyOperation> operation;
  const BoxPlace to = {data.data(), box.width, box.height};
  if (const cudaError_t error =
          prepareCopy(*stream.device, to, from, box, cudaMemcpyDeviceToHost, operation))
    return error;
  if (box.empty())
    return cudaSuccess;
  return put(stream, std::move(operation),
             {.start = Start::ByCaller, .wait = true, .capturable = false});
}

} // namespace heddle
