// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduction of the whole array in one cooperative launch: grid.sync() must wait for all blocks.
#include "check.h"
#include "random_floats.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void reduceGrid(const float *in, float *partial, float *total, int n) {
  const cg::grid_group grid = cg::this_grid();
  float sum = 0;
  for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size())
    sum += in[i];
  partial[grid.thread_rank()] = sum;
  for (unsigned long long half = grid.size() / 2; half > 0; half /= 2) {
    grid.sync();
    if (grid.thread_rank() < half)
      partial[grid.thread_rank()] += partial[grid.thread_rank() + half];
  }
  if (grid.thread_rank() == 0)
    *total = partial[0];
}

int main() {
  int supported = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
  CHECK_EQ(supported, 1);
  int n = 1 << 16;
  const int blocks = 16, threads = 128;
  const std::vector<float> values = randomFloats(n);
  const double expected = sumOf(values);
  DeviceBuffer<float> in(values), partial(blocks * threads), total(1);
  const float *inPointer = in;
  float *partialPointer = partial, *totalPointer = total;
  void *arguments[] = {&inPointer, &partialPointer, &totalPointer, &n};
  CHECK_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<void *>(reduceGrid), dim3(blocks),
                                         dim3(threads), arguments, 0, nullptr));
  CHECK_NEAR(total.download()[0], expected, 1e-5 * expected);
  RETURN_RESULT();
}
