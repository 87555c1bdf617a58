// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// malloc and new in a kernel give null when the heap is full; that is no error.
#include "check.h"

__global__ void allocate(int *results) {
  results[0] = malloc(size_t(1) << 33) == nullptr;
  int blocks = 0;
  char *last = nullptr, *block;
  while (blocks < 100 && (block = static_cast<char *>(malloc(1 << 20)))) {
    *reinterpret_cast<char **>(block) = last;
    last = block;
    ++blocks;
  }
  results[1] = blocks;
  while (last) {
    char *next = *reinterpret_cast<char **>(last);
    free(last);
    last = next;
  }
  void *again = malloc(1 << 20);
  results[2] = again != nullptr;
  free(again);
}

int main() {
  DeviceBuffer<int> results(3);
  allocate<<<1, 1>>>(results);
  const std::vector<int> result = results.download();
  CHECK_EQ(result[0], 1);
  CHECK(result[1] >= 5 && result[1] <= 32); // 8 MiB, and what a GPU adds
  CHECK_EQ(result[2], 1);
  RETURN_RESULT();
}
