// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host functions in a stream: they keep their order, and one that blocks until another stream's
// kernel is done holds up its own stream only.
// env: CUDA_MODULE_LOADING=EAGER
#include "gate.h"
#include <atomic>

struct Shared {
  volatile int *written; // by a kernel of another stream
  std::atomic<int> sequence{0};
  int seen = 0, first = -1, second = -1;
};

static void CUDART_CB waitForKernel(void *data) {
  Shared *shared = static_cast<Shared *>(data);
  while (*shared->written == 0) {
  }
  shared->seen = *shared->written;
  shared->first = shared->sequence++;
}

static void CUDART_CB follow(void *data) {
  Shared *shared = static_cast<Shared *>(data);
  shared->second = shared->sequence++;
}

__global__ void writeTo(volatile int *p, int value) { *p = value; }

int main() {
  Gate gate; // here only a place that the host and kernels see
  Shared shared;
  shared.written = gate.data();
  Stream waits(cudaStreamNonBlocking), writes(cudaStreamNonBlocking);
  CHECK_CUDA(cudaLaunchHostFunc(waits, waitForKernel, &shared));
  CHECK_CUDA(cudaLaunchHostFunc(waits, follow, &shared));
  CHECK_EQ(cudaStreamQuery(waits), cudaErrorNotReady);
  writeTo<<<1, 1, 0, writes>>>(gate.data(), 5);
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaStreamSynchronize(waits));
  CHECK_EQ(shared.seen, 5);
  CHECK_EQ(shared.first, 0);
  CHECK_EQ(shared.second, 1);
  RETURN_RESULT();
}
