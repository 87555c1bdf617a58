// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies to and from symbols with an offset touch only their bytes, for __constant__ and
// __device__ arrays, and cudaGetSymbolAddress and cudaGetSymbolSize agree with them.
#include "check.h"

__constant__ int constants[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ int variables[8] = {11, 12, 13, 14, 15, 16, 17, 18};

__global__ void readBoth(int *out) {
  out[threadIdx.x] = constants[threadIdx.x];
  out[8 + threadIdx.x] = variables[threadIdx.x];
}

int main() {
  const int values[2] = {-1, -2};
  CHECK_CUDA(cudaMemcpyToSymbol(constants, values, sizeof values, 3 * sizeof(int)));
  CHECK_CUDA(cudaMemcpyToSymbol(variables, values, sizeof values, 6 * sizeof(int)));
  DeviceBuffer<int> out(16);
  readBoth<<<1, 8>>>(out);
  const int expected[16] = {1, 2, 3, -1, -2, 6, 7, 8, 11, 12, 13, 14, 15, 16, -1, -2};
  const std::vector<int> result = out.download();
  for (int i = 0; i < 16; ++i)
    CHECK_EQ(result[i], expected[i]);

  int back[3] = {};
  CHECK_CUDA(cudaMemcpyFromSymbol(back, variables, sizeof back, 5 * sizeof(int)));
  CHECK(back[0] == 16 && back[1] == -1 && back[2] == -2);

  void *address = nullptr;
  size_t size = 0;
  CHECK_CUDA(cudaGetSymbolAddress(&address, variables));
  CHECK_CUDA(cudaGetSymbolSize(&size, variables));
  CHECK_EQ(size, sizeof(int) * 8);
  CHECK_CUDA(cudaMemset(address, 0, 4 * sizeof(int)));
  CHECK_CUDA(cudaMemcpyFromSymbol(back, variables, sizeof back, 2 * sizeof(int)));
  CHECK(back[0] == 0 && back[1] == 0 && back[2] == 15);
  RETURN_RESULT();
}
