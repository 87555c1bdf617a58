// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams: copying and computing at the same time.
//
// A stream is a queue of work for the device. Work in one stream is done in order; work in
// different streams may overlap. Here a long vector is cut into chunks, and chunk i goes through
// stream i % 4: copy in, kernel, copy back. While one chunk is computed, another is on its way.
//
//   stream 0:  in kernel out   in ...
//   stream 1:     in kernel out   in ...
//
// cudaMemcpyAsync only overlaps with other work when the host's memory is pinned (cudaMallocHost):
// such memory cannot be moved away by the operating system while the device reads it.
//
// Events are marks in a stream: the host can wait for one, another stream can wait for one, and the
// time between two can be measured.
#include "../check.h"

__global__ void squareRoots(float *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = sqrtf(values[i]);
}

int main() {
  const int streams = 4, chunks = 10, chunk = 100000, n = chunks * chunk;
  float *host, *device;
  CHECK(cudaMallocHost(&host, n * sizeof(float)));
  CHECK(cudaMalloc(&device, n * sizeof(float)));
  for (int i = 0; i < n; ++i)
    host[i] = static_cast<float>(i % 1000) * static_cast<float>(i % 1000);

  cudaStream_t stream[streams];
  for (cudaStream_t &one : stream)
    CHECK(cudaStreamCreate(&one));
  cudaEvent_t begin, end, done[streams];
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  for (cudaEvent_t &one : done)
    CHECK(cudaEventCreate(&one));

  CHECK(cudaEventRecord(begin, stream[0]));
  for (int i = 0; i < chunks; ++i) {
    cudaStream_t mine = stream[i % streams];
    float *from = host + i * chunk, *to = device + i * chunk;
    CHECK(cudaMemcpyAsync(to, from, chunk * sizeof(float), cudaMemcpyHostToDevice, mine));
    squareRoots<<<(chunk + 255) / 256, 256, 0, mine>>>(to, chunk); // 0: no dynamic shared memory
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(from, to, chunk * sizeof(float), cudaMemcpyDeviceToHost, mine));
  }
  // Stream 0 waits for the others, so that `end` comes after everything.
  for (int i = 1; i < streams; ++i) {
    CHECK(cudaEventRecord(done[i], stream[i]));
    CHECK(cudaStreamWaitEvent(stream[0], done[i], 0));
  }
  CHECK(cudaEventRecord(end, stream[0]));
  CHECK(cudaEventSynchronize(end)); // until here the host was free to do something else

  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += host[i] != static_cast<float>(i % 1000);

  for (cudaEvent_t one : done)
    CHECK(cudaEventDestroy(one));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  for (cudaStream_t one : stream)
    CHECK(cudaStreamDestroy(one));
  CHECK(cudaFree(device));
  CHECK(cudaFreeHost(host));

  std::printf("%d chunks through %d streams: %d of %d values are wrong\n", chunks, streams, wrong,
              n);
  std::printf("the measured time is %s\n", milliseconds > 0 ? "positive" : "NOT POSITIVE");
  return wrong == 0 && milliseconds > 0 ? 0 : 1;
}
