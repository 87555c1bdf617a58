// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plain C++ part of mixed_sources.cu: no CUDA language, but the runtime API.
#include "mixed.h"

#include <cuda_runtime.h>
#include <numeric>
#include <vector>

#ifdef __CUDACC__
#error "a .cpp file is host code"
#endif

int runInCpp(int n) {
  std::vector<int> values(n, 3);
  int *data = nullptr;
  if (cudaMalloc(&data, n * sizeof(int)) != cudaSuccess)
    return -1;
  cudaMemcpy(data, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  launchAddOne(data, n);
  launchDoubling(data, n);
  if (cudaMemcpy(values.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess)
    return -2;
  cudaFree(data);
  return std::accumulate(values.begin(), values.end(), 0);
}
