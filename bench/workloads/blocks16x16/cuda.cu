// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

using smoothing::radius;
using smoothing::size;

__constant__ float closeness[size * size];

__global__ void smooth(const float *in, float *out, int width, int height, float sharpness) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const float own = in[y * width + x];
  float sum = 0, weights = 0;
  for (int j = -radius; j <= radius; ++j) {
    const int row = min(max(y + j, 0), height - 1);
    for (int i = -radius; i <= radius; ++i) {
      const int column = min(max(x + i, 0), width - 1);
      const float value = in[row * width + column], difference = value - own;
      const float weight = closeness[(j + radius) * size + i + radius] /
                           (1.0f + difference * difference * sharpness);
      sum += weight * value;
      weights += weight;
    }
  }
  out[y * width + x] = sum / weights;
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const smoothing::Problem problem(options);
  const int width = problem.width, height = problem.height;
  const float *in = bench::toDevice(problem.image);
  float *out = bench::onDevice<float>(problem.elements());
  CHECK(cudaMemcpyToSymbol(closeness, problem.closeness, sizeof problem.closeness));
  const dim3 threads(16, 16), blocks((width + 15) / 16, (height + 15) / 16);

  return bench::measure(
      options, smoothing::name, problem.bytes(), problem.flops(),
      [&] {
        smooth<<<blocks, threads>>>(in, out, width, height, smoothing::sharpness);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(out, problem.elements())); });
}
