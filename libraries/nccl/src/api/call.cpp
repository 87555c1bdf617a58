// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/call.h"

#include <cstdlib>
#include <cstring>

namespace heddle::nccl {
namespace {

bool checksPointers() {
  const char *value = std::getenv("NCCL_CHECK_POINTERS");
  return value && std::strcmp(value, "1") == 0;
}

} // namespace

void requireBuffer(const void *pointer, const char *what, const ncclComm &comm) {
  requirePointer(pointer, what);
  if (!checksPointers())
    return;
  cudaPointerAttributes attributes;
  require(cudaPointerGetAttributes(&attributes, pointer));
  if (attributes.type == cudaMemoryTypeUnregistered)
    fail(ncclInvalidArgument, std::string(what) + " is no memory that the device can reach");
  if (attributes.type == cudaMemoryTypeDevice && attributes.device != comm.device)
    fail(ncclInvalidArgument, std::string(what) + " is on device " +
                                  std::to_string(attributes.device) + ", the communicator on " +
                                  std::to_string(comm.device));
}

} // namespace heddle::nccl
