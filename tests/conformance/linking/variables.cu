// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __device__ and __constant__ variables of another file: read and written by kernels and by the
// host of both files, arrays of unknown size, initial values that are addresses in the other file.
// flags: -rdc=true
// also: parts/variables_there.cu
#include "check.h"
#include "parts/variables.h"

__device__ int here = 70;
__device__ int *to_there = &there; // of the other file
__device__ int *to_element = &table[2];

__global__ void readAll(int *out) {
  out[0] = there;
  out[1] = table[3];
  out[2] = coefficients[1];
  out[3] = *to_there + 1;
  out[4] = *to_element;
  out[5] = *to_here; // of the other file, to this one's
  out[6] = settings.scale * settings.offset;
  there += 5;
  *to_here += 1;
}

int main() {
  DeviceBuffer<int> out(7);
  readAll<<<1, 1>>>(out);
  std::vector<int> got = out.download();
  const int initial[] = {30, 4, 20, 31, 3, 70, 42};
  for (int i = 0; i < 7; ++i)
    CHECK_EQ(got[i], initial[i]);
  CHECK_EQ(readThereOnItsSide(), 35);

  int value = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&value, there, sizeof value));
  CHECK_EQ(value, 35);
  CHECK_CUDA(cudaMemcpyFromSymbol(&value, here, sizeof value));
  CHECK_EQ(value, 71);

  value = 900;
  CHECK_CUDA(cudaMemcpyToSymbol(there, &value, sizeof value));
  const int others[] = {-1, -2, -3};
  CHECK_CUDA(cudaMemcpyToSymbol(coefficients, others, sizeof others));
  setTableOnItsSide(8);
  readAll<<<1, 1>>>(out);
  got = out.download();
  const int changed[] = {900, 11, -2, 901, 10, 71, 42};
  for (int i = 0; i < 7; ++i)
    CHECK_EQ(got[i], changed[i]);

  // One address for one variable, from wherever it is asked for.
  void *address = nullptr;
  CHECK_CUDA(cudaGetSymbolAddress(&address, there));
  CHECK(address == addressOfThereOnItsSide());
  size_t size = 0;
  CHECK_CUDA(cudaGetSymbolSize(&size, settings));
  CHECK_EQ(size, sizeof(Settings));
  RETURN_RESULT();
}
