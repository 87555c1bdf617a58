// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __constant__ structures and arrays: initial values, copies from the host, and indices that
// differ between lanes.
#include "check.h"

struct Settings {
  int count;
  double factor;
  float weights[4];
  char name[8];
};

__constant__ Settings settings;
__constant__ int initialised[4] = {10, 20, 30, 40};
__constant__ Settings initialisedStruct = {3, 0.5, {1, 2, 3, 4}, "abc"};

__global__ void readConstants(double *out) {
  const int t = threadIdx.x;
  out[t] = settings.count + settings.factor * settings.weights[t % 4] + settings.name[t % 3] +
           initialised[(t + 1) % 4] +
           initialisedStruct.weights[3 - t % 4] * initialisedStruct.factor +
           initialisedStruct.name[1];
}

int main() {
  const Settings host = {7, 2.5, {0.5f, 1.5f, 2.5f, 3.5f}, "xyz"};
  CHECK_CUDA(cudaMemcpyToSymbol(settings, &host, sizeof host));
  DeviceBuffer<double> out(32);
  readConstants<<<1, 32>>>(out);
  const std::vector<double> result = out.download();
  for (int t = 0; t < 32; ++t)
    CHECK_EQ(result[t], 7 + 2.5 * (0.5 + t % 4) + "xyz"[t % 3] + ((t + 1) % 4 + 1) * 10 +
                            (4 - t % 4) * 0.5 + 'b');
  RETURN_RESULT();
}
