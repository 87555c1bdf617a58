// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices read or written down their columns, for element types of all sizes, blocks of many
// shapes, and sizes that no block divides.
#include "check.h"

#include <cstdint>

template <class T> __global__ void transposeWriting(T *out, const T *in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[x * height + y] = in[y * width + x];
}

template <class T> __global__ void transposeReading(T *out, const T *in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < height && y < width)
    out[y * height + x] = in[x * width + y];
}

// From the last row up: rows are further and further back.
template <class T> __global__ void transposeUpwards(T *out, const T *in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[(width - 1 - x) * height + y] = in[y * width + x];
}

template <class T> static void checkMatrix(dim3 block, int width, int height) {
  std::vector<T> input(size_t(width) * height);
  for (size_t i = 0; i < input.size(); ++i)
    input[i] = T(i * 31 % 127);
  const DeviceBuffer<T> in(input);
  DeviceBuffer<T> out(input.size());
  const auto grid = [&](int columns, int rows) {
    return dim3((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  };
  for (int kernel = 0; kernel < 3; ++kernel) {
    CHECK_CUDA(cudaMemset(out, 0, input.size() * sizeof(T)));
    if (kernel == 0)
      transposeWriting<T><<<grid(width, height), block>>>(out, in, width, height);
    else if (kernel == 1)
      transposeReading<T><<<grid(height, width), block>>>(out, in, width, height);
    else
      transposeUpwards<T><<<grid(width, height), block>>>(out, in, width, height);
    const std::vector<T> result = out.download();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        CHECK_EQ(result[size_t(kernel == 2 ? width - 1 - x : x) * height + y],
                 input[size_t(y) * width + x]);
  }
}

// A tile that is stored transposed, by a number of its threads' own.
__global__ void tiles(float *out, const float *in, int n) {
  __shared__ float tile[16][64];
  const int thread = threadIdx.y * 16 + threadIdx.x;
  for (int i = thread; i < 16 * 64; i += 16 * blockDim.y)
    tile[i % 16][i / 16] = in[(blockIdx.x * 64 + i / 16) * n + i % 16];
  __syncthreads();
  for (int i = thread; i < 16 * 64; i += 16 * blockDim.y)
    out[blockIdx.x * 16 * 64 + i] = tile[i / 64][i % 64];
}

static void checkTiles(int rows) {
  const int n = 16, blocks = 2;
  std::vector<float> input(n * 64 * blocks);
  for (size_t i = 0; i < input.size(); ++i)
    input[i] = float(i);
  const DeviceBuffer<float> in(input);
  DeviceBuffer<float> out(input.size());
  tiles<<<blocks, dim3(16, rows)>>>(out, in, n);
  const auto result = out.download();
  for (int block = 0; block < blocks; ++block)
    for (int column = 0; column < 16; ++column)
      for (int row = 0; row < 64; ++row)
        CHECK_EQ(result[block * 1024 + column * 64 + row], input[(block * 64 + row) * n + column]);
}

int main() {
  for (const dim3 block : {dim3(16, 16), dim3(32, 8), dim3(8, 8), dim3(8, 32), dim3(32, 32),
                           dim3(64, 4), dim3(4, 64), dim3(16, 4), dim3(7, 9), dim3(16, 5)}) {
    checkMatrix<float>(block, 100, 75);
    checkMatrix<float>(block, 128, 64);
  }
  checkMatrix<std::uint8_t>(dim3(16, 16), 61, 49);
  checkMatrix<std::uint8_t>(dim3(8, 8), 61, 49);
  checkMatrix<short>(dim3(16, 16), 61, 49);
  checkMatrix<short>(dim3(4, 8), 61, 49);
  checkMatrix<double>(dim3(16, 16), 61, 49);
  checkMatrix<double>(dim3(32, 8), 64, 64);
  checkMatrix<float>(dim3(16, 16), 1, 50); // a column
  checkMatrix<float>(dim3(16, 16), 50, 1); // a row: neighbours, after all
  for (const int rows : {1, 2, 4, 8, 16})
    checkTiles(rows);
  RETURN_RESULT();
}
