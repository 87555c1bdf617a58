// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer to ordinary host memory given to a kernel, where the device cannot reach such memory.
#include "fault.h"

__global__ void writeTo(int *p) { *p = 1; }

int main() {
  int pageable = -1;
  CHECK_CUDA(cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));
  std::vector<int> host(1000, 5);
  writeTo<<<1, 1>>>(host.data());
  if (pageable)
    CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  else
    checkFault(cudaErrorIllegalAddress);
  CHECK_EQ(host[0], pageable ? 1 : 5);
  RETURN_RESULT();
}
