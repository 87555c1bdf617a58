// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
// What each call gives in a process that is forked: whatever CUDA was used for before, only what
// needs no device works; if it was not used, all does. As recorded on an H200.
#include "../check.h"

#include <cuda.h>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

__global__ void one(int *p) { *p = 1; }

// Runs `body` in a child, and returns its exit code.
static int inChild(const std::function<int()> &body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(100);
    const int result = body();
    std::fflush(nullptr);
    _exit(result);
  }
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  return status;
}

static int everyCall(cudaError_t expected, int *before) {
  int n = 0, d = 0, x = 0;
  int *q = nullptr;
  void *h = nullptr;
  size_t free = 0, total = 0;
  cudaStream_t s = nullptr;
  cudaEvent_t e = nullptr;
  cudaDeviceProp p;
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  CHECK_EQ(cudaGetDeviceCount(&n), cudaSuccess);
  CHECK(n > 0);
  CHECK_EQ(cudaGetDevice(&d), expected);
  CHECK_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  CHECK_EQ(p.warpSize, 32);
  CHECK_EQ(cudaDeviceGetAttribute(&x, cudaDevAttrWarpSize, 0), expected);
  CHECK_EQ(cudaSetDevice(0), expected);
  CHECK_EQ(cudaMalloc(&q, 4), expected);
  CHECK_EQ(cudaStreamCreate(&s), expected);
  CHECK_EQ(cudaEventCreate(&e), expected);
  CHECK_EQ(cudaMemGetInfo(&free, &total), expected);
  CHECK_EQ(cudaDriverGetVersion(&x), cudaSuccess);
  CHECK_EQ(cudaRuntimeGetVersion(&x), cudaSuccess);
  CHECK_EQ(cudaMallocHost(&h, 4), expected);
  one<<<1, 1>>>(q);
  CHECK_EQ(cudaGetLastError(), expected);
  CHECK_EQ(cudaDeviceSynchronize(), expected);
  CHECK_EQ(cudaDeviceReset(), expected);
  CHECK_EQ(cudaFree(nullptr), expected);
  if (before) {
    CHECK_EQ(cudaFree(before), expected);
    CHECK_EQ(cudaMemcpy(&x, before, 4, cudaMemcpyDefault), expected);
  }
  CHECK_EQ(cudaPeekAtLastError(), expected);
  if (expected != cudaSuccess) {
    CUdevice device = 0;
    CHECK_EQ(int(cuInit(0)), int(CUDA_ERROR_NOT_INITIALIZED));
    CHECK_EQ(int(cuDeviceGet(&device, 0)), int(CUDA_ERROR_NOT_INITIALIZED));
  }
  return check::result();
}

static int afterUse(int what) {
  int *p = nullptr, *h = nullptr, n = 0;
  if (what == 0)
    CHECK_CUDA(cudaGetDeviceCount(&n));
  if (what >= 1)
    CHECK_CUDA(cudaMalloc(&p, 4));
  if (what == 2) {
    one<<<1, 1>>>(p);
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  if (what == 3)
    CHECK_CUDA(cudaHostAlloc(&h, 4, 0));
  CHECK_EQ(inChild([&] { return everyCall(cudaErrorInitializationError, p); }), 0);
  // The other process goes on.
  CHECK_CUDA(cudaMalloc(&p, 4));
  one<<<1, 1>>>(p);
  CHECK_CUDA(cudaDeviceSynchronize());
  return check::result();
}

int main() {
  CHECK_EQ(inChild([] { return everyCall(cudaSuccess, nullptr); }), 0);
  for (int what = 0; what <= 3; ++what)
    CHECK_EQ(inChild([&] { return afterUse(what); }), 0);
  // The child of a child that has used CUDA.
  CHECK_EQ(inChild([] { return afterUse(1); }), 0);
  CHECK_EQ(afterUse(2), 0);
  RETURN_RESULT();
}
