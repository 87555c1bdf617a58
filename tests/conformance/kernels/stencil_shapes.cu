// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stencils and sums of columns in blocks of many shapes, of floats, ints and doubles, on grids
// whose size is no multiple of anything: blocks at the border are partly empty, and its points have
// other neighbours.
#include "check.h"

const int width = 421, height = 83;

__device__ int columnOf() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int rowOf() {
  return (blockIdx.y * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y;
}

// Points beyond the border are like those at it.
template <class T> __global__ void stencil(const T *in, T *out) {
  const int x = columnOf(), y = rowOf();
  if (x >= width || y >= height)
    return;
  const int left = x > 0 ? x - 1 : 0, right = min(x + 1, width - 1);
  const int above = max(y - 1, 0), below = y < height - 1 ? y + 1 : y;
  out[y * width + x] = in[y * width + left] + in[y * width + right] + in[above * width + x] +
                       in[below * width + x] - 4 * in[y * width + x];
}

// The border stays as it is, and so does what lies behind a row that is longer than the grid.
template <class T> __global__ void inner(const T *in, T *out) {
  const int x = columnOf(), y = rowOf(), i = y * width + x;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    out[i] = in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - 4 * in[i];
}

// Each thread knows its own block: that it writes the right one's number shows in every element.
__global__ void number(int *out) {
  const int x = columnOf(), y = rowOf();
  if (x < width && y < height)
    out[y * width + x] = (blockIdx.y * gridDim.x + blockIdx.x) * 1000 +
                         (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

// A thread for each column, and each of the rows from which its sum starts.
template <class T> __global__ void sumsOfColumns(const T *in, T *out) {
  const int x = columnOf(), y = rowOf();
  if (x >= width || y >= height)
    return;
  T sum = 0;
  for (int k = 0; k < 20; ++k)
    sum += in[(y + k) % height * width + x];
  out[y * width + x] = sum;
}

template <class T, class Point>
void checkPoints(const std::vector<T> &result, const Point &expected) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      CHECK_EQ(result[y * width + x], T(expected(x, y)));
}

template <class T> void checkShape(dim3 block) {
  std::vector<T> values(width * height);
  for (int i = 0; i < width * height; ++i)
    values[i] = T(i * 7919LL % 2003 - 1000) / T(16); // sums of these are exact
  const auto at = [&](int x, int y) {
    return values[std::min(std::max(y, 0), height - 1) * width +
                  std::min(std::max(x, 0), width - 1)];
  };
  const auto around = [&](int x, int y) {
    return at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4 * at(x, y);
  };
  const int layers = block.y * block.z;
  const dim3 grid((width + block.x - 1) / block.x, (height + layers - 1) / layers);
  DeviceBuffer<T> in(values), out(width * height);
  for (int round = 0; round < 2; ++round) { // the second knows how long the first has taken
    CHECK_CUDA(cudaMemset(out, 0, width * height * sizeof(T)));
    stencil<T><<<grid, block>>>(in, out);
    checkPoints(out.download(), around);
    out.upload(values);
    inner<T><<<grid, block>>>(in, out);
    checkPoints(out.download(), [&](int x, int y) {
      const bool border = x == 0 || x == width - 1 || y == 0 || y == height - 1;
      return border ? at(x, y) : around(x, y);
    });
  }
  sumsOfColumns<T><<<grid, block>>>(in, out);
  checkPoints(out.download(), [&](int x, int y) {
    T sum = 0;
    for (int k = 0; k < 20; ++k)
      sum += at(x, (y + k) % height);
    return sum;
  });
}

void checkNumbers(dim3 block) {
  const int layers = block.y * block.z;
  const dim3 grid((width + block.x - 1) / block.x, (height + layers - 1) / layers);
  for (int round = 0; round < 3; ++round) {
    DeviceBuffer<int> out(width * height);
    number<<<grid, block>>>(out);
    checkPoints(out.download(), [&](int x, int y) {
      return (y / layers * grid.x + x / block.x) * 1000 + y % layers * block.x + x % block.x;
    });
  }
}

int main() {
  for (const dim3 block :
       {dim3(32, 8), dim3(16, 16), dim3(8, 8), dim3(8, 8, 8), dim3(64, 4), dim3(128, 2), dim3(256),
        dim3(192), dim3(96), dim3(4, 32), dim3(32, 6), dim3(16, 6), dim3(1, 64)}) {
    checkShape<float>(block);
    checkShape<int>(block);
    checkShape<double>(block);
    checkNumbers(block);
  }
  RETURN_RESULT();
}
