// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks whose threads are neighbours in memory along threadIdx.y or z, not x: the engine may
// exchange axes of the launch (engine/simd/launch/lane_axis.h), and blocks whose rows are no whole
// vectors (padded_rows.h). Behind them, kernels that look alike, and observe which threads share a
// warp.
#include "check.h"

// All that a thread knows of its place. The matrix of threads has its rows along x.
__global__ void places(int *out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  const int here = x * width + y, cells = gridDim.x * blockDim.x * width;
  int value = int(threadIdx.x + 32 * threadIdx.y + 1024 * threadIdx.z);
  value += 65536 * int(blockIdx.x + 4 * blockIdx.y + 16 * blockIdx.z);
  out[z * cells + here] = value;
  out[(gridDim.z * blockDim.z + z) * cells + here] =
      int(blockDim.x + 33 * blockDim.y + 1089 * blockDim.z + 4000 * gridDim.x + 20000 * gridDim.y);
}

// A step of Gauss's elimination as benchmarks have it, in small blocks.
__global__ void eliminate(float *a, const float *m, int n, int t) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n - 1 - t && y < n - t)
    a[n * (x + 1 + t) + (y + t)] -= m[n * (x + 1 + t) + t] * a[n * t + (y + t)];
}

// z first in memory.
__global__ void volume(float *out, const float *in, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz) {
    const int here = (x * ny + y) * nz + z;
    out[here] = in[here] * 2 + (z > 0 ? in[here - 1] : x);
  }
}

// The textbook's product of tiles with rows on x.
template <int size> __global__ void tiles(float *c, const float *a, const float *b, int n) {
  __shared__ float a_tile[size][size], b_tile[size][size];
  const int i = threadIdx.x, j = threadIdx.y;
  const int row = blockIdx.x * size + i, column = blockIdx.y * size + j;
  float sum = 0;
  for (int tile = 0; tile < n / size; ++tile) {
    a_tile[i][j] = a[row * n + tile * size + j];
    b_tile[i][j] = b[(tile * size + i) * n + column];
    __syncthreads();
    for (int k = 0; k < size; ++k)
      sum += a_tile[i][k] * b_tile[k][j];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Rows end at places of their own, and some threads do nothing.
__global__ void triangle(int *out, const int *in, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column > row)
    return;
  int sum = 0;
  for (int k = column; k <= row; ++k)
    sum += in[row * n + k] - in[k * n + column];
  out[row * n + column] = sum;
}

// ---- Where the warp is seen ----

// What the neighbour along x has read.
__global__ void exchanged(int *out, const int *in, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * width + y] = __shfl_xor_sync(~0u, in[x * width + y], 1);
}

__global__ void waited(int *out, const int *in, int width) {
  __shared__ int tile[8][32];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[x * width + y];
  __syncwarp();
  out[x * width + y] = tile[threadIdx.y][threadIdx.x ^ 31];
}

__global__ void voted(unsigned *out, const int *in, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * width + y] = __ballot_sync(~0u, in[x * width + y] & 1);
}

// Each of these numbers once.
__global__ void numbered(int *out, int *next, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * width + y] = atomicAdd(next, 1);
}

// ---- What comes out ----

static std::vector<int> numbers(int count) {
  std::vector<int> result(count);
  for (int i = 0; i < count; ++i)
    result[i] = i * 37 % 101 - 50;
  return result;
}

static std::vector<float> floats(int count) {
  const std::vector<int> all = numbers(count);
  return {all.begin(), all.end()};
}

static void checkPlaces(dim3 block) {
  const dim3 grid(3, 2, 2);
  const int height = int(grid.x * block.x), width = int(grid.y * block.y);
  const int layers = int(grid.z * block.z), cells = height * width;
  DeviceBuffer<int> out(std::vector<int>(2 * layers * cells, -1));
  places<<<grid, block>>>(out.data(), width);
  const std::vector<int> found = out.download();
  const int shape = int(block.x + 33 * block.y + 1089 * block.z + 4000 * grid.x + 20000 * grid.y);
  for (int z = 0; z < layers; ++z)
    for (int x = 0; x < height; ++x)
      for (int y = 0; y < width; ++y) {
        const int bx = int(block.x), by = int(block.y), bz = int(block.z);
        const int thread = x % bx + 32 * (y % by) + 1024 * (z % bz);
        const int index = x / bx + 4 * (y / by) + 16 * (z / bz), cell = x * width + y;
        CHECK_EQ(found[z * cells + cell], thread + 65536 * index);
        CHECK_EQ(found[(layers + z) * cells + cell], shape);
      }
}

static void checkVolume(int nx, int ny, int nz, dim3 block) {
  const std::vector<float> in = floats(nx * ny * nz);
  DeviceBuffer<float> device_in(in), out(std::vector<float>(in.size(), -1));
  const dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y,
                  (nz + block.z - 1) / block.z);
  volume<<<grid, block>>>(out.data(), device_in.data(), nx, ny, nz);
  const std::vector<float> found = out.download();
  for (int i = 0; i < nx * ny * nz; ++i)
    CHECK_EQ(found[i], in[i] * 2 + (i % nz ? in[i - 1] : float(i / nz / ny)));
}

