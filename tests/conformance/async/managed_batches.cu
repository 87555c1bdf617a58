// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefetches and discards of managed memory in batches, and the memory pools of a place.
#include "check.h"

__global__ void add(int *data, int count, int value) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    data[i] += value;
}

void checkPrefetches() {
  constexpr int count = 4096;
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  int *first = nullptr, *second = nullptr;
  CHECK_CUDA(cudaMallocManaged(&first, count * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&second, count * sizeof(int)));
  for (int i = 0; i < count; ++i)
    first[i] = second[i] = i;
  void *ranges[] = {first, second};
  size_t sizes[] = {count * sizeof(int), count * sizeof(int)}, firsts[] = {0, 1};
  cudaMemLocation places[2] = {};
  places[0].type = cudaMemLocationTypeDevice;
  places[1].type = cudaMemLocationTypeHost;
  CHECK_CUDA(cudaMemPrefetchBatchAsync(ranges, sizes, 2, places, firsts, 2, 0, stream));
  add<<<1, 128, 0, stream>>>(first, count, 1);
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(first[77], 78);
  CHECK_EQ(second[77], 77);
  int where = -7;
  CHECK_CUDA(cudaMemRangeGetAttribute(&where, sizeof where,
                                      cudaMemRangeAttributeLastPrefetchLocation, first, 4096));
  CHECK_EQ(where, 0);
  CHECK_CUDA(cudaMemRangeGetAttribute(&where, sizeof where,
                                      cudaMemRangeAttributeLastPrefetchLocation, second, 4096));
  CHECK_EQ(where, cudaCpuDeviceId);

  // What is written after a discard stays.
  CHECK_CUDA(cudaMemDiscardBatchAsync(ranges, sizes, 1, 0, stream));
  CHECK_CUDA(cudaMemsetAsync(first, 0, sizes[0], stream));
  CHECK_CUDA(
      cudaMemDiscardAndPrefetchBatchAsync(ranges + 1, sizes + 1, 1, places, firsts, 1, 0, stream));
  CHECK_CUDA(cudaMemsetAsync(second, 0xff, sizes[1], stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(first[77], 0);
  CHECK_EQ(second[77], -1);

  CHECK_EQ(cudaMemPrefetchBatchAsync(ranges, sizes, 2, places, firsts, 2, 1, stream),
           cudaErrorInvalidValue);
  CHECK_EQ(cudaMemPrefetchBatchAsync(ranges, sizes, 1, places, firsts, 2, 0, stream),
           cudaErrorInvalidValue);
  CHECK_EQ(cudaMemDiscardBatchAsync(ranges, sizes, 0, 0, stream), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemDiscardBatchAsync(ranges, sizes, 2, 0, nullptr), cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK_CUDA(cudaFree(first));
  CHECK_CUDA(cudaFree(second));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

void checkPools() {
  cudaMemLocation device = {};
  device.type = cudaMemLocationTypeDevice;
  cudaMemPool_t of_device = nullptr, of_place = nullptr, made = nullptr;
  CHECK_CUDA(cudaDeviceGetDefaultMemPool(&of_device, 0));
  CHECK_CUDA(cudaMemGetDefaultMemPool(&of_place, &device, cudaMemAllocationTypePinned));
  CHECK_EQ(of_place, of_device);
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = device;
  CHECK_CUDA(cudaMemPoolCreate(&made, &properties));
  CHECK_CUDA(cudaMemSetMemPool(&device, cudaMemAllocationTypePinned, made));
  CHECK_CUDA(cudaMemGetMemPool(&of_place, &device, cudaMemAllocationTypePinned));
  CHECK_EQ(of_place, made);
  CHECK_CUDA(cudaDeviceGetMemPool(&of_device, 0));
  CHECK_EQ(of_device, made);
  CHECK_EQ(cudaMemGetMemPool(&of_place, &device, cudaMemAllocationTypeInvalid),
           cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK_CUDA(cudaMemPoolDestroy(made));
}

int main() {
  checkPrefetches();
  checkPools();
  RETURN_RESULT();
}
