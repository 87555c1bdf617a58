// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices in blocks of many shapes, from global and from shared memory, of floats,
// ints and doubles. No size is a multiple of anything, so blocks at the border are partly empty.
// Each element is a sum in one order, and must be right to the last bit.
#include "check.h"

const int rows = 61, depth = 37, columns = 203;
const int slice = 16, most_rows = 64, most_columns = 256; // of a block

// Layers of a block lie one above the other.
__device__ int columnOf() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int localRow() { return threadIdx.z * blockDim.y + threadIdx.y; }
__device__ int rowOf() { return blockIdx.y * blockDim.y * blockDim.z + localRow(); }

template <class T> __global__ void product(const T *a, const T *b, T *c) {
  const int column = columnOf(), row = rowOf();
  if (column >= columns || row >= rows)
    return;
  T sum = 0;
  for (int k = 0; k < depth; ++k)
    sum += a[row * depth + k] * b[k * columns + column];
  c[row * columns + column] = sum;
}

// By slices of both matrices, which the threads of a block load together. Threads beyond the border
// help.
template <class T> __global__ void productOfTiles(const T *a, const T *b, T *c) {
  __shared__ T tile_a[most_rows * slice], tile_b[slice * most_columns];
  const int width = blockDim.x, height = blockDim.y * blockDim.z;
  const int column = columnOf(), row = rowOf();
  T sum = 0;
  for (int start = 0; start < depth; start += slice) {
    for (int k = threadIdx.x; k < slice; k += width)
      tile_a[localRow() * slice + k] =
          row < rows && start + k < depth ? a[row * depth + start + k] : T(0);
    for (int k = localRow(); k < slice; k += height)
      tile_b[k * width + threadIdx.x] =
          column < columns && start + k < depth ? b[(start + k) * columns + column] : T(0);
    __syncthreads();
    for (int k = 0; k < slice; ++k)
      sum += tile_a[localRow() * slice + k] * tile_b[k * width + threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < columns)
    c[row * columns + column] = sum;
}

// What a GPU makes of sum += a * b.
template <class T> T multiplyAdd(T a, T b, T sum) { return std::fma(a, b, sum); }
template <> int multiplyAdd(int a, int b, int sum) { return a * b + sum; }

template <class T> std::vector<T> numbers(int count, int seed) {
  std::vector<T> result(count);
  for (int i = 0; i < count; ++i)
    result[i] = T((i + seed) * 7919 % 2003 - 1000) / T(17);
  return result;
}

template <class T> void checkShapes() {
  const std::vector<T> a = numbers<T>(rows * depth, 1), b = numbers<T>(depth * columns, 2);
  std::vector<T> expected(rows * columns);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      for (int k = 0; k < depth; ++k) {
        T &sum = expected[row * columns + column];
        sum = multiplyAdd(a[row * depth + k], b[k * columns + column], sum);
      }
  DeviceBuffer<T> device_a(a), device_b(b);
  for (const dim3 block :
       {dim3(32, 8), dim3(16, 16), dim3(8, 8), dim3(8, 8, 8), dim3(64, 4), dim3(128, 2), dim3(256),
        dim3(192), dim3(96), dim3(4, 32), dim3(32, 6), dim3(16, 6), dim3(1, 64)})
    for (const auto kernel : {product<T>, productOfTiles<T>}) {
      const int height = block.y * block.z;
      const dim3 grid((columns + block.x - 1) / block.x, (rows + height - 1) / height);
      DeviceBuffer<T> c(rows * columns);
      kernel<<<grid, block>>>(device_a, device_b, c);
      const std::vector<T> result = c.download();
      for (int i = 0; i < rows * columns; ++i)
        CHECK_EQ(result[i], expected[i]);
    }
}

int main() {
  checkShapes<float>();
  checkShapes<int>();
  checkShapes<double>();
  RETURN_RESULT();
}
