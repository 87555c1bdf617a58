// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host functions and kernels in turn in one stream: each sees what the one before left.
#include "check.h"

static int *shared; // pinned

static void CUDART_CB timesTwo(void *data) { *shared = *shared * 2 + *static_cast<int *>(data); }

__global__ void plusThree(volatile int *value) { *value = *value + 3; }

int main() {
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaMallocHost(&shared, sizeof(int)));
  *shared = 1;
  int one = 1, expected = 1;
  for (int i = 0; i < 20; ++i) {
    plusThree<<<1, 1, 0, stream>>>(shared);
    CHECK_CUDA(cudaLaunchHostFunc(stream, timesTwo, &one));
    expected = (expected + 3) * 2 + 1;
  }
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(*shared, expected);
  CHECK_EQ(cudaLaunchHostFunc(stream, nullptr, nullptr), cudaErrorInvalidValue);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaFreeHost(shared));
  RETURN_RESULT();
}
