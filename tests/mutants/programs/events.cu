// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams that hand memory to each other by events: a pipeline, a fork and its join, and a ring.
#include "check.h"

const int n = 256;

__global__ void fill(int *to, int value) { to[threadIdx.x] = value + threadIdx.x; }
__global__ void twice(const int *from, int *to) { to[threadIdx.x] = 2 * from[n - 1 - threadIdx.x]; }
__global__ void add(const int *a, const int *b, int *to) {
  to[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

cudaStream_t streams[3];
cudaEvent_t events[4];

void pipeline() {
  DeviceBuffer<int> a(n), b(n), c(n);
  fill<<<1, n, 0, streams[0]>>>(a, 1);
  CHECK_CUDA(cudaEventRecord(events[0], streams[0]));
  CHECK_CUDA(cudaStreamWaitEvent(streams[1], events[0], 0));
  twice<<<1, n, 0, streams[1]>>>(a, b);
  CHECK_CUDA(cudaEventRecord(events[1], streams[1]));
  CHECK_CUDA(cudaStreamWaitEvent(streams[2], events[1], 0));
  twice<<<1, n, 0, streams[2]>>>(b, c);
  const auto result = c.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(result[i], 4 * (1 + i));
}

void forkAndJoin() {
  DeviceBuffer<int> a(n), b(n), c(n), sum(n);
  fill<<<1, n, 0, streams[0]>>>(a, 3);
  CHECK_CUDA(cudaEventRecord(events[0], streams[0]));
  CHECK_CUDA(cudaStreamWaitEvent(streams[1], events[0], 0));
  CHECK_CUDA(cudaStreamWaitEvent(streams[2], events[0], 0));
  twice<<<1, n, 0, streams[1]>>>(a, b);
  twice<<<1, n, 0, streams[2]>>>(a, c);
  CHECK_CUDA(cudaEventRecord(events[1], streams[1]));
  CHECK_CUDA(cudaEventRecord(events[2], streams[2]));
  CHECK_CUDA(cudaStreamWaitEvent(streams[0], events[1], 0));
  CHECK_CUDA(cudaStreamWaitEvent(streams[0], events[2], 0));
  add<<<1, n, 0, streams[0]>>>(b, c, sum);
  const auto result = sum.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(result[i], 4 * (3 + n - 1 - i));
}

// Two buffers: the writer must not come round before the reader has gone.
void ring() {
  DeviceBuffer<int> a(n), out(3 * n);
  for (int round = 0; round < 3; ++round) {
    CHECK_CUDA(cudaStreamWaitEvent(streams[0], events[3], 0));
    fill<<<1, n, 0, streams[0]>>>(a, round);
    CHECK_CUDA(cudaEventRecord(events[0], streams[0]));
    CHECK_CUDA(cudaStreamWaitEvent(streams[1], events[0], 0));
    twice<<<1, n, 0, streams[1]>>>(a, out + round * n);
    CHECK_CUDA(cudaEventRecord(events[3], streams[1]));
  }
  const auto result = out.download();
  for (int i = 0; i < 3 * n; ++i)
    CHECK_EQ(result[i], 2 * (i / n + n - 1 - i % n));
}

int main() {
  for (auto &stream : streams)
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (auto &event : events)
    CHECK_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  pipeline();
  forkAndJoin();
  ring();
  RETURN_RESULT();
}
