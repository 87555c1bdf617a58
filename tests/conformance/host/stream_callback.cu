// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream callbacks run after the work before them, get their arguments, and the stream's later
// work waits for them. CUDART_CB may stand before the function's name.
// env: CUDA_MODULE_LOADING=EAGER
#include "gate.h"
#include <atomic>

struct Call {
  cudaStream_t stream = nullptr;
  cudaError_t status = cudaErrorUnknown;
  int value = -1;
  int *pinned = nullptr;
  std::atomic<int> calls{0};
};

static void CUDART_CB onDone(cudaStream_t stream, cudaError_t status, void *data) {
  Call *call = static_cast<Call *>(data);
  call->stream = stream;
  call->status = status;
  call->value = *call->pinned; // what the copy before the callback wrote
  *call->pinned = 100;         // what the copy after it reads
  ++call->calls;
}

__global__ void setTo(int *p, int value) { *p = value; }

int main() {
  Gate gate;
  DeviceBuffer<int> memory(1);
  Stream stream(cudaStreamNonBlocking);
  Call call;
  CHECK_CUDA(cudaMallocHost(&call.pinned, sizeof(int)));
  *call.pinned = 0;
  gate.holdUp(stream);
  setTo<<<1, 1, 0, stream>>>(memory.data(), 42);
  CHECK_CUDA(cudaMemcpyAsync(call.pinned, memory, sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamAddCallback(stream, onDone, &call, 0));
  CHECK_CUDA(cudaMemcpyAsync(memory, call.pinned, sizeof(int), cudaMemcpyHostToDevice, stream));
  CHECK_EQ(call.calls.load(), 0);
  gate.open();
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(call.calls.load(), 1);
  CHECK_EQ(call.status, cudaSuccess);
  CHECK(call.stream == stream);
  CHECK_EQ(call.value, 42);
  CHECK_EQ(memory.download()[0], 100);
  CHECK_CUDA(cudaFreeHost(call.pinned));
  RETURN_RESULT();
}
