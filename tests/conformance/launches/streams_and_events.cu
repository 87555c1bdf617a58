// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// Streams and events that kernels make: grids of a stream in order, events between streams.
#include "../check.h"

__global__ void step(int *value, int factor, int addend) { *value = *value * factor + addend; }

__global__ void parent(int *values, int *errors) {
  cudaStream_t first, second;
  errors[0] = cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  errors[1] = cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t event;
  errors[2] = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  step<<<1, 1, 0, first>>>(values, 2, 1);
  step<<<1, 1, 0, first>>>(values, 10, 3);
  errors[3] = cudaEventRecord(event, first);
  errors[4] = cudaStreamWaitEvent(second, event, 0);
  step<<<1, 1, 0, second>>>(values, 3, 4);
  step<<<1, 1, 0, second>>>(values + 1, 1, 5);
  errors[5] = cudaEventDestroy(event);
  errors[6] = cudaStreamDestroy(first);
  errors[7] = cudaStreamDestroy(second);
  // What is not allowed.
  errors[8] = cudaEventCreateWithFlags(&event, cudaEventDefault);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  errors[9] = cudaEventRecord(event, cudaStreamTailLaunch);
  errors[10] = cudaEventRecord(event, cudaStreamFireAndForget);
  errors[11] = cudaStreamWaitEvent(cudaStreamTailLaunch, event, 0);
  errors[12] = cudaStreamDestroy(cudaStreamTailLaunch);
  errors[13] = cudaEventDestroy(event);
}

int main() {
  DeviceBuffer<int> values(std::vector<int>{1, 1}), errors(14);
  parent<<<1, 1>>>(values, errors);
  CHECK_EQ(values.download()[0], ((1 * 2 + 1) * 10 + 3) * 3 + 4);
  CHECK_EQ(values.download()[1], 6);
  const std::vector<int> got = errors.download();
  for (int i = 0; i < 14; ++i)
    CHECK_EQ(got[i], i >= 8 && i < 13 ? cudaErrorInvalidValue : cudaSuccess);
  RETURN_RESULT();
}
