// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// Quicksort: each grid parts its range, and launches a grid for each side in a stream of its own.
#include "../check.h"

#include <algorithm>

__global__ void sort(int *values, int left, int right) {
  if (right - left <= 16) {
    for (int i = left + 1; i <= right; ++i)
      for (int j = i; j > left && values[j - 1] > values[j]; --j) {
        const int swapped = values[j];
        values[j] = values[j - 1];
        values[j - 1] = swapped;
      }
    return;
  }
  int low = left, high = right;
  const int pivot = values[(left + right) / 2];
  while (low <= high) {
    while (values[low] < pivot)
      ++low;
    while (values[high] > pivot)
      --high;
    if (low <= high) {
      const int swapped = values[low];
      values[low++] = values[high];
      values[high--] = swapped;
    }
  }
  cudaStream_t stream;
  if (left < high) {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    sort<<<1, 1, 0, stream>>>(values, left, high);
    cudaStreamDestroy(stream);
  }
  if (low < right) {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    sort<<<1, 1, 0, stream>>>(values, low, right);
    cudaStreamDestroy(stream);
  }
}

int main() {
  std::vector<int> values(5000);
  unsigned state = 1;
  for (int &value : values)
    value = int((state = state * 1664525u + 1013904223u) >> 8) % 10000;
  DeviceBuffer<int> sorted(values);
  sort<<<1, 1>>>(sorted, 0, 4999);
  const std::vector<int> got = sorted.download();
  std::sort(values.begin(), values.end());
  CHECK(got == values);
  RETURN_RESULT();
}
