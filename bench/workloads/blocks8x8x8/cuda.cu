// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

__global__ void diffuse(const float *in, float *out, int side, float centre, float neighbour) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= side || y >= side || z >= side)
    return;
  const int plane = side * side, i = z * plane + y * side + x;
  if (x == 0 || x == side - 1 || y == 0 || y == side - 1 || z == 0 || z == side - 1) {
    out[i] = in[i];
    return;
  }
  out[i] = centre * in[i] + neighbour * (in[i - 1] + in[i + 1] + in[i - side] + in[i + side] +
                                         in[i - plane] + in[i + plane]);
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const diffusion::Problem problem(options);
  const int side = problem.side, blocksAlong = (side + 7) / 8;
  const float *in = bench::toDevice(problem.cells);
  float *out = bench::onDevice<float>(problem.count());
  const dim3 threads(8, 8, 8), blocks(blocksAlong, blocksAlong, blocksAlong);

  return bench::measure(
      options, diffusion::name, problem.bytes(), problem.flops(),
      [&] {
        diffuse<<<blocks, threads>>>(in, out, side, diffusion::centre, diffusion::neighbour);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(out, problem.count())); });
}
