// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures at indices that are data: lists of neighbours, vertices of triangles, pairs of table
// entries, in whole or in part, for all threads or for some.
#include "check.h"

struct Point {
  float x, y, z;
};
struct Cell {
  double mass;
  long long id;
  double charge[3];
};

template <class Kernel, class... Arguments>
static void launch(Kernel kernel, int n, int block, Arguments... arguments) {
  kernel<<<(n + block - 1) / block, block>>>(n, arguments...);
}

__global__ void sumOfNeighbours(int n, float *out, const Point *points, const int *next) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < 4; ++k) {
    const Point p = points[next[k * n + i]];
    sum += p.x + 10 * p.y + 100 * p.z;
  }
  out[i] = sum;
}

__global__ void wholeVectors(int n, float *out, const float4 *points, const int *next) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && next[i] % 3 != 1) {
    const float4 p = points[next[i]];
    out[i] = p.x - p.y + 2 * p.z - 3 * p.w;
  }
}

// Two entries of a table, between which a value lies; doubles and whole numbers of one structure.
__global__ void between(int n, float *out, const float *table, const int *place) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 0.25f * table[place[i]] + 0.75f * table[place[i] + 1];
}

__global__ void parts(int n, double *out, const Cell *cells, const int *next) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = cells[next[i]].mass * double(cells[next[i]].id) + cells[next[i]].charge[2];
}

// What a thread has changed itself, it finds changed.
__global__ void changed(int n, Point *points, const int *next) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Point &p = points[next[i]]; // no two threads have the same
  const float x = p.x;
  p.y = x + 1;
  p.z = p.y + p.x;
}

// The last entries of an array, behind which there is nothing.
__global__ void atTheEnd(int n, int *out, const int2 *pairs, const int *next) {
  __shared__ int2 own[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    own[threadIdx.x] = pairs[n - 1 - next[i] % 3];
  __syncthreads();
  if (i < n)
    out[i] = own[next[i] % 64 < int(blockDim.x) && blockIdx.x * blockDim.x + next[i] % 64 < n
                     ? next[i] % 64
                     : threadIdx.x]
                 .y;
}

static void checkPoints(int n, int block) {
  std::vector<int> next(4 * n);
  std::vector<Point> points(n);
  std::vector<float4> fours(n);
  std::vector<float> table(n + 1);
  std::vector<Cell> cells(n);
  std::vector<int2> pairs(n);
  for (int i = 0; i < 4 * n; ++i)
    next[i] = int((i * 7919ll + i / n) % n);
  for (int i = 0; i < n; ++i) {
    points[i] = {float(i % 50), float(i % 7), float(i % 11)};
    fours[i] = make_float4(float(i), float(2 * i), float(i % 9), float(i % 4));
    cells[i] = {double(i), i % 13, {0, 0, i + 0.5}};
    pairs[i] = make_int2(i, 3 * i);
  }
  for (int i = 0; i <= n; ++i)
    table[i] = float(i % 101);
  DeviceBuffer<int> device_next(next), ends(std::vector<int>(n, 0));
  DeviceBuffer<Point> device_points(points);
  DeviceBuffer<float4> device_fours(fours);
  DeviceBuffer<float> device_table(table), sums(std::vector<float>(n, 0)),
      wholes(std::vector<float>(n, -1)), values(std::vector<float>(n, 0));
  DeviceBuffer<Cell> device_cells(cells);
  DeviceBuffer<double> products(std::vector<double>(n, 0));
  DeviceBuffer<int2> device_pairs(pairs);
  launch(sumOfNeighbours, n, block, sums.data(), device_points.data(), device_next.data());
  launch(wholeVectors, n, block, wholes.data(), device_fours.data(), device_next.data());
  launch(between, n, block, values.data(), device_table.data(), device_next.data());
  launch(parts, n, block, products.data(), device_cells.data(), device_next.data());
  launch(atTheEnd, n, block, ends.data(), device_pairs.data(), device_next.data());
  const auto found_sums = sums.download(), found_wholes = wholes.download(),
             found_values = values.download();
  const auto found_products = products.download();
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
      const Point p = points[next[k * n + i]];
      sum += p.x + 10 * p.y + 100 * p.z;
    }
    CHECK_EQ(found_sums[i], sum);
    const float4 p = fours[next[i]];
    CHECK_EQ(found_wholes[i], next[i] % 3 == 1 ? -1 : p.x - p.y + 2 * p.z - 3 * p.w);
    CHECK_EQ(found_values[i], 0.25f * table[next[i]] + 0.75f * table[next[i] + 1]);
    const Cell &cell = cells[next[i]];
    CHECK_EQ(found_products[i], cell.mass * double(cell.id) + cell.charge[2]);
  }
  const std::vector<int> found_ends = ends.download();
  for (int i = 0; i < n; ++i) {
    const int first = i / block * block, other = first + next[i] % 64;
    const int from = next[i] % 64 < block && other < n ? other : i;
    CHECK_EQ(found_ends[i], 3 * (n - 1 - next[from] % 3));
  }
  launch(changed, n, block, device_points.data(), device_next.data());
  const std::vector<Point> after = device_points.download();
  for (int i = 0; i < n; ++i) {
    const Point &p = after[next[i]];
    CHECK_EQ(p.y, p.x + 1);
    CHECK_EQ(p.z, p.y + p.x);
  }
}

int main() {
  for (const int n : {1000, 1024, 37}) // 7919 has no factor in common with them
    for (const int block : {32, 64, 48})
      checkPoints(n, block);
  RETURN_RESULT();
}
