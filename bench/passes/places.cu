// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where threads load and store: borders, rows, members, orders.
#include "suite.h"

constexpr int width = 1000, height = 1024, n = width * height;

struct Particle {
  float x, y, z;
  int kind;
};

struct Node {
  int next, left;
  float value, weight;
  int pad[4];
};

__device__ int clampTo(int i, int end) { return i < 0 ? 0 : i >= end ? end - 1 : i; }

// of: piecewise speculate-affine-indices
__global__ void blurClamped(const float *in, float *out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= width)
    return;
  float sum = 0;
  for (int k = -2; k <= 2; ++k)
    sum += in[y * width + clampTo(x + k, width)];
  out[y * width + x] = sum;
}

// of: piecewise speculate-affine-indices
__global__ void wrapAround(const int *in, int *out, int shift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int from = i + shift >= n ? i + shift - n : i + shift;
  out[i] = in[from] + in[i == 0 ? n - 1 : i - 1];
}

// of: piecewise speculate-affine-indices version-coherent-branches
__global__ void upwind(const float *in, float *out, float speed) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width)
    out[y * width + x] = speed * (in[y * width + x] - in[y * width + (x ? x - 1 : width - 1)]) +
                         (x + 1 < width ? in[y * width + x + 1] : 0.0f);
}

// of: speculate-affine-indices
__global__ void rowsOf(const float *in, const float *bias, float *out, int row) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + bias[i % row] * bias[row + i / row];
}

// of: speculate-affine-indices
__global__ void cropped(const float *in, float *out, int w, int stride, int count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = in[(i / w) * stride + i % w + 3];
}

// of: widen-indices likely-contiguous speculate-affine-indices
__global__ void unsignedOffset(const float *in, float *out, unsigned offset) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + offset] - in[i + offset + 1u];
}

// of: widen-guards
__global__ void fourEach(const float *in, float *out, int count) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int k = 0; k < 4; ++k)
    if (first + k < count)
      out[first + k] = in[first + k] * 2 + 1;
}

// of: widen-guards
__global__ void threeStrips(const int *in, int *out, int count) {
  const int i = blockIdx.x * blockDim.x * 3 + threadIdx.x;
  for (int k = 0; k < 3; ++k)
    if (i + k * blockDim.x < count)
      out[i + k * blockDim.x] = in[i + k * blockDim.x] ^ k;
}

// of: version-coherent-branches
__global__ void insideOnly(const float *in, float *out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 5 && i < count)
    atomicAdd(&out[i], in[i - 5] + in[i]);
}

// of: version-coherent-branches
__global__ void untilSmall(const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i] + 20;
  int k = 0;
  do {
    v = v * 0.5f + in[i + (k & 7)];
    ++k;
  } while (v > 9.0f && k < 20);
  out[i] = v + k;
}

// of: members interleaved
__global__ void follow(const Node *nodes, const int *starts, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = starts[i] & 4095;
  float sum = 0;
  for (int k = 0; k < 8; ++k) {
    sum += nodes[at].value * nodes[at].weight;
    at = nodes[at].next & 4095;
  }
  out[i] = sum;
}

// of: members
__global__ void pairsOf(const float2 *points, const int *a, const int *b, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float2 p = points[a[i] & 8191], q = points[b[i] & 8191];
  out[i] = (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y);
}

// of: interleaved
__global__ void move(Particle *particles, float by) {
  Particle &p = particles[blockIdx.x * blockDim.x + threadIdx.x];
  p.x += by * p.y;
  p.z -= p.kind;
}

// of: interleaved strided
__global__ void toGrey(const unsigned char *rgb, unsigned char *grey) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  grey[i] = (rgb[3 * i] * 77 + rgb[3 * i + 1] * 150 + rgb[3 * i + 2] * 29) >> 8;
}

// of: strided
__global__ void everyThird(const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * 3 + 1] + 1;
}

// of: strided
__global__ void spread(const short *in, short *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * 2] = in[i];
}

// of: reversed
__global__ void backwards(const unsigned short *in, unsigned short *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[n - 1 - i] + in[i];
}

// of: reversed
__global__ void mirrored(const float *in, float *out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width)
    out[y * width + width - 1 - x] = in[y * width + x] * 3;
}

// of: columns
__global__ void transposed(const float *in, float *out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[x * height + y] = in[y * width + x];
}

// of: columns
__global__ void addTransposed(const short *a, const short *b, short *out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < width)
    out[y * width + x] = a[y * width + x] + b[x * width + y];
}

// of: permuted
__global__ void swapPairs(const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i ^ 3];
}

// of: permuted
__global__ void threeTimes(const unsigned char *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i >> 2] + in[i >> 1];
}

// of: permuted
__global__ void rotated(const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[(i & ~7) | ((i + 3) & 7)];
}

// of: unroll-for-coalescing
__global__ void rowLargest(const int *in, int *out, int length) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  int largest = 0;
  for (int k = 0; k < length; ++k)
    largest = max(largest, in[row * length + k]);
  out[row] = largest;
}

// of: unroll-for-coalescing
__global__ void rowDistance(const float *in, const float *centre, float *out, int length) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const float *mine = in + row * length;
  float sum = 0;
  for (int k = 0; k < length; ++k)
    sum += (mine[k] - centre[k]) * (mine[k] - centre[k]);
  out[row] = sum;
}

