// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An event of two processes: one's stream waits for what the other's kernel does.
#include "check.h"
#include "processes.h"

// Takes its time, so that the other process would be too early if it did not wait.
__global__ void slowly(int *to, int value) {
  const long long start = clock64();
  while (clock64() - start < 200000000) {
  }
  *to = value;
}

__global__ void copy(int *to, const int *from) { *to = *from; }

static int recorder(const Peer &peer) {
  int *shared;
  cudaStream_t stream;
  cudaEvent_t event, own;
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t handle;
  CHECK_CUDA(cudaMalloc(&shared, sizeof(int)));
  CHECK_CUDA(cudaMemset(shared, 0, sizeof(int)));
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess));
  CHECK_CUDA(cudaIpcGetMemHandle(&memory, shared));
  CHECK_CUDA(cudaIpcGetEventHandle(&handle, event));
  peer.send(memory);
  peer.send(handle);
  peer.meet(); // the other process has opened both
  for (int round = 1; round <= 2; ++round) {
    slowly<<<1, 1, 0, stream>>>(shared, 42 * round);
    CHECK_CUDA(cudaEventRecord(event, stream));
    peer.meet(); // recorded
    peer.meet(); // waited
    CHECK_CUDA(cudaEventQuery(event));
  }
  CHECK_EQ(cudaEventCreateWithFlags(&own, cudaEventInterprocess), cudaErrorInvalidValue);
  CHECK_CUDA(cudaEventCreate(&own));
  CHECK_EQ(cudaIpcGetEventHandle(&handle, own) != cudaSuccess, true);
  CHECK_CUDA(cudaEventDestroy(event));
  RETURN_RESULT();
}

static int waiter(const Peer &peer) {
  const auto memory = peer.receive<cudaIpcMemHandle_t>();
  const auto handle = peer.receive<cudaIpcEventHandle_t>();
  void *shared;
  cudaEvent_t event;
  cudaStream_t stream;
  CHECK_CUDA(cudaIpcOpenMemHandle(&shared, memory, cudaIpcMemLazyEnablePeerAccess));
  CHECK_CUDA(cudaIpcOpenEventHandle(&event, handle));
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaEventQuery(event)); // never recorded
  DeviceBuffer<int> found(1);
  peer.meet();
  for (int round = 1; round <= 2; ++round) {
    peer.meet();
    if (round == 1)
      CHECK_CUDA(cudaStreamWaitEvent(stream, event, 0));
    else
      CHECK_CUDA(cudaEventSynchronize(event));
    copy<<<1, 1, 0, stream>>>(found, static_cast<int *>(shared));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    CHECK_EQ(found.download()[0], 42 * round);
    peer.meet();
  }
  CHECK_CUDA(cudaEventDestroy(event));
  CHECK_CUDA(cudaIpcCloseMemHandle(shared));
  RETURN_RESULT();
}

int main() { return inTwoProcesses(recorder, waiter); }
