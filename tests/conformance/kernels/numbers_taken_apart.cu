// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that take their number apart, into a row and a column, or a picture, a channel and a
// point: by widths that are no multiple of a warp, by one, by zero and by negative ones.
#include "check.h"

template <class Int>
__global__ void transposeLines(int *out, const int *in, Int width, Int height) {
  const Int i = blockIdx.x * Int(blockDim.x) + threadIdx.x;
  if (i >= width * height)
    return;
  const Int x = i % width, y = i / width;
  out[x * height + y] = in[y * width + x];
}

// A table of each channel of each picture.
__global__ void addOfChannel(float *a, const float *table, int channels, int points, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += table[i / points % channels];
}

__global__ void neighboursInBox(int *out, const int *in, int nx, int ny, int nz) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nx * ny * nz)
    return;
  const int x = i % nx, y = i / nx % ny, z = i / nx / ny;
  int sum = 0;
  for (int d = -1; d <= 1; d += 2) {
    if (x + d >= 0 && x + d < nx)
      sum += in[(z * ny + y) * nx + x + d];
    if (y + d >= 0 && y + d < ny)
      sum += in[(z * ny + y + d) * nx + x];
    if (z + d >= 0 && z + d < nz)
      sum += in[((z + d) * ny + y) * nx + x];
  }
  out[i] = sum;
}

// Any two numbers, as indices: their quotients and rests are small.
__global__ void anyDivision(int *out, const int *table, int first, int divisor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = table[500 + (first + i) / divisor] * 1000 + table[500 + (first + i) % divisor];
}

// In two dimensions, each row of the block with its own.
__global__ void rowsAndColumns(int *out, const int *in, int pitch, int width, int n) {
  const int i =
      (blockIdx.y * blockDim.y + threadIdx.y) * pitch + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i / width] + 100000 * in[i % width];
}

static std::vector<int> count(int n) {
  std::vector<int> result(n);
  for (int i = 0; i < n; ++i)
    result[i] = i;
  return result;
}

template <class Int> static void checkTransposition(int width, int height) {
  const int n = width * height;
  DeviceBuffer<int> in(count(n)), out(std::vector<int>(n, -1));
  transposeLines<Int><<<(n + 127) / 128, 128>>>(out.data(), in.data(), Int(width), Int(height));
  const std::vector<int> found = out.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(found[i % width * height + i / width], i);
}

static void checkChannels(int pictures, int channels, int points) {
  const int n = pictures * channels * points;
  std::vector<float> values(n, 0.5f), table(channels);
  for (int i = 0; i < channels; ++i)
    table[i] = float(i * 3);
  DeviceBuffer<float> a(values), device_table(table);
  addOfChannel<<<(n + 255) / 256, 256>>>(a.data(), device_table.data(), channels, points, n);
  const std::vector<float> found = a.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(found[i], 0.5f + 3 * float(i / points % channels));
}

static void checkBox(int nx, int ny, int nz) {
  const int n = nx * ny * nz;
  const std::vector<int> numbers = count(n);
  DeviceBuffer<int> in(numbers), out(std::vector<int>(n, -1));
  neighboursInBox<<<(n + 63) / 64, 64>>>(out.data(), in.data(), nx, ny, nz);
  const std::vector<int> found = out.download();
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const int i = (z * ny + y) * nx + x;
        int sum = 0;
        sum += x > 0 ? i - 1 : 0;
        sum += x + 1 < nx ? i + 1 : 0;
        sum += y > 0 ? i - nx : 0;
        sum += y + 1 < ny ? i + nx : 0;
        sum += z > 0 ? i - nx * ny : 0;
        sum += z + 1 < nz ? i + nx * ny : 0;
        CHECK_EQ(found[i], sum);
      }
}

static void checkDivision(int first, int divisor) {
  constexpr int n = 200;
  DeviceBuffer<int> table(count(1001)), out(std::vector<int>(n, -1));
  anyDivision<<<2, 128>>>(out.data(), table.data(), first, divisor, n);
  const std::vector<int> found = out.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(found[i], (500 + (first + i) / divisor) * 1000 + 500 + (first + i) % divisor);
}

static void checkRows(int pitch, int width, dim3 block) {
  const int lines = 32, n = pitch * lines;
  DeviceBuffer<int> in(count(n)), out(std::vector<int>(n, -1));
  rowsAndColumns<<<dim3((pitch + block.x - 1) / block.x, (lines + block.y - 1) / block.y), block>>>(
      out.data(), in.data(), pitch, width, n);
  const std::vector<int> found = out.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(found[i], i / width + 100000 * (i % width));
}

int main() {
  for (const int width : {1, 7, 31, 32, 33, 64, 100, 257})
    for (const int height : {1, 5, 64}) {
      checkTransposition<int>(width, height);
      checkTransposition<unsigned>(width, height);
      checkTransposition<std::size_t>(width, height);
      checkChannels(2, height, width);
      checkBox(width, height, 3);
    }
  for (const int divisor : {1, 2, 30, 499, -1, -7, -400})
    for (const int first : {0, 1, 90, -60, -150})
      checkDivision(first, divisor);
  for (const dim3 block : {dim3(16, 16), dim3(32, 8), dim3(8, 8)})
    for (const int width : {1, 24, 64, 95})
      checkRows(96, width, block);
  RETURN_RESULT();
}
