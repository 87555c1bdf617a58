// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define RADIUS 2
#define SIZE (2 * RADIUS + 1)

__kernel void smooth(__global const float *in, __global float *out, int width, int height,
                     float sharpness, __constant float *closeness) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  const float own = in[y * width + x];
  float sum = 0, weights = 0;
  for (int j = -RADIUS; j <= RADIUS; ++j) {
    const int row = min(max(y + j, 0), height - 1);
    for (int i = -RADIUS; i <= RADIUS; ++i) {
      const int column = min(max(x + i, 0), width - 1);
      const float value = in[row * width + column], difference = value - own;
      const float weight = closeness[(j + RADIUS) * SIZE + i + RADIUS] /
                           (1.0f + difference * difference * sharpness);
      sum += weight * value;
      weights += weight;
    }
  }
  out[y * width + x] = sum / weights;
}
