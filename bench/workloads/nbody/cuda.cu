// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

constexpr int TILE = 256;

// Each thread sums up what pulls its body. The block loads the others a tile at a time.
__global__ void accelerate(float4 *accelerations, const float4 *bodies, int n) {
  __shared__ float4 tile[TILE];
  const int i = blockIdx.x * TILE + threadIdx.x;
  const float4 none = make_float4(0, 0, 0, 0); // no mass, so it attracts no body
  const float4 own = i < n ? bodies[i] : none;
  float3 sum = make_float3(0, 0, 0);
  for (int start = 0; start < n; start += TILE) {
    const int mine = start + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : none;
    __syncthreads();
    for (int j = 0; j < TILE; ++j) {
      const float4 other = tile[j];
      const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + nbody::softening);
      const float strength = other.w * inverse * inverse * inverse;
      sum.x += dx * strength;
      sum.y += dy * strength;
      sum.z += dz * strength;
    }
    __syncthreads();
  }
  if (i < n)
    accelerations[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const nbody::Problem problem(options);
  const int n = int(problem.n);
  const nbody::Float4 *bodies = bench::toDevice(problem.bodies);
  nbody::Float4 *accelerations = bench::onDevice<nbody::Float4>(problem.n);

  return bench::measure(
      options, nbody::name, problem.bytes(), problem.flops(),
      [&] {
        accelerate<<<(n + TILE - 1) / TILE, TILE>>>(reinterpret_cast<float4 *>(accelerations),
                                                    reinterpret_cast<const float4 *>(bodies), n);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(accelerations, problem.n)); });
}
