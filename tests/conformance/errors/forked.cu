// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
// A process that is forked after CUDA has been used cannot use it: it gets an error, does not wait
// for ever, and ends; the other process goes on.
#include "../check.h"

#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void addOne(int *numbers) { numbers[threadIdx.x] += 1; }

int main() {
  DeviceBuffer<int> numbers(32);
  addOne<<<1, 32>>>(numbers.data());
  CHECK_CUDA(cudaDeviceSynchronize());
  const pid_t child = fork();
  if (child == 0) {
    alarm(50);
    void *memory = nullptr;
    CUdevice device = 0;
    CHECK_EQ(cudaMalloc(&memory, 64), cudaErrorInitializationError);
    CHECK_EQ(cudaGetLastError(), cudaErrorInitializationError);
    CHECK_EQ(cudaDeviceSynchronize(), cudaErrorInitializationError);
    int count = 0;
    CHECK_CUDA(cudaGetDeviceCount(&count));
    CHECK_EQ(int(cuInit(0)), int(CUDA_ERROR_NOT_INITIALIZED));
    CHECK_EQ(int(cuDeviceGet(&device, 0)), int(CUDA_ERROR_NOT_INITIALIZED));
    std::exit(check::result());
  }
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
  addOne<<<1, 32>>>(numbers.data());
  for (const int number : numbers.download())
    CHECK_EQ(number, 2);
  RETURN_RESULT();
}