static void checkElimination(int n, dim3 block) {
  const std::vector<float> m = floats(n * n);
  std::vector<float> expected = m;
  DeviceBuffer<float> device_m(m), a(m);
  for (int t = 0; t < 3; ++t) {
    eliminate<<<dim3((n + block.x - 1) / block.x, (n + block.y - 1) / block.y), block>>>(
        a.data(), device_m.data(), n, t);
    for (int x = t + 1; x < n; ++x)
      for (int y = t; y < n; ++y)
        expected[n * x + y] -= m[n * x + t] * expected[n * t + y]; // of integers below 2^24
  }
  const std::vector<float> found = a.download();
  for (int i = 0; i < n * n; ++i)
    CHECK_EQ(found[i], expected[i]);
}

template <int size> static void checkTiles(int n) {
  const std::vector<float> a = floats(n * n);
  DeviceBuffer<float> device_a(a), c(std::vector<float>(n * n, -1));
  tiles<size><<<dim3(n / size, n / size), dim3(size, size)>>>(c.data(), device_a.data(),
                                                              device_a.data(), n);
  const std::vector<float> found = c.download();
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0; // of small integers
      for (int k = 0; k < n; ++k)
        sum += a[row * n + k] * a[k * n + column];
      CHECK_EQ(found[row * n + column], sum);
    }
}

static void checkTriangle(int n, dim3 block) {
  const std::vector<int> in = numbers(n * n);
  DeviceBuffer<int> device_in(in), out(std::vector<int>(n * n, -7));
  triangle<<<dim3((n + block.x - 1) / block.x, (n + block.y - 1) / block.y), block>>>(
      out.data(), device_in.data(), n);
  const std::vector<int> found = out.download();
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      int sum = column > row ? -7 : 0;
      for (int k = column; k <= row; ++k)
        sum += in[row * n + k] - in[k * n + column];
      CHECK_EQ(found[row * n + column], sum);
    }
}

static void checkWarps(dim3 block) {
  const dim3 grid(2, 3);
  const int height = int(grid.x * block.x), width = int(grid.y * block.y);
  const std::vector<int> in = numbers(height * width);
  DeviceBuffer<int> device_in(in), out(in.size()), next(std::vector<int>(1, 0));
  DeviceBuffer<unsigned> votes(in.size());
  exchanged<<<grid, block>>>(out.data(), device_in.data(), width);
  const std::vector<int> swapped = out.download();
  voted<<<grid, block>>>(votes.data(), device_in.data(), width);
  const std::vector<unsigned> ballots = votes.download();
  const auto at = [&](int x, int y) { return in[x * width + y]; };
  for (int x = 0; x < height; ++x)
    for (int y = 0; y < width; ++y) {
      CHECK_EQ(swapped[x * width + y], at(x ^ 1, y));
      unsigned ballot = 0;
      const int per_row = int(block.x), rows = 32 / per_row;
      for (int lane = 0; lane < 32; ++lane) {
        const int warp_x = x / per_row * per_row, warp_y = y / rows * rows;
        ballot |= unsigned(at(warp_x + lane % per_row, warp_y + lane / per_row) & 1) << lane;
      }
      CHECK_EQ(ballots[x * width + y], ballot);
    }
  numbered<<<grid, block>>>(out.data(), next.data(), width);
  std::vector<bool> seen(in.size());
  for (const int number : out.download()) {
    CHECK(number >= 0 && number < int(in.size()) && !seen[size_t(number)]);
    seen[size_t(number)] = true;
  }
}

static void checkWaiting() {
  const int height = 64, width = 24;
  const std::vector<int> in = numbers(height * width);
  DeviceBuffer<int> device_in(in), out(in.size());
  waited<<<dim3(2, 3), dim3(32, 8)>>>(out.data(), device_in.data(), width);
  const std::vector<int> found = out.download();
  for (int x = 0; x < height; ++x)
    for (int y = 0; y < width; ++y)
      CHECK_EQ(found[x * width + y], in[(x ^ 31) * width + y]);
}

int main() {
  for (const dim3 block :
       {dim3(16, 16), dim3(32, 8), dim3(4, 32), dim3(1, 64), dim3(1, 24), dim3(6, 16), dim3(5, 7),
        dim3(2, 4, 8), dim3(3, 1, 16), dim3(31, 30), dim3(40, 3), dim3(7, 3, 5)})
    checkPlaces(block);
  for (const dim3 block : {dim3(4, 4, 16), dim3(1, 1, 64), dim3(2, 8, 8), dim3(8, 1, 5)}) {
    checkVolume(8, 8, 64, block);
    checkVolume(7, 5, 19, block);
  }
  for (const dim3 block : {dim3(4, 4), dim3(8, 2), dim3(2, 8), dim3(3, 5)})
    checkElimination(128, block);
  checkTiles<5>(25);
  checkTiles<8>(40);
  checkTiles<12>(36);
  checkTiles<16>(48);
  checkTiles<20>(60);
  checkTiles<24>(48);
  checkTiles<32>(64);
  for (const dim3 block : {dim3(16, 16), dim3(8, 32), dim3(1, 32), dim3(20, 20), dim3(7, 9)})
    checkTriangle(45, block);
  checkWarps(dim3(8, 8));
  checkWarps(dim3(16, 4));
  checkWaiting();
  RETURN_RESULT();
}
