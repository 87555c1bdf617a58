// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that take their number apart, into a row and a column, or a picture, a channel and a
// point: by widths that are no multiple of a warp, by one, by zero and by negative ones.
#include "check.h"

#include <algorithm>

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

// The windows of a convolution side by side, as matrix products want them.
__global__ void windows(int *out, const int *in, int channels, int height, int width, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int rows = height - size + 1, columns = width - size + 1;
  if (i >= channels * rows * columns)
    return;
  const int x = i % columns, y = i / columns % rows, channel = i / columns / rows;
  for (int dy = 0; dy < size; ++dy)
    for (int dx = 0; dx < size; ++dx)
      out[((channel * size + dy) * size + dx) * rows * columns + y * columns + x] =
          in[(channel * height + y + dy) * width + x + dx];
}

// The largest of each field of 2×2, up to a limit; fields of planes, taken apart the other way
// round.
__global__ void largestOfFields(int *out, const int *in, int planes, int height, int width,
                                int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, rows = height / 2, columns = width / 2;
  if (i >= planes * rows * columns)
    return;
  const int plane = i / (rows * columns), rest = i % (rows * columns);
  const int y = rest / columns, x = rest % columns;
  int most = -1;
  for (int k = 0; k < 4; ++k) {
    const int value = in[(plane * height + 2 * y + k / 2) * width + 2 * x + k % 2];
    most = max(most, value);
    if (most >= limit)
      break;
  }
  out[i] = min(most, limit);
}

// Numbers up to the largest there is.
__global__ void farNumbers(int *out, const int *table, int first, int divisor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] =
        table[(first + i) / divisor - first / divisor] * 1000 + table[(first + i) % divisor % 1000];
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

static void checkWindows(int channels, int height, int width, int size) {
  const int rows = height - size + 1, columns = width - size + 1, n = channels * rows * columns;
  DeviceBuffer<int> in(count(channels * height * width));
  DeviceBuffer<int> out(std::vector<int>(n * size * size, -1));
  windows<<<(n + 127) / 128, 128>>>(out.data(), in.data(), channels, height, width, size);
  const std::vector<int> found = out.download();
  std::size_t at = 0;
  for (int channel = 0; channel < channels; ++channel)
    for (int d = 0; d < size * size; ++d)
      for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x)
          CHECK_EQ(found[at++], (channel * height + y + d / size) * width + x + d % size);
}

static void checkFields(int planes, int height, int width) {
  const int rows = height / 2, columns = width / 2, n = planes * rows * columns;
  const int limit = planes * height * width / 2;
  DeviceBuffer<int> in(count(planes * height * width)), out(std::vector<int>(n, -2));
  largestOfFields<<<(n + 255) / 256, 256>>>(out.data(), in.data(), planes, height, width, limit);
  const std::vector<int> found = out.download();
  for (int i = 0; i < n; ++i) {
    const int plane = i / columns / rows, y = i / columns % rows, x = i % columns;
    CHECK_EQ(found[i], std::min(limit, (plane * height + 2 * y + 1) * width + 2 * x + 1));
  }
}

static void checkFarNumbers(int divisor) {
  constexpr int n = 200, first = 2147483647 - n + 1;
  DeviceBuffer<int> table(count(1001)), out(std::vector<int>(n, -1));
  farNumbers<<<2, 128>>>(out.data(), table.data(), first, divisor, n);
  const std::vector<int> found = out.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(found[i],
             ((first + i) / divisor - first / divisor) * 1000 + (first + i) % divisor % 1000);
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
  for (const int width : {3, 5, 9, 16, 30, 34, 66, 130})
    for (const int channels : {1, 3}) {
      checkWindows(channels, 5, width, 3);
      checkWindows(channels, 40, width, 2);
      checkFields(channels, 8, width);
      checkFields(channels, 6, 2 * width);
    }
  for (const int divisor : {1, 7, 31, 33, 1000, 1 << 30, 2147483647})
    checkFarNumbers(divisor);
  for (const int divisor : {1, 2, 30, 499, -1, -7, -400})
    for (const int first : {0, 1, 90, -60, -150})
      checkDivision(first, divisor);
  for (const dim3 block : {dim3(16, 16), dim3(32, 8), dim3(8, 8)})
    for (const int width : {1, 24, 64, 95})
      checkRows(96, width, block);
  RETURN_RESULT();
}
