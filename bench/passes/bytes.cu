// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes and shorts.
#include "suite.h"

constexpr int width = 1024, height = 1024, n = width * height;

// of: saturate-sums narrow-integers widen-lanes convert-branches-to-selects
__global__ void highLife(const unsigned char *cells, unsigned char *next) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y + 1;
  if (x >= width - 1)
    return;
  const unsigned char *c = cells + y * width + x;
  const int around = c[-width - 1] + c[-width] + c[-width + 1] + c[-1] + c[1] + c[width - 1] +
                     c[width] + c[width + 1];
  next[y * width + x] = around == 3 || around == 6 || (c[0] && around == 2);
}

// of: convert-branches-to-selects
__global__ void wireworld(const unsigned char *cells, unsigned char *next) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y + 1;
  if (x >= width - 1)
    return;
  const unsigned char *c = cells + y * width + x;
  const int heads = (c[-width] == 1) + (c[-1] == 1) + (c[1] == 1) + (c[width] == 1);
  unsigned char result = 0;
  switch (heads) {
  case 0:
    result = c[0] == 1 ? 2 : 0;
    break;
  case 1:
    result = c[0] == 0 ? 1 : c[0] + 1;
    break;
  case 3:
    result = 3;
    break;
  default:
    result = c[0];
  }
  next[y * width + x] = result;
}

// of: saturate-sums narrow-integers
__global__ void crowded(const unsigned char *cells, unsigned char *result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += cells[i + k];
  result[i] = sum > 40;
}

// of: saturate-sums narrow-integers
__global__ void addShorts(const short *a, const short *b, short *result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = a[i] + b[i];
  result[i] = short(min(max(sum, -2000), 2000));
}

// of: saturate-sums narrow-integers
__global__ void brighten(const unsigned char *pixels, unsigned char *result, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = pixels[i] + (by & 255);
  result[i] = sum > 255 ? 255 : sum;
}

// of: narrow-integers widen-lanes
__global__ void blend(const unsigned char *a, const unsigned char *b, const unsigned char *alpha,
                      unsigned char *result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  result[i] = (a[i] * alpha[i] + b[i] * (255 - alpha[i]) + 128) >> 8;
}

// of: narrow-integers
__global__ void difference(const unsigned char *a, const unsigned char *b, unsigned char *result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int d = a[i] - b[i];
  result[i] = d < 0 ? -d : d;
}

// of: table
__global__ void hexDigits(const unsigned char *bytes, unsigned char *text) {
  const char digits[] = "0123456789abcdef";
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  text[i] = digits[bytes[i] & 15] + digits[bytes[i] >> 4];
}

__constant__ int steps[16];

// of: table
__global__ void quantised(const unsigned char *codes, int *values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = steps[codes[i] & 7] * (codes[i] & 8 ? -1 : 1);
}

// of: table
__global__ void weighted(const unsigned char *kinds, const float *weights, float *result) {
  __shared__ float own[20];
  if (threadIdx.x < 20)
    own[threadIdx.x] = weights[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  result[i] = own[kinds[i] % 20] + 1;
}

// of: expand-vector-conversions
__global__ void toBytes(const float *values, unsigned char *bytes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bytes[i] = (unsigned char)(values[i] * 255.0f);
}

// of: expand-vector-conversions
__global__ void fromHalves(const long long *ticks, float *seconds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  seconds[i] = float(ticks[i]) * 1e-6f + float((unsigned long long)(ticks[i]) >> 3);
}

int main(int argc, char **argv) {
  const suite::Suite suite(argc, argv);
  const auto *cells = suite::random<unsigned char>(n + 16, 2);
  const auto *bytes = suite::random<unsigned char>(3 * n, 256);
  const auto *shorts = suite::random<short>(2 * n, 3000);
  const auto *floats = suite::random<float>(n, 2);
  const auto *longs = suite::random<long long>(n, 1 << 24);
  const int powers[16] = {1, 2, 4, 8, 16, 32, 64, 128};
  suite::check(cudaMemcpyToSymbol(steps, powers, sizeof(powers)));
  auto *out = suite::zeros<unsigned char>(4 * n);
  const int blocks = n / 256;
  suite.run("highLife", out, n, [&] { highLife<<<dim3(4, height - 2), 256>>>(cells, out); });
  suite.run("wireworld", out, n, [&] { wireworld<<<dim3(4, height - 2), 256>>>(cells, out); });
  suite.run("crowded", out, n, [&] { crowded<<<blocks, 256>>>(cells, out); });
  suite.run("addShorts", out, 2 * n, [&] {
    addShorts<<<blocks, 256>>>(shorts, shorts + n, reinterpret_cast<short *>(out));
  });
  suite.run("brighten", out, n, [&] { brighten<<<blocks, 256>>>(bytes, out, 70); });
  suite.run("blend", out, n, [&] { blend<<<blocks, 256>>>(bytes, bytes + n, bytes + 2 * n, out); });
  suite.run("difference", out, n, [&] { difference<<<blocks, 256>>>(bytes, bytes + n, out); });
  suite.run("hexDigits", out, n, [&] { hexDigits<<<blocks, 256>>>(bytes, out); });
  suite.run("quantised", out, 4 * n,
            [&] { quantised<<<blocks, 256>>>(bytes, reinterpret_cast<int *>(out)); });
  suite.run("weighted", out, 4 * n,
            [&] { weighted<<<blocks, 256>>>(bytes, floats, reinterpret_cast<float *>(out)); });
  suite.run("toBytes", out, n, [&] { toBytes<<<blocks, 256>>>(floats, out); });
  suite.run("fromHalves", out, 4 * n,
            [&] { fromHalves<<<blocks, 256>>>(longs, reinterpret_cast<float *>(out)); });
}
