// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stencils that bring a tile and its border to shared memory, in blocks of many shapes and for
// images of many sizes: the threads that load the border are the first ones of rows and columns,
// and those at the image's edge load nothing.
#include "check.h"

#include <cstdint>

// Numbers that all types hold, with exact sums.
template <class T> static std::vector<T> numbers(size_t count) {
  std::vector<T> result(count);
  for (size_t i = 0; i < count; ++i)
    result[i] = T(i * i % 13);
  return result;
}

__host__ __device__ constexpr int weight(int y, int x) { return (y + 2 * x) % 3 + 1; }

// A filter: what lies outside of the image is 0.
template <class T, int Width, int Height, int Radius>
__global__ void filter(T *out, const T *in, int width, int height) {
  __shared__ T tile[Height + 2 * Radius][Width + 2 * Radius];
  const int left = blockIdx.x * Width - Radius, top = blockIdx.y * Height - Radius;
  for (int y = threadIdx.y; y < Height + 2 * Radius; y += Height)
    for (int x = threadIdx.x; x < Width + 2 * Radius; x += Width) {
      const int column = left + x, row = top + y;
      const bool inside = column >= 0 && column < width && row >= 0 && row < height;
      tile[y][x] = inside ? in[row * width + column] : T(0);
    }
  __syncthreads();
  const int column = blockIdx.x * Width + threadIdx.x, row = blockIdx.y * Height + threadIdx.y;
  if (column >= width || row >= height)
    return;
  T sum = 0;
  for (int y = 0; y <= 2 * Radius; ++y)
    for (int x = 0; x <= 2 * Radius; ++x)
      sum += tile[threadIdx.y + y][threadIdx.x + x] * T(weight(y, x));
  out[row * width + column] = sum;
}

// A step in a volume, plane by plane; its border is part of `in`.
template <class T, int Width, int Height, int Radius>
__global__ void step(T *out, const T *in, int width, int height, int depth) {
  __shared__ T tile[Height + 2 * Radius][Width + 2 * Radius];
  const int left = blockIdx.x * Width, top = blockIdx.y * Height;
  const int pitch = width + 2 * Radius, rows = height + 2 * Radius;
  const int column = left + threadIdx.x, row = top + threadIdx.y;
  const bool inside = column < width && row < height;
  T before = 0, own = 0;
  for (int plane = 0; plane < depth; ++plane) {
    const T *values = in + plane * pitch * rows;
    if (inside)
      before = own, own = values[(row + Radius) * pitch + column + Radius];
    __syncthreads();
    for (int y = threadIdx.y; y < Height + 2 * Radius; y += Height)
      for (int x = threadIdx.x; x < Width + 2 * Radius; x += Width)
        if (top + y < rows && left + x < pitch)
          tile[y][x] = values[(top + y) * pitch + left + x];
    __syncthreads();
    if (inside) {
      T sum = before - own;
      for (int k = 0; k <= 2 * Radius; ++k)
        sum += tile[threadIdx.y + k][threadIdx.x + Radius] -
               T(2) * tile[threadIdx.y + Radius][threadIdx.x + k];
      out[(plane * height + row) * width + column] = sum;
    }
  }
}

template <class T, int Width, int Height, int Radius>
static void checkFilter(int width, int height) {
  const auto input = numbers<T>(width * height);
  const DeviceBuffer<T> in(input);
  DeviceBuffer<T> out(input.size());
  const dim3 blocks((width + Width - 1) / Width, (height + Height - 1) / Height);
  filter<T, Width, Height, Radius><<<blocks, dim3(Width, Height)>>>(out, in, width, height);
  const auto result = out.download();
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      T sum = 0;
      for (int y = -Radius; y <= Radius; ++y)
        for (int x = -Radius; x <= Radius; ++x)
          if (row + y >= 0 && row + y < height && column + x >= 0 && column + x < width)
            sum += input[(row + y) * width + column + x] * T(weight(y + Radius, x + Radius));
      CHECK_EQ(result[row * width + column], sum);
    }
}

template <class T, int Width, int Height, int Radius> static void checkStep(int width, int height) {
  const int depth = 3, pitch = width + 2 * Radius, rows = height + 2 * Radius;
  const auto input = numbers<T>(pitch * rows * depth);
  const DeviceBuffer<T> in(input);
  DeviceBuffer<T> out(width * height * depth);
  const dim3 blocks((width + Width - 1) / Width, (height + Height - 1) / Height);
  step<T, Width, Height, Radius><<<blocks, dim3(Width, Height)>>>(out, in, width, height, depth);
  const auto result = out.download();
  const auto at = [&](int plane, int row, int column) {
    return input[(plane * rows + row) * pitch + column];
  };
  for (int plane = 0; plane < depth; ++plane)
    for (int row = 0; row < height; ++row)
      for (int column = 0; column < width; ++column) {
        const int y = row + Radius, x = column + Radius;
        T sum = (plane ? at(plane - 1, y, x) : T(0)) - at(plane, y, x);
        for (int k = 0; k <= 2 * Radius; ++k)
          sum += at(plane, row + k, x) - T(2) * at(plane, y, column + k);
        CHECK_EQ(result[(plane * height + row) * width + column], sum);
      }
}

template <class T, int Width, int Height, int Radius> static void checkTiles() {
  for (const int width : {1, 5, 16, 31, 33, 67, 100})
    for (const int height : {1, 4, 17, 35}) {
      checkFilter<T, Width, Height, Radius>(width, height);
      checkStep<T, Width, Height, Radius>(width, height);
    }
}

int main() {
  checkTiles<float, 16, 16, 2>();
  checkTiles<double, 16, 16, 1>();
  checkTiles<double, 32, 8, 2>();
  checkTiles<float, 32, 8, 1>();
  checkTiles<float, 8, 8, 1>();
  checkTiles<float, 8, 16, 3>();
  checkTiles<short, 16, 8, 2>();
  checkTiles<float, 64, 4, 2>();
  checkTiles<float, 32, 32, 1>();
  checkTiles<float, 12, 12, 2>();
  checkTiles<uint8_t, 16, 4, 1>();
  checkTiles<double, 8, 4, 2>();
  RETURN_RESULT();
}
