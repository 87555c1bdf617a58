// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

__global__ void triadKernel(float *a, const float *b, const float *c, float scalar, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = b[i] + scalar * c[i];
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const triad::Problem problem(options);
  const int n = int(problem.n);
  float *a = bench::onDevice<float>(problem.n);
  const float *b = bench::toDevice(problem.b);
  const float *c = bench::toDevice(problem.c);

  return bench::measure(
      options, triad::name, problem.bytes(), problem.flops(),
      [&] {
        triadKernel<<<(n + 255) / 256, 256>>>(a, b, c, triad::scalar, n);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(a, problem.n)); });
}
