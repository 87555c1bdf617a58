// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables on the device from the host: copies with offsets, asynchronous ones, from device to
// device, address and size of a symbol.
#include "check.h"

__device__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ int factors[4];
__device__ double scalar = 2.5;

__global__ void scaleTable() { table[threadIdx.x] *= factors[threadIdx.x % 4]; }

int main() {
  const int host[4] = {10, 20, 30, 40};
  CHECK_CUDA(cudaMemcpyToSymbol(factors, host, 2 * sizeof(int)));
  CHECK_CUDA(cudaMemcpyToSymbolAsync(factors, host + 2, 2 * sizeof(int), 2 * sizeof(int),
                                     cudaMemcpyHostToDevice, 0));
  scaleTable<<<1, 8>>>();
  int back[8] = {};
  CHECK_CUDA(cudaMemcpyFromSymbol(back, table, 3 * sizeof(int), 5 * sizeof(int)));
  CHECK_EQ(back[0], 120);
  CHECK_EQ(back[1], 210);
  CHECK_EQ(back[2], 320);
  CHECK_CUDA(cudaMemcpyFromSymbolAsync(back, table, 2 * sizeof(int), 0, cudaMemcpyDeviceToHost, 0));
  CHECK_CUDA(cudaStreamSynchronize(0));
  CHECK_EQ(back[0], 10);
  CHECK_EQ(back[1], 40);

  int *address = nullptr;
  size_t bytes = 0;
  CHECK_CUDA(cudaGetSymbolAddress(reinterpret_cast<void **>(&address), table));
  CHECK_CUDA(cudaGetSymbolSize(&bytes, table));
  CHECK_EQ(bytes, sizeof table);
  CHECK_CUDA(cudaGetSymbolSize(&bytes, scalar));
  CHECK_EQ(bytes, sizeof(double));
  CHECK_CUDA(cudaMemset(address + 6, 0, sizeof(int)));
  DeviceBuffer<int> buffer(std::vector<int>({-5}));
  CHECK_CUDA(cudaMemcpyToSymbol(table, buffer, sizeof(int), 0, cudaMemcpyDeviceToDevice));
  CHECK_CUDA(cudaMemcpyFromSymbol(back, table, sizeof table));
  CHECK_EQ(back[0], -5);
  CHECK_EQ(back[5], 120);
  CHECK_EQ(back[6], 0);
  double value = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&value, scalar, sizeof value));
  CHECK_EQ(value, 2.5);
  CHECK_EQ(cudaMemcpyFromSymbol(back, table, 4, sizeof table), cudaErrorInvalidValue);
  RETURN_RESULT();
}
