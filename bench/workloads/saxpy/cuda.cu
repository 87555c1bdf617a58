// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid-stride loop: a grid as large as keeps the GPU busy, whatever n is.
#include "common/cuda.h"
#include "problem.h"

__global__ void saxpyKernel(int n, float a, const float *x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = a * x[i] + y[i];
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  saxpy::Problem problem(options);
  const int n = int(problem.n);
  const float *x = bench::toDevice(problem.x);
  float *y = bench::toDevice(problem.y);
  int processors = 0;
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));

  return bench::measure(
      options, saxpy::name, problem.bytes(), problem.flops(),
      [&] {
        saxpyKernel<<<32 * processors, 256>>>(n, problem.a, x, y);
        bench::finish();
        problem.ran();
      },
      [&] { return problem.check(bench::toHost(y, problem.n)); });
}
