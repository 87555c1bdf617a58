// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions.h"

#include "union_find.h"

namespace heddle::npp {
namespace {

constexpr unsigned none = 0xffffffffu;

// The magnitude one step along the gradient, 0 outside the region.
__device__ float along(const Canny &g, int x, int y) {
  if (x < 0 || y < 0 || x >= g.gradient.width || y >= g.gradient.height)
    return 0;
  return loadPixel<float>(g.gradient.magnitude, x, y);
}

// Keeps pixels that are as strong as those on both sides of the edge.
__global__ void thinEdges(Canny g) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, width = g.gradient.width;
  if (x >= width)
    return;
  for (int y = blockIdx.y; y < g.gradient.height; y += gridDim.y) {
    const float here = loadPixel<float>(g.gradient.magnitude, x, y);
    const float angle = loadPixel<float>(g.gradient.angle, x, y) * (4 / 3.14159265f);
    const int sector = int(rintf(angle)) & 3; // of 45 degrees
    // Rows count downwards, and the gradient upwards.
    const int dx = sector == 2 ? 0 : 1, dy = sector == 0 ? 0 : sector == 3 ? 1 : -1;
    const bool kept =
        here >= g.low && here > along(g, x - dx, y - dy) && here >= along(g, x + dx, y + dy);
    const unsigned i = unsigned(y) * width + x;
    g.labels[i] = kept ? i : none;
    storePixel<float>(g.dst, x, y, !kept ? 0.0f : here >= g.high ? 2.0f : 1.0f);
  }
}

// Then magnitudes are not needed any more: they become marks of edges with a strong pixel.
__global__ void followEdges(Canny g, int phase) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, width = g.gradient.width;
  if (x >= width)
    return;
  for (int y = blockIdx.y; y < g.gradient.height; y += gridDim.y) {
    const unsigned i = unsigned(y) * width + x;
    float *const marks = reinterpret_cast<float *>(g.gradient.magnitude.data);
    const bool kept = labelOf(g.labels, i) != none;
    if (phase == 0) {
      marks[i] = 0;
      for (int k = 0; kept && k < 4; ++k) {
        int nx, ny;
        if (neighbour(k, x, y, width, nx, ny) &&
            labelOf(g.labels, unsigned(ny) * width + nx) != none)
          unite(g.labels, i, unsigned(ny) * width + nx);
      }
    } else if (phase == 1) {
      if (kept && loadPixel<float>(g.dst, x, y) == 2)
        atomicExch(&marks[find(g.labels, i)], 1.0f);
    } else
      storePixel<float>(g.dst, x, y, kept && marks[find(g.labels, i)] != 0 ? 255.0f : 0.0f);
  }
}

// Water runs to the lowest neighbour; of equal ones, to the first.
__device__ unsigned downhill(const Watershed &g, int x, int y) {
  int best_x = x, best_y = y;
  double best = loadPixel<double>(g.image, x, y);
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const int nx = x + dx, ny = y + dy;
      if ((!g.diagonal && dx && dy) || nx < 0 || ny < 0 || nx >= g.width || ny >= g.height)
        continue;
      const double v = loadPixel<double>(g.image, nx, ny);
      if (v < best || (v == best && (ny < best_y || (ny == best_y && nx < best_x)))) {
        best = v;
        best_x = nx;
        best_y = ny;
      }
    }
  return unsigned(best_y) * g.width + best_x;
}

__device__ double valueOf(const Watershed &g, unsigned i) {
  return loadPixel<double>(g.image, i % g.width, i / g.width);
}

// Minima that touch at the same height are one.
__device__ void uniteMinima(const Watershed &g, int x, int y) {
  const unsigned i = unsigned(y) * g.width + x;
  const double here = loadPixel<double>(g.image, x, y);
  if (valueOf(g, g.labels[i]) != here)
    return;
  for (int k = 0; k < (g.diagonal ? 4 : 2); ++k) {
    int nx, ny;
    if (!neighbour(k, x, y, g.width, nx, ny) || loadPixel<double>(g.image, nx, ny) != here)
      continue;
    const unsigned other = g.labels[unsigned(ny) * g.width + nx];
    if (valueOf(g, other) == here)
      unite(g.merged, g.labels[i], other);
  }
}

__device__ bool atBoundary(const Watershed &g, int x, int y) {
  const unsigned i = unsigned(y) * g.width + x;
  return (x + 1 < g.width && g.labels[i + 1] != g.labels[i]) ||
         (y + 1 < g.height && g.labels[i + g.width] != g.labels[i]);
}

__device__ void paint(const Watershed &g, int x, int y) {
  const unsigned i = unsigned(y) * g.width + x;
  const double white = g.image.type == Type::U8 ? 255 : 65535;
  double v = g.merged[i];
  if (g.boundaries == NPP_WATERSHED_SEGMENT_BOUNDARIES_ONLY)
    v = atBoundary(g, x, y) ? white : 0;
  else if (g.boundaries != NPP_WATERSHED_SEGMENT_BOUNDARIES_NONE && atBoundary(g, x, y))
    v = g.boundaries == NPP_WATERSHED_SEGMENT_BOUNDARIES_BLACK   ? 0
        : g.boundaries == NPP_WATERSHED_SEGMENT_BOUNDARIES_WHITE ? white
        : v > white / 2                                          ? 0
                                                                 : white;
  storePixel<double>(g.image, x, y, v);
  if (g.markers.data)
    reinterpret_cast<unsigned *>(g.markers.data + y * g.markers.step)[x] = g.labels[i];
}

__global__ void watershed(Watershed g, int phase) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= g.width)
    return;
  for (int y = blockIdx.y; y < g.height; y += gridDim.y) {
    const unsigned i = unsigned(y) * g.width + x;
    switch (phase) {
    case 0:
      g.labels[i] = downhill(g, x, y);
      g.merged[i] = i;
      break;
    case 1:
      __atomic_store_n(&g.labels[i], find(g.labels, i), __ATOMIC_RELAXED);
      break;
    case 2:
      uniteMinima(g, x, y);
      break;
    case 3:
      g.labels[i] = find(g.merged, g.labels[i]);
      break;
    case 4: // each segment gets the value of its minimum
      g.merged[i] = unsigned(valueOf(g, g.labels[i]));
      break;
    default:
      paint(g, x, y);
    }
  }
}

} // namespace

cudaError_t launch(const Canny &work, cudaStream_t stream) {
  if (const cudaError_t error = launch(work.gradient, stream))
    return error;
  const dim3 grid = gridFor(work.gradient.width, work.gradient.height);
  thinEdges<<<grid, 256, 0, stream>>>(work);
  for (int phase = 0; phase < 3; ++phase)
    followEdges<<<grid, 256, 0, stream>>>(work, phase);
  return cudaGetLastError();
}

cudaError_t launch(const Watershed &work, cudaStream_t stream) {
  for (int phase = 0; phase < 6; ++phase)
    watershed<<<gridFor(work.width, work.height), 256, 0, stream>>>(work, phase);
  return cudaGetLastError();
}

} // namespace heddle::npp
