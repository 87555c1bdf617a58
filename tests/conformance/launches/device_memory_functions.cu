// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// cudaMalloc, cudaFree and copies in kernels.
#include "../check.h"

__global__ void fill(int *values, int value) { values[threadIdx.x] = value + threadIdx.x; }

__global__ void parent(int *out, int *errors) {
  int *memory = nullptr;
  errors[0] = cudaMalloc((void **)&memory, 64 * sizeof(int));
  fill<<<1, 64>>>(memory, 5);
  errors[1] = cudaMemcpyAsync(out, memory, 64 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
  errors[2] = cudaMemcpy2DAsync(out + 80, 4 * sizeof(int), memory, 8 * sizeof(int), 2 * sizeof(int),
                                3, cudaMemcpyDeviceToDevice, 0);
  errors[3] = cudaMemcpyAsync(out, memory, 4, cudaMemcpyHostToDevice, 0);
  errors[4] = cudaGetLastError();
  errors[5] = cudaMalloc((void **)&memory, size_t(1) << 42);
  errors[6] = cudaGetLastError();
  errors[7] = cudaFree(nullptr);
}

int main() {
  DeviceBuffer<int> out(100), errors(8);
  parent<<<1, 1>>>(out, errors);
  const std::vector<int> got = out.download(), seen = errors.download();
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(got[i], 5 + i);
  for (int row = 0; row < 3; ++row)
    for (int i = 0; i < 4; ++i)
      CHECK_EQ(got[80 + row * 4 + i], i < 2 ? 5 + row * 8 + i : 0);
  const int direction = cudaErrorInvalidMemcpyDirection, full = cudaErrorMemoryAllocation;
  const int expected[] = {0, 0, 0, direction, direction, full, full, 0};
  for (int i = 0; i < 8; ++i)
    CHECK_EQ(seen[i], expected[i]);
  RETURN_RESULT();
}
