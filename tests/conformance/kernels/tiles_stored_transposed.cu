// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles in shared memory that are stored down their columns: to load along their columns, along
// their rows, as one long row, or from behind the end of a row, where the next one begins.
#include "check.h"

constexpr int side = 16, columns = 64;
using Tile = int[side][columns];

__device__ void fill(Tile &tile, const int *in) {
  const int thread = threadIdx.y * side + threadIdx.x;
  for (int i = thread; i < side * columns; i += side * side)
    tile[i % side][i / side] = in[i];
  __syncthreads();
}

// Transposed twice, so that nothing happens.
__global__ void backAgain(int *out, const int *in) {
  __shared__ Tile tile;
  fill(tile, in);
  for (int k = 0; k < columns; k += side)
    out[(k + threadIdx.y) * side + threadIdx.x] = tile[threadIdx.x][k + threadIdx.y];
}

// What a product of matrices does: the same element for a whole row of threads.
__global__ void rowsOf(int *out, const int *in) {
  __shared__ Tile tile;
  fill(tile, in);
  int sum = 0;
  for (int k = 0; k < side; ++k)
    for (int i = 0; i < 4; ++i)
      sum = sum * 3 + tile[k][threadIdx.y * 4 + i];
  out[threadIdx.y * side + threadIdx.x] = sum + int(threadIdx.x);
}

__global__ void asOneRow(int *out, const int *in) {
  __shared__ Tile tile;
  fill(tile, in);
  const int thread = threadIdx.y * side + threadIdx.x;
  for (int i = thread; i < side * columns; i += side * side)
    out[i] = (&tile[0][0])[i];
}

// The neighbour on the right; the last one's is the first of the next row.
__global__ void ofNeighbours(int *out, const int *in, int right) {
  __shared__ Tile tile;
  fill(tile, in);
  const int *last = &tile[threadIdx.x][threadIdx.y + columns - side];
  const bool behind = threadIdx.x == side - 1 && threadIdx.y == side - 1;
  out[threadIdx.y * side + threadIdx.x] = behind ? 0 : last[right];
}

// In blocks of other shapes, columns are others.
__global__ void anyBlock(int *out, const int *in) {
  __shared__ Tile tile;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x, all = blockDim.x * blockDim.y;
  for (int i = thread; i < side * columns; i += all)
    tile[i % side][i / side] = in[i];
  __syncthreads();
  for (int i = thread; i < side * columns; i += all)
    out[i] = tile[i / columns][i % columns];
}

// A product by 256 threads in a row, each of which has 4 x 4 elements of it.
constexpr int per = 4;
__global__ __launch_bounds__(side *side) void product(int *c, const int *a, const int *b,
                                                      int depth) {
  __shared__ Tile left, right;
  const int thread = threadIdx.x, x = thread % side, y = thread / side;
  int sums[per][per] = {};
  for (int first = 0; first < depth; first += side) {
    for (int i = thread; i < side * columns; i += side * side) {
      left[i % side][i / side] = a[i / side * depth + first + i % side];
      right[i / columns][i % columns] = b[(first + i / columns) * columns + i % columns];
    }
    __syncthreads();
    for (int k = 0; k < side; ++k)
      for (int i = 0; i < per; ++i)
        for (int j = 0; j < per; ++j)
          sums[i][j] += left[k][y * per + i] * right[k][x * per + j];
    __syncthreads();
  }
  for (int i = 0; i < per; ++i)
    for (int j = 0; j < per; ++j)
      c[(y * per + i) * columns + x * per + j] = sums[i][j];
}

static void checkProduct() {
  constexpr int depth = 3 * side;
  std::vector<int> a(columns * depth), b(depth * columns);
  for (int i = 0; i < columns * depth; ++i)
    a[i] = i * 7 % 23, b[i] = i * 5 % 31;
  const DeviceBuffer<int> left(a), right(b);
  DeviceBuffer<int> c(columns * columns);
  product<<<1, side * side>>>(c, left, right, depth);
  const auto result = c.download();
  for (int row = 0; row < columns; ++row)
    for (int column = 0; column < columns; ++column) {
      int sum = 0;
      for (int k = 0; k < depth; ++k)
        sum += a[row * depth + k] * b[k * columns + column];
      CHECK_EQ(result[row * columns + column], sum);
    }
}

int main() {
  std::vector<int> input(side * columns);
  for (int i = 0; i < side * columns; ++i)
    input[i] = i * 31 % 1009;
  const auto tile = [&](int row, int column) { return input[column * side + row]; };
  const DeviceBuffer<int> in(input);
  DeviceBuffer<int> out(side * columns);
  const dim3 threads(side, side);

  backAgain<<<1, threads>>>(out, in);
  CHECK_EQ(out.download() == input, true);

  rowsOf<<<1, threads>>>(out, in);
  std::vector<int> result = out.download();
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      unsigned sum = 0;
      for (int k = 0; k < side; ++k)
        for (int i = 0; i < 4; ++i)
          sum = sum * 3 + unsigned(tile(k, y * 4 + i));
      CHECK_EQ(unsigned(result[y * side + x]), sum + unsigned(x));
    }

  asOneRow<<<1, threads>>>(out, in);
  result = out.download();
  for (int i = 0; i < side * columns; ++i)
    CHECK_EQ(result[i], tile(i / columns, i % columns));

  ofNeighbours<<<1, threads>>>(out, in, 1);
  result = out.download();
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const int next = x * columns + y + columns - side + 1;
      const bool behind = x == side - 1 && y == side - 1;
      CHECK_EQ(result[y * side + x], behind ? 0 : tile(next / columns, next % columns));
    }

  for (const dim3 block : {dim3(256), dim3(32, 4), dim3(16, 16), dim3(8, 8), dim3(5, 7)}) {
    anyBlock<<<1, block>>>(out, in);
    result = out.download();
    for (int i = 0; i < side * columns; ++i)
      CHECK_EQ(result[i], tile(i / columns, i % columns));
  }
  checkProduct();
  RETURN_RESULT();
}
