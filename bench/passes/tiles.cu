// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that wait: tiles in shared memory, reductions, several elements for each thread.
#include "suite.h"

constexpr int size = 512, n = 1 << 17; // arrays that a core's caches hold

// of: transpose-shared-arrays columns
__global__ void transposeTile(const float *in, float *out) {
  __shared__ float tile[16][17];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.x][threadIdx.y] = in[y * size + x];
  __syncthreads();
  out[(blockIdx.x * 16 + threadIdx.y) * size + blockIdx.y * 16 + threadIdx.x] =
      tile[threadIdx.y][threadIdx.x];
}

// of: transpose-shared-arrays prefetch-next-iterations
__global__ void product(const float *a, const float *b, float *c) {
  __shared__ float left[32][33], right[32][32];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, column = blockIdx.x * 32;
  float sums[4] = {};
  for (int k0 = 0; k0 < size; k0 += 32) {
    for (int r = 0; r < 4; ++r) {
      left[x][y + 8 * r] = a[(row + y + 8 * r) * size + k0 + x];
      right[y + 8 * r][x] = b[(k0 + y + 8 * r) * size + column + x];
    }
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      for (int r = 0; r < 4; ++r)
        sums[r] += left[k][y + 8 * r] * right[k][x];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    c[(row + y + 8 * r) * size + column + x] = sums[r];
}

// of: transpose-shared-arrays
__global__ void transposeStrip(const short *in, short *out) {
  __shared__ short strip[64][10];
  for (int k = 0; k < 8; ++k)
    strip[threadIdx.x][k] = in[(blockIdx.x * 8 + k) * 64 + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 8; ++k)
    out[(blockIdx.x * 8 + k) * 64 + threadIdx.x] = strip[k * 8 + threadIdx.x / 8][threadIdx.x % 8];
}

// of: prefetch-next-iterations
__global__ void movingPlanes(const float *in, float *out) {
  __shared__ float plane[130];
  const int x = blockIdx.x * 128 + threadIdx.x;
  float before = 0;
  for (int z = 0; z < 64; ++z) {
    const float here = in[z * (n / 64) + x];
    plane[threadIdx.x + 1] = here;
    __syncthreads();
    out[z * (n / 64) + x] = before + plane[threadIdx.x] + plane[threadIdx.x + 2] - 2 * here;
    before = here;
    __syncthreads();
  }
}

// of: prefetch-next-iterations
__global__ void allPairs(const float2 *bodies, float *out, int count) {
  __shared__ float2 tile[128];
  const float2 mine = bodies[blockIdx.x * 128 + threadIdx.x];
  float sum = 0;
  for (int first = 0; first < count; first += 128) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += fabsf(tile[k].x - mine.x) + fabsf(tile[k].y - mine.y);
    __syncthreads();
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

// of: peel-known-lanes promote-shared-memory pack-demanded-lanes
__global__ void largestOfBlock(const int *in, int *out) {
  __shared__ int values[256];
  values[threadIdx.x] =
      max(in[blockIdx.x * 512 + threadIdx.x], in[blockIdx.x * 512 + 256 + threadIdx.x]);
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (threadIdx.x < half)
      values[threadIdx.x] = max(values[threadIdx.x], values[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = values[0];
}

// of: peel-known-lanes pack-demanded-lanes join-shuffled-halves
__global__ void warpSums(const double *in, double *out) {
  __shared__ double sums[4];
  double sum = in[blockIdx.x * 128 + threadIdx.x];
  for (int by = 16; by > 0; by /= 2)
    sum += __shfl_xor_sync(~0u, sum, by);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
}

// of: peel-known-lanes
__global__ void halo(const float *in, float *out) {
  __shared__ float tile[256 + 6];
  const int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x + 3] = in[i + 3];
  if (threadIdx.x < 3)
    tile[threadIdx.x] = in[i];
  if (threadIdx.x >= 253)
    tile[threadIdx.x + 6] = in[i + 6];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 7; ++k)
    sum += tile[threadIdx.x + k];
  out[i] = sum;
}

// of: promote-shared-memory
__global__ void scanBlock(const int *in, int *out) {
  __shared__ int sums[64];
  int sum = in[blockIdx.x * 64 + threadIdx.x];
  for (int by = 1; by < 64; by *= 2) {
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x >= by)
      sum += sums[threadIdx.x - by];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// of: pack-neighbours packs
__global__ void fourColumns(const float *a, const float *b, float *c) {
  const int column = (blockIdx.x * blockDim.x + threadIdx.x) * 4, row = blockIdx.y;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = 0; k < size; ++k) {
    const float left = a[row * size + k];
    const float4 right = *reinterpret_cast<const float4 *>(b + k * size + column);
    sum.x += left * right.x;
    sum.y += left * right.y;
    sum.z += left * right.z;
    sum.w += left * right.w;
  }
  *reinterpret_cast<float4 *>(c + row * size + column) = sum;
}

// of: pack-neighbours packs
__global__ void complexScale(float2 *values, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 v = values[i];
  for (int k = 0; k < 16; ++k) {
    v.x = v.x * by + 1;
    v.y = v.y * by + 1;
  }
  values[i] = v;
}

// of: widen-lanes halve-lanes
__global__ void polynomial(const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i], p = 0;
  for (int k = 0; k < 64; ++k)
    p = p * v + k;
  out[i] = p;
}

// of: halve-lanes
__global__ void manyValues(const double *in, double *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v[12];
  for (int k = 0; k < 12; ++k)
    v[k] = in[i + k * 64];
  for (int round = 0; round < 8; ++round)
    for (int k = 0; k < 12; ++k)
      v[k] = v[k] * v[(k + 1) % 12] + v[(k + 5) % 12];
  double sum = 0;
  for (int k = 0; k < 12; ++k)
    sum += v[k];
  out[i] = sum < 1e300 ? 1 : 0;
}

// of: convert-branches-to-selects
__global__ void steps(const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (v > 5)
    v = 10 - v;
  if (v < 1)
    v = v * v;
  else if (v < 3)
    v += 2;
  out[i] = v;
}

// of: convert-branches-to-selects
__global__ void bisect(const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float low = 0, high = 8;
  for (int k = 0; k < 24; ++k) {
    const float middle = (low + high) * 0.5f;
    if (middle * middle * middle > in[i])
      high = middle;
    else
      low = middle;
  }
  out[i] = low;
}

// of: find-block-coarsening
__global__ void smallBlocks(const float *in, float *out) {
  out[blockIdx.x * 32 + threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x] + 1;
}

// of: find-block-coarsening
__global__ void smallTiles(const short *in, short *out) {
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[y * size + x] = in[y * size + x] * 3;
}

// of: simplify-minima use-range-instructions
__global__ void relu6(const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = fminf(fmaxf(in[i] - 2, 0.0f), 6.0f);
}

// of: simplify-minima use-range-instructions
__global__ void poolMax(const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float largest = -1e30f;
  for (int k = 0; k < 9; ++k)
    largest = fmaxf(largest, in[i + k]);
  out[i] = largest;
}

// of: reassociate-uniform-terms
__global__ void bordered(const float *in, float *out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x];
}

