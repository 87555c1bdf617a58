// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TILE and SOFTENING are defined by the host.
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
accelerate(__global float4 *accelerations, __global const float4 *bodies, int n) {
  __local float4 tile[TILE];
  const int i = get_global_id(0), thread = get_local_id(0);
  const float4 none = (float4)(0);
  const float4 own = i < n ? bodies[i] : none;
  float x = 0, y = 0, z = 0;
  for (int start = 0; start < n; start += TILE) {
    tile[thread] = start + thread < n ? bodies[start + thread] : none;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < TILE; ++j) {
      const float4 other = tile[j];
      const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
      const float strength = other.w * inverse * inverse * inverse;
      x += dx * strength;
      y += dy * strength;
      z += dz * strength;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n)
    accelerations[i] = (float4)(x, y, z, 0);
}
