// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The third source file of several_files.cu: plain C++ that calls the CUDA runtime.
#include "several_files.h"

#include <vector>

int hostOnly(const int *deviceData, int n) {
  std::vector<int> values(n);
  if (cudaMemcpy(values.data(), deviceData, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess)
    return -1;
  int sum = 0;
  for (int value : values)
    sum += value;
  return sum;
}
