// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// N-body with shared tiles of float4 and the barrier inside 'if (i < n)': with a partial last
// block, exited or idle threads must not make the barrier hang.
#include "check.h"

const int blockSize = 64;

__device__ float3 attract(float3 sum, float4 own, float4 other) {
  const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
  const float square = dx * dx + dy * dy + dz * dz + 1e-3f;
  const float inverse = rsqrtf(square);
  const float strength = other.w * inverse * inverse * inverse;
  return make_float3(sum.x + dx * strength, sum.y + dy * strength, sum.z + dz * strength);
}

__global__ void forces(const float4 *bodies, float3 *out, int n) {
  __shared__ float4 tile[blockSize];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { // the last block's last warp is partial: 200 = 3 * 64 + 8
    float3 sum = make_float3(0, 0, 0);
    const int members = min(blockSize, n - int(blockIdx.x) * blockSize);
    for (int start = 0; start < n; start += members) {
      const int count = min(members, n - start);
      if (threadIdx.x < count)
        tile[threadIdx.x] = bodies[start + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < count; ++j)
        sum = attract(sum, bodies[i], tile[j]);
      __syncthreads();
    }
    out[i] = sum;
  }
}

int main() {
  const int n = 200;
  std::vector<float4> bodies(n);
  for (int i = 0; i < n; ++i)
    bodies[i] =
        make_float4(i * 37 % 101 / 50.0f, i * 53 % 97 / 50.0f, i * 71 % 89 / 50.0f, 0.5f + i % 3);
  DeviceBuffer<float4> in(bodies);
  DeviceBuffer<float3> out(n);
  forces<<<(n + blockSize - 1) / blockSize, blockSize>>>(in, out, n);
  const std::vector<float3> result = out.download();
  for (int i = 0; i < n; ++i) {
    double x = 0, y = 0, z = 0, size = 0;
    for (const float4 &other : bodies) {
      const double dx = double(other.x) - bodies[i].x, dy = double(other.y) - bodies[i].y,
                   dz = double(other.z) - bodies[i].z;
      const double strength = other.w * std::pow(dx * dx + dy * dy + dz * dz + 1e-3, -1.5);
      x += dx * strength;
      y += dy * strength;
      z += dz * strength;
      size += std::fabs(dx * strength) + std::fabs(dy * strength) + std::fabs(dz * strength);
    }
    CHECK_NEAR(result[i].x, x, 1e-5 * size);
    CHECK_NEAR(result[i].y, y, 1e-5 * size);
    CHECK_NEAR(result[i].z, z, 1e-5 * size);
  }
  RETURN_RESULT();
}
