// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A memory pool given to another process as a file descriptor, and its allocations one by one.
#include "check.h"
#include "processes.h"

#include <cstdint>

constexpr int count = 5000;

__global__ void fill(int *to, int first) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    to[i] = first + i;
}

__global__ void negate(int *to) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    to[i] = -to[i];
}

static int owner(const Peer &peer) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  cudaMemPool_t pool, plain;
  CHECK_CUDA(cudaMemPoolCreate(&pool, &properties));
  int descriptor = -1;
  CHECK_CUDA(cudaMemPoolExportToShareableHandle(&descriptor, pool,
                                                cudaMemHandleTypePosixFileDescriptor, 0));
  peer.sendDescriptor(descriptor);
  close(descriptor);

  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  void *memory;
  CHECK_CUDA(cudaMallocFromPoolAsync(&memory, count * sizeof(int), pool, stream));
  fill<<<(count + 255) / 256, 256, 0, stream>>>(static_cast<int *>(memory), 7);
  CHECK_CUDA(cudaStreamSynchronize(stream));
  cudaMemPoolPtrExportData data;
  CHECK_CUDA(cudaMemPoolExportPointer(&data, memory));
  peer.send(data);
  peer.meet(); // the other process has negated
  std::vector<int> values(count);
  CHECK_CUDA(cudaMemcpy(values.data(), memory, count * sizeof(int), cudaMemcpyDefault));
  for (int i = 0; i < count; ++i)
    CHECK_EQ(values[size_t(i)], -(7 + i));
  CHECK_CUDA(cudaFreeAsync(memory, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));

  // A pool that was not made for it, and memory of no pool.
  properties.handleTypes = cudaMemHandleTypeNone;
  CHECK_CUDA(cudaMemPoolCreate(&plain, &properties));
  CHECK_EQ(cudaMemPoolExportToShareableHandle(&descriptor, plain,
                                              cudaMemHandleTypePosixFileDescriptor, 0),
           cudaErrorInvalidValue);
  CHECK_CUDA(cudaMalloc(&memory, 4096));
  CHECK_EQ(cudaMemPoolExportPointer(&data, memory), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(memory));
  CHECK_CUDA(cudaMemPoolDestroy(plain));
  CHECK_CUDA(cudaMemPoolDestroy(pool));
  RETURN_RESULT();
}

static int user(const Peer &peer) {
  const int descriptor = peer.receiveDescriptor();
  auto data = peer.receive<cudaMemPoolPtrExportData>();
  cudaMemPool_t pool;
  void *memory = nullptr, *fresh = nullptr;
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaMemPoolImportFromShareableHandle(
      &pool, reinterpret_cast<void *>(static_cast<uintptr_t>(descriptor)),
      cudaMemHandleTypePosixFileDescriptor, 0));
  close(descriptor);
  CHECK_EQ(cudaMallocFromPoolAsync(&fresh, 64, pool, stream) != cudaSuccess, true);
  CHECK_CUDA(cudaMemPoolImportPointer(&memory, pool, &data));
  negate<<<(count + 255) / 256, 256, 0, stream>>>(static_cast<int *>(memory));
  CHECK_CUDA(cudaFreeAsync(memory, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  peer.meet();
  CHECK_CUDA(cudaMemPoolDestroy(pool));
  RETURN_RESULT();
}

int main() { return inTwoProcesses(owner, user); }
