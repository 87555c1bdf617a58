// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapped host memory: a kernel reads and writes it without copies, and the host sees what a
// running kernel writes.
#include "check.h"

__global__ void add(const int *a, const int *b, int *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

// Answers each number that the host puts in box[0] by its square in box[1].
__global__ void answer(volatile int *box, int questions) {
  for (int i = 1; i <= questions; ++i) {
    while (box[0] != i) {
    }
    box[1] = i * i;
    __threadfence_system();
  }
}

int main() {
  const int n = 1000;
  CHECK_CUDA(cudaSetDeviceFlags(cudaDeviceMapHost));
  int *host[3], *device[3];
  for (int i = 0; i < 3; ++i) {
    CHECK_CUDA(cudaHostAlloc(&host[i], n * sizeof(int), cudaHostAllocMapped));
    CHECK_CUDA(cudaHostGetDevicePointer(&device[i], host[i], 0));
  }
  for (int i = 0; i < n; ++i) {
    host[0][i] = i;
    host[1][i] = 2 * i;
  }
  add<<<(n + 127) / 128, 128>>>(device[0], device[1], device[2], n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i)
    CHECK_EQ(host[2][i], 3 * i);

  volatile int *box = host[0];
  box[0] = box[1] = 0;
  const int questions = 20;
  answer<<<1, 1>>>(device[0], questions);
  CHECK_CUDA(cudaGetLastError());
  for (int i = 1; i <= questions; ++i) {
    box[0] = i;
    while (box[1] != i * i) {
    }
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(box[1], questions * questions);
  for (int *memory : host)
    CHECK_CUDA(cudaFreeHost(memory));
  RETURN_RESULT();
}
