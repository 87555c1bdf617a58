// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix written with threads along rows and along columns is the same matrix; a tall matrix
// times a vector, with x read from global and from shared memory.
#include "check.h"

__global__ void writeRows(int *matrix, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns)
    matrix[row * columns + column] = row * 1000 + column;
}

__global__ void writeColumns(int *matrix, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x,
            column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns)
    matrix[row * columns + column] = row * 1000 + column;
}

__global__ void tallGlobal(const int *matrix, const int *x, int *y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int sum = 0;
  for (int i = 0; i < columns; ++i)
    sum += matrix[row * columns + i] * x[i];
  y[row] = sum;
}

__global__ void tallShared(const int *matrix, const int *x, int *y, int rows, int columns) {
  extern __shared__ int shared[];
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    shared[i] = x[i];
  __syncthreads();
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int sum = 0;
  for (int i = 0; i < columns; ++i)
    sum += matrix[row * columns + i] * shared[i];
  y[row] = sum;
}

int main() {
  const int rows = 999, columns = 40;
  DeviceBuffer<int> a(rows * columns), b(rows * columns), y(rows), z(rows);
  writeRows<<<dim3((columns + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(a, rows, columns);
  writeColumns<<<dim3((rows + 15) / 16, (columns + 15) / 16), dim3(16, 16)>>>(b, rows, columns);
  const std::vector<int> matrix = a.download();
  CHECK(matrix == b.download());
  std::vector<int> vector(columns);
  for (int i = 0; i < columns; ++i)
    vector[i] = i - 7;
  DeviceBuffer<int> x(vector);
  tallGlobal<<<(rows + 63) / 64, 64>>>(a, x, y, rows, columns);
  tallShared<<<(rows + 63) / 64, 64, columns * sizeof(int)>>>(a, x, z, rows, columns);
  const std::vector<int> first = y.download(), second = z.download();
  for (int row = 0; row < rows; ++row) {
    int sum = 0;
    for (int i = 0; i < columns; ++i)
      sum += (row * 1000 + i) * vector[i];
    CHECK_EQ(first[row], sum);
    CHECK_EQ(second[row], sum);
  }
  RETURN_RESULT();
}
