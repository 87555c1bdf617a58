// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in different streams run at the same time: each of two waits for the other.
#include "check.h"
#include "gate.h"

__global__ void meet(int *arrived, int others, int *out) {
  atomicAdd(arrived, 1);
  while (atomicAdd(arrived, 0) < others) {
  }
  *out = others;
}

int main() {
  DeviceBuffer<int> arrived(1), out(2);
  meet<<<1, 1>>>(arrived, 1, out); // loads the kernel
  CHECK_CUDA(cudaDeviceSynchronize());
  Stream first(cudaStreamNonBlocking), second(cudaStreamNonBlocking);
  meet<<<1, 1, 0, first>>>(arrived, 3, out.data());
  meet<<<1, 1, 0, second>>>(arrived, 3, out.data() + 1);
  CHECK(out.download() == std::vector<int>({3, 3}));
  RETURN_RESULT();
}
