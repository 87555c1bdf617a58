// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "distance.h"

#include "pixels.h"

namespace heddle::npp {
namespace {

constexpr int none = -1;

// A thread for each column: down, for the sites above, then up for those below, if they are not
// farther.
__global__ void findInColumns(Distance g) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= g.width)
    return;
  int last = none;
  for (int y = 0; y < g.height; ++y) {
    const double v = loadPixel<double>(g.src, x, y);
    if (v >= g.low && v <= g.high)
      last = y;
    g.nearest[size_t(y) * g.width + x] = Npp16s(last);
  }
  last = none;
  for (int y = g.height; y-- > 0;) {
    Npp16s &nearest = g.nearest[size_t(y) * g.width + x];
    if (nearest == y)
      last = y;
    else if (last != none && (nearest == none || last - y <= y - nearest))
      nearest = Npp16s(last);
  }
}

/// A row's view of what the columns have.
struct Row {
  const Npp16s *nearest;
  int y;
  __device__ long long height(int column) const {
    const long long off = nearest[column] - y;
    return off * off;
  }
  __device__ long long square(int x, int column) const {
    const long long off = x - column;
    return off * off + height(column);
  }
  /// The last pixel for which column `a` is as near as column `b`, which is to its right.
  __device__ long long lastOf(int a, int b) const {
    const long long over = (long long)b * b - (long long)a * a + height(b) - height(a);
    const long long by = 2LL * (b - a);
    return over >= 0 ? over / by : -((-over + by - 1) / by);
  }
};

/// How many columns are the nearest ones of some pixel of the row.
__device__ int findLowest(const Row &row, int width, Npp16s *lowest, Npp16s *from) {
  int count = 0;
  for (int x = 0; x < width; ++x) {
    if (row.nearest[x] == none)
      continue;
    while (count > 0 &&
           row.square(from[count - 1], lowest[count - 1]) > row.square(from[count - 1], x))
      --count;
    const long long begin = count == 0 ? 0 : row.lastOf(lowest[count - 1], x) + 1;
    if (begin < width) {
      lowest[count] = Npp16s(x);
      from[count++] = Npp16s(begin);
    }
  }
  return count;
}

__device__ Npp16s *pairOf(const Operand &to, int x, int y) {
  return reinterpret_cast<Npp16s *>(to.data + y * to.step) + 2 * size_t(x);
}

__device__ void storeNearest(const Distance &g, int x, int y, int site_x, int site_y) {
  const int dx = x - site_x, dy = y - site_y;
  if (g.voronoi.data) {
    pairOf(g.voronoi, x, y)[0] = Npp16s(site_x);
    pairOf(g.voronoi, x, y)[1] = Npp16s(site_y);
  }
  if (g.indices.data) {
    pairOf(g.indices, x, y)[0] = Npp16s(site_x);
    pairOf(g.indices, x, y)[1] = Npp16s(site_y);
  }
  if (g.along.data) {
    pairOf(g.along, x, y)[0] = Npp16s(g.absolute ? abs(dx) : dx);
    pairOf(g.along, x, y)[1] = Npp16s(g.absolute ? abs(dy) : dy);
  }
  if (g.transform.data)
    storePixel<double>(g.transform, x, y, sqrt(double(dx) * dx + double(dy) * dy),
                       Round::TowardZero);
}

__global__ void findInRows(Distance g) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= g.height)
    return;
  const size_t first = size_t(y) * g.width;
  const Row row{g.nearest + first, y};
  Npp16s *const lowest = g.lowest + first, *const from = g.from + first;
  int k = findLowest(row, g.width, lowest, from) - 1;
  for (int x = g.width; x-- > 0;) {
    while (k > 0 && from[k] > x)
      --k;
    if (k >= 0)
      storeNearest(g, x, y, lowest[k], row.nearest[lowest[k]]);
    else
      storeNearest(g, x, y, -1, 0); // an image without sites
  }
}

} // namespace

cudaError_t launch(const Distance &work, cudaStream_t stream) {
  constexpr int block = 64;
  findInColumns<<<(work.width + block - 1) / block, block, 0, stream>>>(work);
  findInRows<<<(work.height + block - 1) / block, block, 0, stream>>>(work);
  return cudaGetLastError();
}

} // namespace heddle::npp