// of: reassociate-uniform-terms
__global__ void emboss(const float *in, float *out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1)
    out[y * w + x] = 0;
  else
    out[y * w + x] = in[(y + 1) * w + x + 1] - in[(y - 1) * w + x - 1];
}

// of: split-accesses
__global__ void unaligned(const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1] + in[i + 3] + in[i + 5];
}

// of: join-shuffled-halves
__global__ void warpScan(const long long *in, long long *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long sum = in[i];
  for (int by = 1; by < 32; by *= 2) {
    const long long other = __shfl_up_sync(~0u, sum, by);
    if (threadIdx.x % 32 >= by)
      sum += other;
  }
  out[i] = sum;
}

// of: join-shuffled-halves
__global__ void parts(const unsigned long long *in, unsigned *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = unsigned(in[i]) ^ unsigned(in[i] >> 32);
}

int main(int argc, char **argv) {
  const suite::Suite suite(argc, argv);
  const auto *floats = suite::random<float>(4 * n, 10);
  const auto *ints = suite::random<int>(2 * n, 1 << 20);
  const auto *doubles = suite::random<double>(n + 1024, 2);
  const auto *longs = suite::random<unsigned long long>(n, 1 << 24);
  const auto *shorts = reinterpret_cast<const short *>(ints);
  auto *out = suite::zeros<float>(4 * n);
  auto *out_ints = reinterpret_cast<int *>(out);
  auto *out_doubles = reinterpret_cast<double *>(out);
  const dim3 tiles(size / 16, size / 16);
  const int blocks = n / 256;
  suite.run("transposeTile", out, size * size,
            [&] { transposeTile<<<tiles, dim3(16, 16)>>>(floats, out); });
  suite.run("product", out, size * size,
            [&] { product<<<dim3(size / 32, size / 32), dim3(32, 8)>>>(floats, floats, out); });
  suite.run("transposeStrip", out, n / 2,
            [&] { transposeStrip<<<n / 512, 64>>>(shorts, reinterpret_cast<short *>(out)); });
  suite.run("movingPlanes", out, n, [&] { movingPlanes<<<n / 64 / 128, 128>>>(floats, out); });
  suite.run("allPairs", out, 2048,
            [&] { allPairs<<<16, 128>>>(reinterpret_cast<const float2 *>(floats), out, 2048); });
  suite.run("largestOfBlock", out, n / 512,
            [&] { largestOfBlock<<<n / 512, 256>>>(ints, out_ints); });
  suite.run("warpSums", out, n / 64, [&] { warpSums<<<n / 128, 128>>>(doubles, out_doubles); });
  suite.run("halo", out, n, [&] { halo<<<blocks, 256>>>(floats, out); });
  suite.run("scanBlock", out, n, [&] { scanBlock<<<n / 64, 64>>>(ints, out_ints); });
  suite.run("fourColumns", out, size * size,
            [&] { fourColumns<<<dim3(1, size), size / 4>>>(floats, floats, out); });
  suite.run("complexScale", out, 2 * n,
            [&] { complexScale<<<blocks, 256>>>(reinterpret_cast<float2 *>(out), 0.5f); });
  suite.run("polynomial", out, n, [&] { polynomial<<<blocks, 256>>>(floats, out); });
  suite.run("manyValues", out, 2 * n, [&] { manyValues<<<blocks, 256>>>(doubles, out_doubles); });
  suite.run("steps", out, n, [&] { steps<<<blocks, 256>>>(floats, out); });
  suite.run("bisect", out, n, [&] { bisect<<<blocks, 256>>>(floats, out); });
  suite.run("smallBlocks", out, n, [&] { smallBlocks<<<n / 32, 32>>>(floats, out); });
  suite.run("smallTiles", out, size * size / 2, [&] {
    smallTiles<<<dim3(size / 8, size / 8), dim3(8, 8)>>>(shorts, reinterpret_cast<short *>(out));
  });
  suite.run("relu6", out, n, [&] { relu6<<<blocks, 256>>>(floats, out); });
  suite.run("poolMax", out, n, [&] { poolMax<<<blocks, 256>>>(floats, out); });
  suite.run("bordered", out, n,
            [&] { bordered<<<dim3(16, 64), dim3(32, 8)>>>(floats, out, 500, 500); });
  suite.run("emboss", out, n,
            [&] { emboss<<<dim3(16, 64), dim3(32, 8)>>>(floats, out, 500, 500); });
  suite.run("unaligned", out, n, [&] { unaligned<<<blocks, 256>>>(floats, out); });
  suite.run("warpScan", out, 2 * n, [&] {
    warpScan<<<n / 256, 256>>>(reinterpret_cast<const long long *>(longs),
                               reinterpret_cast<long long *>(out));
  });
  suite.run("parts", out, n,
            [&] { parts<<<blocks, 256>>>(longs, reinterpret_cast<unsigned *>(out)); });
}
