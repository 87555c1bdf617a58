// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What several files have and a program has once: inline and template functions, C++17's inline
// variables, variables of inline and template functions.
// flags: -rdc=true -std=c++17
// also: parts/merged_there.cu
#include "check.h"
#include "parts/merged.h"

__global__ void useHere(int *out) {
  out[0] = ++calls();
  out[1] = ++*used<int>();
  out[2] = ++shared_by_all;
  out[3] = *used<short>(); // only this file has it
  out[4] = power<3>(2);
}

int main() {
  DeviceBuffer<int> out(5);
  const int first[] = {101, 8, 61, 7, 8}, third[] = {103, 10, 63, 7, 8};
  useHere<<<1, 1>>>(out);
  for (int i = 0; i < 5; ++i)
    CHECK_EQ(out.download()[i], first[i]);
  useThere(out);
  CHECK_EQ(out.download()[0], 102);
  CHECK_EQ(out.download()[1], 9);
  CHECK_EQ(out.download()[2], 62);
  CHECK_EQ(out.download()[4], 81);
  useHere<<<1, 1>>>(out);
  for (int i = 0; i < 5; ++i)
    CHECK_EQ(out.download()[i], third[i]);
  int value = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&value, shared_by_all, sizeof value));
  CHECK_EQ(value, 63);
  RETURN_RESULT();
}
