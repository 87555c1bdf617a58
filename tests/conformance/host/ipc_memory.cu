// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device memory of one process in another: kernels of both see each other's writes; the same handle
// opened twice is the same pointer; small allocations beside each other stay apart.
#include "check.h"
#include "processes.h"

constexpr int small = 100, large = 1 << 20;

__global__ void fill(int *to, int n, int first) {
  for (int i = int(threadIdx.x); i < n; i += int(blockDim.x))
    to[i] = first + i;
}

__global__ void add(int *to, int n, int what) {
  for (int i = int(threadIdx.x); i < n; i += int(blockDim.x))
    to[i] += what;
}

static int countWrong(const int *device, int n, int first) {
  std::vector<int> values(static_cast<size_t>(n));
  CHECK_CUDA(cudaMemcpy(values.data(), device, values.size() * sizeof(int), cudaMemcpyDefault));
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += values[size_t(i)] != first + i;
  return wrong;
}

static int owner(const Peer &peer) {
  int *a, *b, *c;
  CHECK_CUDA(cudaMalloc(&a, small * sizeof(int)));
  CHECK_CUDA(cudaMalloc(&b, small * sizeof(int)));
  CHECK_CUDA(cudaMalloc(&c, large * sizeof(int)));
  fill<<<1, 128>>>(a, small, 1000);
  fill<<<1, 128>>>(b, small, 2000);
  fill<<<1, 128>>>(c, large, 3000);
  cudaIpcMemHandle_t handles[2];
  CHECK_CUDA(cudaIpcGetMemHandle(&handles[0], a));
  CHECK_CUDA(cudaIpcGetMemHandle(&handles[1], c));
  CHECK_EQ(countWrong(a, small, 1000), 0);
  peer.send(handles);
  peer.meet(); // the other process has added
  CHECK_EQ(countWrong(a, small, 1005), 0);
  CHECK_EQ(countWrong(b, small, 2000), 0);
  CHECK_EQ(countWrong(c, large, 3007), 0);
  add<<<1, 128>>>(c, large, 10);
  CHECK_CUDA(cudaDeviceSynchronize());
  peer.meet(); // the other process looks
  peer.meet(); // and has closed
  CHECK_EQ(countWrong(c, large, 3017), 0);
  CHECK_CUDA(cudaFree(a));
  CHECK_CUDA(cudaFree(b));
  CHECK_CUDA(cudaFree(c));

  int *managed;
  int host = 0;
  cudaIpcMemHandle_t handle;
  CHECK_CUDA(cudaMallocManaged(&managed, 4096));
  CHECK_EQ(cudaIpcGetMemHandle(&handle, managed), cudaErrorInvalidValue);
  CHECK_EQ(cudaIpcGetMemHandle(&handle, &host), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(managed));
  RETURN_RESULT();
}

static int user(const Peer &peer) {
  struct Handles {
    cudaIpcMemHandle_t handles[2];
  };
  const Handles handles = peer.receive<Handles>();
  void *a = nullptr, *c = nullptr, *again = nullptr;
  CHECK_CUDA(cudaIpcOpenMemHandle(&a, handles.handles[0], cudaIpcMemLazyEnablePeerAccess));
  CHECK_CUDA(cudaIpcOpenMemHandle(&c, handles.handles[1], cudaIpcMemLazyEnablePeerAccess));
  CHECK_CUDA(cudaIpcOpenMemHandle(&again, handles.handles[1], cudaIpcMemLazyEnablePeerAccess));
  CHECK_EQ(again == c, true);
  CHECK_CUDA(cudaIpcCloseMemHandle(again));
  cudaPointerAttributes attributes;
  CHECK_CUDA(cudaPointerGetAttributes(&attributes, c));
  CHECK_EQ(attributes.type, cudaMemoryTypeDevice);
  add<<<1, 128>>>(static_cast<int *>(a), small, 5);
  add<<<1, 128>>>(static_cast<int *>(c), large, 7);
  CHECK_CUDA(cudaDeviceSynchronize());
  peer.meet();
  peer.meet();
  CHECK_EQ(countWrong(static_cast<int *>(c), large, 3017), 0);
  CHECK_CUDA(cudaIpcCloseMemHandle(a));
  CHECK_CUDA(cudaIpcCloseMemHandle(c));
  CHECK_EQ(cudaIpcCloseMemHandle(c), cudaErrorInvalidValue);
  peer.meet();
  RETURN_RESULT();
}

int main() { return inTwoProcesses(owner, user); }
