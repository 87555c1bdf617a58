// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host variables given where a variable on the device is due, and copies past a symbol's end.
#include "check.h"

__device__ int onDevice[4];
static int onHost[4];

int main() {
  int values[8] = {};
  void *address = nullptr;
  size_t size = 0;
  CHECK_EQ(cudaMemcpyToSymbol(onHost, values, 4), cudaErrorInvalidSymbol);
  CHECK_EQ(cudaMemcpyFromSymbol(values, onHost, 4), cudaErrorInvalidSymbol);
  CHECK_EQ(cudaGetSymbolAddress(&address, onHost), cudaErrorInvalidSymbol);
  CHECK_EQ(cudaGetSymbolSize(&size, onHost), cudaErrorInvalidSymbol);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidSymbol);
  CHECK_EQ(cudaMemcpyToSymbol(onDevice, values, sizeof values), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemcpyToSymbol(onDevice, values, 8, 12), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CHECK_CUDA(cudaMemcpyToSymbol(onDevice, values, 4, 12));
  RETURN_RESULT();
}
