// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse matrix-vector product in ELLPACK form (column-major, padded) and in SELL-C-sigma form
// (C=32, sigma=1), whose chunk occupancy beta is reported.
// stdout-contains: beta
#include "check.h"
#include "sparse.h"

const int chunk = 32;

__global__ void ellpack(const int *columns, const float *values, const float *x, float *y, int rows,
                        int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = 0; i < width; ++i) {
    const int column = columns[i * rows + row];
    if (column >= 0)
      sum += values[i * rows + row] * x[column];
  }
  y[row] = sum;
}

__global__ void sellCSigma(const int *chunkStart, const int *chunkWidth, const int *columns,
                           const float *values, const float *x, float *y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  const int start = chunkStart[row / chunk] + row % chunk, width = chunkWidth[row / chunk];
  float sum = 0;
  for (int i = 0; i < width; ++i)
    sum += values[start + i * chunk] * x[columns[start + i * chunk]]; // padding has the value 0
  y[row] = sum;
}

int main() {
  const int rows = 777;
  const SparseMatrix matrix(rows);
  std::vector<float> x(rows);
  for (int i = 0; i < rows; ++i)
    x[i] = float(i % 7 - 3);
  const std::vector<float> expected = matrix.multiply(x);
  const DeviceBuffer<float> deviceX(x);

  int width = 0;
  for (int row = 0; row < rows; ++row)
    width = std::max(width, matrix.length(row));
  std::vector<int> columns(rows * width, -1);
  std::vector<float> values(rows * width);
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < matrix.length(row); ++i) {
      columns[i * rows + row] = matrix.columns[matrix.row_start[row] + i];
      values[i * rows + row] = matrix.values[matrix.row_start[row] + i];
    }
  DeviceBuffer<int> ellColumns(columns);
  DeviceBuffer<float> ellValues(values), ellY(rows);
  ellpack<<<(rows + 127) / 128, 128>>>(ellColumns, ellValues, deviceX, ellY, rows, width);
  CHECK(ellY.download() == expected);

  std::vector<int> starts, widths;
  columns.clear();
  values.clear();
  for (int first = 0; first < rows; first += chunk) {
    int chunkWidth = 0;
    for (int row = first; row < std::min(rows, first + chunk); ++row)
      chunkWidth = std::max(chunkWidth, matrix.length(row));
    starts.push_back(int(values.size()));
    widths.push_back(chunkWidth);
    for (int i = 0; i < chunkWidth; ++i)
      for (int row = first; row < first + chunk; ++row) {
        const bool used = row < rows && i < matrix.length(row);
        columns.push_back(used ? matrix.columns[matrix.row_start[row] + i] : 0);
        values.push_back(used ? matrix.values[matrix.row_start[row] + i] : 0);
      }
  }
  const double beta = double(matrix.values.size()) / values.size();
  printf("beta %.3f\n", beta);
  CHECK(beta > 0 && beta <= 1);
  DeviceBuffer<int> sellStarts(starts), sellWidths(widths), sellColumns(columns);
  DeviceBuffer<float> sellValues(values), sellY(rows);
  sellCSigma<<<(rows + 127) / 128, 128>>>(sellStarts, sellWidths, sellColumns, sellValues, deviceX,
                                          sellY, rows);
  CHECK(sellY.download() == expected);
  RETURN_RESULT();
}
