// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many host threads launch kernels at the same time, in the default stream and in streams of
// their own; no launch and no argument is lost or mixed up.
#include "check.h"
#include <thread>

__global__ void addTo(int *counters, int index, int value) { atomicAdd(&counters[index], value); }

int main() {
  const int threads = 8, launches = 50;
  DeviceBuffer<int> counters(2 * threads);
  std::vector<std::thread> workers;
  std::vector<cudaError_t> errors(threads, cudaErrorUnknown);
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      cudaStream_t stream;
      cudaError_t error = cudaStreamCreate(&stream);
      for (int i = 1; i <= launches && error == cudaSuccess; ++i) {
        addTo<<<2, 32>>>(counters.data(), t, i);
        addTo<<<1, 32, 0, stream>>>(counters.data(), threads + t, t);
        error = cudaGetLastError();
        if (error == cudaSuccess && i % 10 == 0)
          error = cudaStreamSynchronize(stream);
      }
      if (error == cudaSuccess)
        error = cudaStreamDestroy(stream);
      errors[t] = error;
    });
  for (std::thread &worker : workers)
    worker.join();
  const std::vector<int> result = counters.download();
  for (int t = 0; t < threads; ++t) {
    CHECK_EQ(errors[t], cudaSuccess);
    CHECK_EQ(result[t], 64 * launches * (launches + 1) / 2);
    CHECK_EQ(result[threads + t], 32 * launches * t);
  }
  RETURN_RESULT();
}
