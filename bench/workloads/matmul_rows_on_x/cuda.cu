// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

__global__ void multiply(const float *a, const float *b, float *c, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const matmul::Problem problem(options);
  const int n = problem.n;
  const float *a = bench::toDevice(problem.a), *b = bench::toDevice(problem.b);
  float *c = bench::onDevice<float>(problem.elements());
  const dim3 threads(16, 16), blocks((n + 15) / 16, (n + 15) / 16);

  return bench::measure(
      options, workload, problem.bytes(), problem.flops(),
      [&] {
        multiply<<<blocks, threads>>>(a, b, c, n);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(c, problem.elements())); });
}
