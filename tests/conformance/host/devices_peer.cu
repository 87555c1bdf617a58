// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Peer access and peer copies between virtual devices.
// env: HEDDLE_DEVICES=3
// hardware: skip needs three devices
#include "check.h"

__global__ void addOne(const int *from, int *to) { to[threadIdx.x] = from[threadIdx.x] + 1; }

int main() {
  const int n = 64;
  int *data[3];
  for (int d = 0; d < 3; ++d) {
    CHECK_CUDA(cudaSetDevice(d));
    CHECK_CUDA(cudaMalloc(&data[d], n * sizeof(int)));
    CHECK_CUDA(cudaMemset(data[d], d, n * sizeof(int)));
  }
  int possible = 0;
  CHECK_CUDA(cudaDeviceCanAccessPeer(&possible, 0, 1));
  CHECK_EQ(possible, 1);
  CHECK_CUDA(cudaDeviceCanAccessPeer(&possible, 1, 1));
  CHECK_EQ(possible, 0);

  CHECK_CUDA(cudaSetDevice(0));
  CHECK_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  CHECK_CUDA(cudaDeviceEnablePeerAccess(1, 0));
  CHECK_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  addOne<<<1, n>>>(data[1], data[0]); // reads device 1 from a kernel on device 0
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaDeviceDisablePeerAccess(1));

  // Copies need no peer access.
  CHECK_CUDA(cudaMemcpyPeer(data[2], 2, data[0], 0, n * sizeof(int)));
  CHECK_CUDA(cudaMemcpyPeerAsync(data[1], 1, data[2], 2, n * sizeof(int), 0));
  CHECK_CUDA(cudaDeviceSynchronize());
  std::vector<int> host(n);
  CHECK_CUDA(cudaMemcpy(host.data(), data[1], n * sizeof(int), cudaMemcpyDefault));
  for (int value : host)
    CHECK_EQ(value, 0x01010102);
  CHECK_CUDA(cudaMemcpy(data[0], data[2], 4, cudaMemcpyDeviceToDevice));
  for (int d = 0; d < 3; ++d)
    CHECK_CUDA(cudaFree(data[d])); // of whatever device
  (void)cudaGetLastError();
  RETURN_RESULT();
}
