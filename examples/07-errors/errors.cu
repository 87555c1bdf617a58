// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes wrong, and how a program hears of it.
//
//   A call that was wrong in itself returns its error at once, and nothing has happened.
//   A launch returns nothing: cudaGetLastError() says whether it could start.
//   A kernel that fails does so later, while the host is elsewhere. The next call that waits for
//   the device returns the error, and so does every call after it: the device is lost to this
//   program
//   ("sticky"). While searching for the culprit, run with CUDA_LAUNCH_BLOCKING=1: then each launch
//   waits for its kernel.
//
// This program makes each mistake on purpose, the fatal one last. Under Heddle the standard error
// output has more to say about it: kernel, block, thread and source line.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void write(int *where) { *where = 1; }

static bool all_as_expected = true;

void expect(const char *what, cudaError_t got, cudaError_t expected) {
  std::printf("%-30s %s\n", what, cudaGetErrorName(got));
  if (got != expected)
    all_as_expected = false;
}

int main() {
  int *number = nullptr;
  expect("allocate one int", cudaMalloc(&number, sizeof(int)), cudaSuccess);

  // Wrong arguments.
  void *too_much = nullptr;
  expect("allocate 2^60 bytes", cudaMalloc(&too_much, size_t(1) << 60), cudaErrorMemoryAllocation);
  expect("choose device 1000", cudaSetDevice(1000), cudaErrorInvalidDevice);
  expect("copy in no direction",
         cudaMemcpy(number, number, sizeof(int), static_cast<cudaMemcpyKind>(42)),
         cudaErrorInvalidMemcpyDirection);

  // cudaGetLastError gives the last error and forgets it; cudaPeekAtLastError does not forget.
  expect("peek at the last error", cudaPeekAtLastError(), cudaErrorInvalidMemcpyDirection);
  expect("get the last error", cudaGetLastError(), cudaErrorInvalidMemcpyDirection);
  expect("get it again", cudaGetLastError(), cudaSuccess);

  // Wrong launches: no GPU runs 2048 threads in a block, or a grid of no blocks. Up to CUDA 12 this
  // is an invalid configuration; CUDA 13 (tried on an H200) calls it an invalid value.
  const cudaError_t bad_launch =
      CUDART_VERSION < 13000 ? cudaErrorInvalidConfiguration : cudaErrorInvalidValue;
  write<<<1, 2048>>>(number);
  expect("launch 2048 threads a block", cudaGetLastError(), bad_launch);
  write<<<0, 32>>>(number);
  expect("launch no blocks", cudaGetLastError(), bad_launch);

  // None of this has harmed the device.
  write<<<1, 1>>>(number);
  expect("launch properly", cudaGetLastError(), cudaSuccess);
  int value = 0;
  expect("copy the result", cudaMemcpy(&value, number, sizeof(int), cudaMemcpyDeviceToHost),
         cudaSuccess);
  all_as_expected = all_as_expected && value == 1;

  // Wrong in the kernel: it writes through a null pointer.
  write<<<1, 1>>>(nullptr);
  expect("wait for a failing kernel", cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  expect("and every call after it", cudaMalloc(&number, sizeof(int)), cudaErrorIllegalAddress);

  std::printf("%s\n", all_as_expected ? "all as expected" : "SOMETHING WAS UNEXPECTED");
  return all_as_expected ? 0 : 1;
}
