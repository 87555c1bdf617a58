// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host function that promises a value and ends without one. With nvcc it works unless the host
// compiler optimises (g++ 12 ends the program then); Heddle's does not mind.
#include "check.h"

#pragma clang diagnostic ignored "-Wreturn-type"

__global__ void fill(int *out) { out[threadIdx.x] = int(threadIdx.x); }

static cudaError_t launch(int *out) { fill<<<1, 64>>>(out); }

int main() {
  DeviceBuffer<int> out(std::vector<int>(64, -1));
  launch(out.data());
  const std::vector<int> found = out.download();
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(found[i], i);
  RETURN_RESULT();
}
