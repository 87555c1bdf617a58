// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quicksort by device recursion in single threads, each on its own segment: recursion with
// pointers into global memory.
#include "check.h"
#include <algorithm>

__device__ void quicksort(int *first, int *last) {
  if (last - first < 2)
    return;
  const int pivot = first[(last - first) / 2];
  int *low = first, *high = last - 1;
  while (low <= high) {
    while (*low < pivot)
      ++low;
    while (*high > pivot)
      --high;
    if (low <= high) {
      const int moved = *low;
      *low++ = *high;
      *high-- = moved;
    }
  }
  quicksort(first, high + 1);
  quicksort(low, last);
}

__global__ void sortSegments(int *data, int length) {
  int *segment = data + (blockIdx.x * blockDim.x + threadIdx.x) * length;
  quicksort(segment, segment + length);
}

int main() {
  const int segments = 64, length = 100;
  std::vector<int> values(segments * length);
  unsigned state = 7;
  for (int &value : values) {
    state = state * 1664525u + 1013904223u;
    value = int(state >> 16) % 200;
  }
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 16 * 1024));
  DeviceBuffer<int> device(values);
  sortSegments<<<2, segments / 2>>>(device, length);
  for (int i = 0; i < segments; ++i)
    std::sort(values.begin() + i * length, values.begin() + (i + 1) * length);
  CHECK(device.download() == values);
  RETURN_RESULT();
}
