// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel prints appears at each kind of synchronising call, in its place among what the
// host prints, and not before.
// stdout: host: before
// stdout: device: cudaDeviceSynchronize
// stdout: host: 1
// stdout: device: cudaStreamSynchronize
// stdout: host: 2
// stdout: device: cudaEventSynchronize
// stdout: host: 3
// stdout: device: cudaMemcpy
// stdout: host: 4
// stdout: device: cudaDeviceReset
// stdout: host: 5
#include "check.h"

__global__ void print(int which) {
  const char *names[] = {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize",
                         "cudaMemcpy", "cudaDeviceReset"};
  printf("device: %s\n", names[which]);
}

static void launch(int which, cudaStream_t stream = 0) {
  print<<<1, 1, 0, stream>>>(which);
  CHECK_CUDA(cudaGetLastError());
}

static void say(const char *text) {
  printf("host: %s\n", text);
  fflush(stdout);
}

int main() {
  int *memory, host;
  cudaStream_t stream;
  cudaEvent_t event;
  CHECK_CUDA(cudaMalloc(&memory, sizeof(int)));
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaEventCreate(&event));
  launch(0);
  say("before");
  CHECK_CUDA(cudaDeviceSynchronize());
  say("1");
  launch(1, stream);
  CHECK_CUDA(cudaStreamSynchronize(stream));
  say("2");
  launch(2, stream);
  CHECK_CUDA(cudaEventRecord(event, stream));
  CHECK_CUDA(cudaEventSynchronize(event));
  say("3");
  launch(3);
  CHECK_CUDA(cudaMemcpy(&host, memory, sizeof(int), cudaMemcpyDeviceToHost));
  say("4");
  launch(4);
  CHECK_CUDA(cudaDeviceReset());
  say("5");
  CHECK(true);
  RETURN_RESULT();
}
