// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse matrix-vector product in CSR form, one thread a row and one warp a row: trip counts
// differ between the lanes of a warp, some are 0.
#include "check.h"
#include "sparse.h"

__global__ void threadPerRow(const int *rowStart, const int *columns, const float *values,
                             const float *x, float *y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = rowStart[row]; i < rowStart[row + 1]; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}

__global__ void warpPerRow(const int *rowStart, const int *columns, const float *values,
                           const float *x, float *y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = rowStart[row] + lane; i < rowStart[row + 1]; i += 32)
    sum += values[i] * x[columns[i]];
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0)
    y[row] = sum;
}

int main() {
  const int rows = 1003;
  const SparseMatrix matrix(rows);
  std::vector<float> x(rows);
  for (int i = 0; i < rows; ++i)
    x[i] = float(i % 9 - 4);
  const std::vector<float> expected = matrix.multiply(x);
  DeviceBuffer<int> rowStart(matrix.row_start), columns(matrix.columns);
  DeviceBuffer<float> values(matrix.values), deviceX(x), a(rows), b(rows);
  threadPerRow<<<(rows + 127) / 128, 128>>>(rowStart, columns, values, deviceX, a, rows);
  warpPerRow<<<(rows * 32 + 127) / 128, 128>>>(rowStart, columns, values, deviceX, b, rows);
  CHECK(a.download() == expected);
  CHECK(b.download() == expected);
  RETURN_RESULT();
}