// of: unroll-for-coalescing
__global__ void rowBytes(const unsigned char *in, int *out, int length) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < length; ++k)
    sum += in[row * length + k] * (k + 1);
  out[row] = sum;
}

// of: separate-constant-offsets
__global__ void sevenPoints(const float *in, float *out, int w, int plane) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + plane;
  out[i] =
      in[i - plane] + in[i + plane] + in[i - w] + in[i + w] + in[i - 1] + in[i + 1] - 6 * in[i];
}

// of: separate-constant-offsets
__global__ void rowsAhead(const float *in, float *out, int w) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  out[y * w + x] = in[(y + 1) * w + x + 4] + in[(y + 2) * w + x + 8];
}

int main(int argc, char **argv) {
  const suite::Suite suite(argc, argv);
  const auto *floats = suite::random<float>(4 * n, 10);
  const auto *ints = suite::random<int>(4 * n, 1 << 20);
  const auto *bytes = suite::random<unsigned char>(4 * n, 256);
  auto *out = suite::zeros<float>(4 * n);
  auto *out_ints = reinterpret_cast<int *>(out);
  auto *out_shorts = reinterpret_cast<short *>(out);
  const auto *shorts = reinterpret_cast<const short *>(ints);
  const dim3 rows(4, height), tiles(width / 32 + 1, height / 8);
  const int blocks = n / 256;
  suite.run("blurClamped", out, n, [&] { blurClamped<<<rows, 256>>>(floats, out); });
  suite.run("wrapAround", out, n, [&] { wrapAround<<<blocks, 256>>>(ints, out_ints, 777); });
  suite.run("upwind", out, n, [&] { upwind<<<rows, 256>>>(floats, out, 0.5f); });
  suite.run("rowsOf", out, n, [&] { rowsOf<<<blocks, 256>>>(floats, floats, out, 300); });
  suite.run("cropped", out, n, [&] { cropped<<<blocks, 256>>>(floats, out, 320, 400, n / 2); });
  suite.run("unsignedOffset", out, n, [&] { unsignedOffset<<<blocks, 256>>>(floats, out, 55u); });
  suite.run("fourEach", out, n, [&] { fourEach<<<blocks / 4, 256>>>(floats, out, n - 77); });
  suite.run("threeStrips", out, n,
            [&] { threeStrips<<<blocks / 3, 256>>>(ints, out_ints, n - 77); });
  suite.run("insideOnly", out, n, [&] { insideOnly<<<blocks, 256>>>(floats, out, n - 77); });
  suite.run("untilSmall", out, n, [&] { untilSmall<<<blocks, 256>>>(floats, out); });
  const auto *nodes = reinterpret_cast<const Node *>(ints);
  suite.run("follow", out, n / 4, [&] { follow<<<blocks / 4, 256>>>(nodes, ints, out); });
  suite.run("pairsOf", out, n, [&] {
    pairsOf<<<blocks, 256>>>(reinterpret_cast<const float2 *>(floats), ints, ints + n, out);
  });
  suite.run("move", out, 4 * n,
            [&] { move<<<blocks, 256>>>(reinterpret_cast<Particle *>(out), 0.5f); });
  suite.run("toGrey", out, n / 4,
            [&] { toGrey<<<blocks, 256>>>(bytes, reinterpret_cast<unsigned char *>(out)); });
  suite.run("everyThird", out, n, [&] { everyThird<<<blocks, 256>>>(floats, out); });
  suite.run("spread", out, n, [&] { spread<<<blocks, 256>>>(shorts, out_shorts); });
  suite.run("backwards", out, n / 2, [&] {
    backwards<<<blocks, 256>>>(reinterpret_cast<const unsigned short *>(ints),
                               reinterpret_cast<unsigned short *>(out));
  });
  suite.run("mirrored", out, n, [&] { mirrored<<<rows, 256>>>(floats, out); });
  suite.run("transposed", out, n, [&] { transposed<<<tiles, dim3(32, 8)>>>(floats, out); });
  suite.run("addTransposed", out, n / 2,
            [&] { addTransposed<<<tiles, dim3(32, 8)>>>(shorts, shorts + n, out_shorts); });
  suite.run("swapPairs", out, n, [&] { swapPairs<<<blocks, 256>>>(floats, out); });
  suite.run("threeTimes", out, n, [&] { threeTimes<<<blocks, 256>>>(bytes, out_ints); });
  suite.run("rotated", out, n, [&] { rotated<<<blocks, 256>>>(ints, out_ints); });
  suite.run("rowLargest", out, n / 100,
            [&] { rowLargest<<<n / 100 / 256, 256>>>(ints, out_ints, 100); });
  suite.run("rowDistance", out, n / 60,
            [&] { rowDistance<<<n / 60 / 256, 256>>>(floats, floats, out, 60); });
  suite.run("rowBytes", out, n / 96, [&] { rowBytes<<<n / 96 / 256, 256>>>(bytes, out_ints, 96); });
  suite.run("sevenPoints", out, n,
            [&] { sevenPoints<<<blocks - 128, 256>>>(floats, out, 128, 128 * 64); });
  suite.run("rowsAhead", out, n, [&] { rowsAhead<<<dim3(4, 900), 256>>>(floats, out, 1024); });
}
