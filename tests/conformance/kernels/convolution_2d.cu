// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 2-D convolution with a global filter, with a __constant__ filter, with a shared tile and halo,
// and a 5x5 Gaussian that leaves a border of 2 pixels alone.
#include "check.h"

const int radius = 2, width5 = 2 * radius + 1, tile = 16;

__constant__ float constantFilter[width5][width5];

__global__ void globalFilter(const float *in, const float *filter, float *out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float sum = 0;
  for (int j = 0; j < width5; ++j)
    for (int i = 0; i < width5; ++i) {
      const int u = x + i - radius, v = y + j - radius;
      if (u >= 0 && u < w && v >= 0 && v < h)
        sum += filter[j * width5 + i] * in[v * w + u];
    }
  out[y * w + x] = sum;
}

__global__ void sharedTile(const float *in, float *out, int w, int h) {
  __shared__ float shared[tile + 2 * radius][tile + 2 * radius];
  const int left = int(blockIdx.x) * tile - radius, top = int(blockIdx.y) * tile - radius;
  for (int j = threadIdx.y; j < tile + 2 * radius; j += blockDim.y)
    for (int i = threadIdx.x; i < tile + 2 * radius; i += blockDim.x) {
      const int u = left + i, v = top + j;
      shared[j][i] = u >= 0 && u < w && v >= 0 && v < h ? in[v * w + u] : 0;
    }
  __syncthreads();
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float sum = 0;
  for (int j = 0; j < width5; ++j)
    for (int i = 0; i < width5; ++i)
      sum += constantFilter[j][i] * shared[threadIdx.y + j][threadIdx.x + i];
  out[y * w + x] = sum;
}

__global__ void gaussianInside(const float *in, float *out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  if (x < radius || y < radius || x >= w - radius || y >= h - radius) {
    out[y * w + x] = in[y * w + x];
    return;
  }
  float sum = 0;
  for (int j = -radius; j <= radius; ++j)
    for (int i = -radius; i <= radius; ++i)
      sum += constantFilter[j + radius][i + radius] * in[(y + j) * w + x + i];
  out[y * w + x] = sum;
}

int main() {
  const int w = 101, h = 67;
  const float binomial[width5] = {1, 4, 6, 4, 1};
  std::vector<float> filter(width5 * width5), image(w * h);
  for (int j = 0; j < width5; ++j)
    for (int i = 0; i < width5; ++i)
      filter[j * width5 + i] = binomial[j] * binomial[i] / 256;
  for (int i = 0; i < w * h; ++i)
    image[i] = float(i * 97 % 256);
  CHECK_CUDA(cudaMemcpyToSymbol(constantFilter, filter.data(), filter.size() * sizeof(float)));
  DeviceBuffer<float> in(image), deviceFilter(filter), a(w * h), b(w * h), c(w * h);
  const dim3 block(tile, tile), grid((w + tile - 1) / tile, (h + tile - 1) / tile);
  globalFilter<<<grid, block>>>(in, deviceFilter, a, w, h);
  sharedTile<<<grid, block>>>(in, b, w, h);
  gaussianInside<<<grid, block>>>(in, c, w, h);
  const std::vector<float> resultA = a.download(), resultB = b.download(), resultC = c.download();
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      double sum = 0;
      for (int j = -radius; j <= radius; ++j)
        for (int i = -radius; i <= radius; ++i)
          if (x + i >= 0 && x + i < w && y + j >= 0 && y + j < h)
            sum += filter[(j + radius) * width5 + i + radius] * image[(y + j) * w + x + i];
      const bool border = x < radius || y < radius || x >= w - radius || y >= h - radius;
      CHECK_NEAR(resultA[y * w + x], sum, 1e-3);
      CHECK_NEAR(resultB[y * w + x], sum, 1e-3);
      CHECK_NEAR(resultC[y * w + x], border ? image[y * w + x] : sum, border ? 0 : 1e-3);
    }
  RETURN_RESULT();
}
