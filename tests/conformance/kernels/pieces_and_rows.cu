// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that go through an array in pieces as wide as they are, and threads that read the rows and
// planes around their own, in blocks of many shapes and with borders anywhere.
#include "check.h"

#include <algorithm>

// ---- Pieces ----

// Of known width. `guarded`: each piece by itself, else all or none.
template <class T, int WIDTH, int PIECES, bool GUARDED>
__global__ void addInPieces(T *values, const T *more, T addend, int n) {
  const int first = blockIdx.x * WIDTH * PIECES + threadIdx.x;
#pragma unroll
  for (int k = 0; k < PIECES; ++k) {
    const int i = first + k * WIDTH;
    if (GUARDED ? i < n : first + (PIECES - 1) * WIDTH < n)
      values[i] += more[i] + addend * T(k + 1);
  }
}

template <class T, int WIDTH, int PIECES, bool GUARDED> static void checkPieces(int n) {
  std::vector<T> input(n), other(n), expected(n);
  for (int i = 0; i < n; ++i) {
    input[i] = T(i % 97);
    other[i] = T(i % 13);
    const int k = i / WIDTH % PIECES, last = i + (PIECES - 1 - k) * WIDTH;
    expected[i] = GUARDED || last < n ? T(input[i] + T(other[i] + T(T(3) * T(k + 1)))) : input[i];
  }
  DeviceBuffer<T> values(input);
  const DeviceBuffer<T> more(other);
  const int blocks = (n + WIDTH * PIECES - 1) / (WIDTH * PIECES);
  addInPieces<T, WIDTH, PIECES, GUARDED><<<blocks, WIDTH>>>(values, more, T(3), n);
  const auto result = values.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(result[i], expected[i]);
}

// Of any width, and what a thread has stored in one piece it reads for the next.
__global__ void shiftPieces(int *values, int n) {
  const int i = blockIdx.x * 4 * blockDim.x + threadIdx.x;
  if (i + 3 * blockDim.x >= n)
    return;
  values[i + blockDim.x] += values[i];
  values[i + 2 * blockDim.x] += values[i + blockDim.x];
  values[i + 3 * blockDim.x] += values[i + 2 * blockDim.x];
}

static void checkShifts(int n, int threads) {
  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i)
    expected[i] = i * 7 % 31;
  DeviceBuffer<int> values(expected);
  const int blocks = (n + 4 * threads - 1) / (4 * threads);
  shiftPieces<<<blocks, threads>>>(values, n);
  for (int block = 0; block < blocks; ++block)
    for (int thread = 0; thread < threads; ++thread) {
      const int i = block * 4 * threads + thread;
      for (int k = 1; k < 4 && i + 3 * threads < n; ++k)
        expected[i + k * threads] += expected[i + (k - 1) * threads];
    }
  const auto result = values.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(result[i], expected[i]);
}

// ---- Rows and planes ----

template <class T> __global__ void crossOf(const T *in, T *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1)
    return;
  const int i = y * width + x;
  out[i] = in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
}

// Two rows up, one down; those at the border are taken twice. Columns have no border but the last.
template <class T> __global__ void columnOf(const T *in, T *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const int above = max(y - 2, 0), below = min(y + 1, height - 1);
  out[y * width + x] = in[above * width + x] - in[below * width + x] + T(y);
}

template <class T> __global__ void planesOf(const T *in, T *out, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  const int plane = side * side, i = z * plane + y * side + x;
  if (x < side && y < side && z >= 1 && z < side - 1)
    out[i] = in[i - plane] + in[i + plane] + in[i];
}

template <class T> static std::vector<T> numbers(int n) {
  std::vector<T> result(n);
  for (int i = 0; i < n; ++i)
    result[i] = T(i * 37 % 101);
  return result;
}

template <class T> static void checkRows(int width, int height, dim3 threads) {
  const std::vector<T> input = numbers<T>(width * height);
  std::vector<T> cross(input.size()), column(input.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int i = y * width + x;
      if (x >= 1 && x < width - 1 && y >= 1 && y < height - 1)
        cross[i] = input[i - 1] + input[i + 1] + input[i - width] + input[i + width];
      column[i] = input[std::max(y - 2, 0) * width + x] -
                  input[std::min(y + 1, height - 1) * width + x] + T(y);
    }
  const DeviceBuffer<T> in(input);
  DeviceBuffer<T> out(std::vector<T>(input.size()));
  const dim3 blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);
  crossOf<T><<<blocks, threads>>>(in, out, width, height);
  CHECK(out.download() == cross);
  columnOf<T><<<blocks, threads>>>(in, out, width, height);
  CHECK(out.download() == column);
}

template <class T> static void checkPlanes(int side, dim3 threads) {
  const int plane = side * side;
  const std::vector<T> input = numbers<T>(plane * side);
  std::vector<T> expected(input.size());
  for (int i = plane; i < plane * (side - 1); ++i)
    expected[i] = input[i - plane] + input[i + plane] + input[i];
  const DeviceBuffer<T> in(input);
  DeviceBuffer<T> out(std::vector<T>(input.size()));
  const auto blocks = [&](unsigned of) { return (side + of - 1) / of; };
  planesOf<T>
      <<<dim3(blocks(threads.x), blocks(threads.y), blocks(threads.z)), threads>>>(in, out, side);
  CHECK(out.download() == expected);
}

int main() {
  for (const int n : {1, 255, 256, 257, 511, 512, 5000, 8192}) {
    checkPieces<int, 256, 2, true>(n);
    checkPieces<int, 256, 2, false>(n);
    checkPieces<float, 128, 4, true>(n);
    checkPieces<double, 64, 3, true>(n);
    checkPieces<unsigned char, 256, 2, true>(n);
    checkPieces<short, 512, 2, true>(n);
    for (const int threads : {32, 96, 128, 256, 512})
      checkShifts(n, threads);
  }
  for (const dim3 threads : {dim3(32, 8), dim3(16, 16), dim3(32, 4), dim3(64, 4), dim3(8, 8),
                             dim3(32, 32), dim3(24, 5), dim3(128)})
    for (const auto &[width, height] : {std::pair(64, 16), {97, 35}, {33, 3}, {256, 40}, {1, 9}}) {
      checkRows<float>(width, height, threads);
      checkRows<int>(width, height, threads);
      checkRows<double>(width, height, threads);
    }
  for (const dim3 threads : {dim3(32, 8), dim3(8, 8, 8), dim3(16, 4, 4), dim3(64)}) {
    checkPlanes<float>(20, threads);
    checkPlanes<int>(32, threads);
  }
  RETURN_RESULT();
}
