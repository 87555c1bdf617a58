// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __managed__ variables: host and kernels use the same one, scalars, arrays and structs, by name.
#include "check.h"

struct State {
  int steps;
  double total;
};

__managed__ State state = {1, 0.5};
__managed__ int history[16];

__global__ void step(double amount) {
  history[state.steps % 16] = state.steps;
  ++state.steps;
  state.total += amount;
}

int main() {
  CHECK_EQ(state.steps, 1);
  CHECK_EQ(state.total, 0.5);
  for (int i = 0; i < 5; ++i)
    step<<<1, 1>>>(2);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(state.steps, 6);
  CHECK_EQ(state.total, 10.5);
  CHECK_EQ(history[5], 5);
  state.steps = 100;
  step<<<1, 1>>>(-0.5);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(state.steps, 101);
  CHECK_EQ(state.total, 10);
  CHECK_EQ(history[100 % 16], 100);
  cudaPointerAttributes attributes;
  CHECK_CUDA(cudaPointerGetAttributes(&attributes, &state));
  CHECK_EQ(attributes.type, cudaMemoryTypeManaged);
  RETURN_RESULT();
}
