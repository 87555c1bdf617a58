// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// A child that cannot be launched is not, and the thread that wanted it, and no other, sees why.
#include "../check.h"

__global__ void child(int *ran) { atomicAdd(ran, 1); }
__global__ void __launch_bounds__(64) small(int *ran) { atomicAdd(ran, 1); }

__global__ void parent(int *ran, int *errors) {
  int *mine = errors + threadIdx.x * 10;
  if (threadIdx.x == 3) {
    child<<<1, 1025>>>(ran);
    mine[0] = cudaPeekAtLastError();
    mine[1] = cudaGetLastError();
    mine[2] = cudaGetLastError();
    child<<<0, 1>>>(ran);
    mine[3] = cudaGetLastError();
    child<<<1, 1, 300000>>>(ran);
    mine[4] = cudaGetLastError();
    child<<<dim3(1, 65536), 1>>>(ran);
    mine[5] = cudaGetLastError();
    small<<<1, 128>>>(ran);
    mine[6] = cudaGetLastError();
    child<<<1, dim3(1, 1, 65)>>>(ran);
  }
  __syncthreads();
  mine[7] = cudaGetLastError();
  child<<<1, 1>>>(ran);
  mine[8] = cudaGetLastError();
}

int main() {
  DeviceBuffer<int> ran(1), errors(80);
  parent<<<1, 8>>>(ran, errors);
  const std::vector<int> got = errors.download();
  const int wrong = cudaErrorInvalidConfiguration;
  const int expected[] = {wrong, wrong, 0, wrong, wrong, wrong, wrong, wrong, 0, 0};
  for (int thread = 0; thread < 8; ++thread)
    for (int i = 0; i < 10; ++i)
      CHECK_EQ(got[thread * 10 + i], thread == 3 ? expected[i] : 0);
  CHECK_EQ(ran.download()[0], 8);
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  RETURN_RESULT();
}
