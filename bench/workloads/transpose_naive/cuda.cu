// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

__global__ void transposeKernel(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[x * height + y] = in[y * width + x];
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const transpose::Problem problem(options);
  const int width = problem.width, height = problem.height;
  const float *in = bench::toDevice(problem.input);
  float *out = bench::onDevice<float>(problem.elements());
  const dim3 threads(16, 16), blocks((width + 15) / 16, (height + 15) / 16);

  return bench::measure(
      options, workload, problem.bytes(), 0,
      [&] {
        transposeKernel<<<blocks, threads>>>(in, out, width, height);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(out, problem.elements())); });
}
