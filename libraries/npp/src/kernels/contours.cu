// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contours.h"

#include "pixels.h"
#include "sums_before.h"

namespace heddle::npp {
namespace {

struct Direction {
  int dx, dy;
  unsigned bit;
};
__device__ Direction direction(int k) {
  constexpr signed char dx[] = {1, 1, 0, -1, -1, -1, 0, 1}, dy[] = {0, -1, -1, -1, 0, 1, 1, 1};
  constexpr unsigned char bits[] = {NPP_CONTOUR_DIRECTION_EAST,  NPP_CONTOUR_DIRECTION_NORTH_EAST,
                                    NPP_CONTOUR_DIRECTION_NORTH, NPP_CONTOUR_DIRECTION_NORTH_WEST,
                                    NPP_CONTOUR_DIRECTION_WEST,  NPP_CONTOUR_DIRECTION_SOUTH_WEST,
                                    NPP_CONTOUR_DIRECTION_SOUTH, NPP_CONTOUR_DIRECTION_SOUTH_EAST};
  return {dx[k], dy[k], bits[k]};
}

__device__ unsigned labelAt(const LabelsInfo &g, int x, int y) {
  return reinterpret_cast<const unsigned *>(g.labels.data + y * g.labels.step)[x];
}
__device__ bool isInside(const LabelsInfo &g, int x, int y) {
  return x >= 0 && y >= 0 && x < g.width && y < g.height;
}
__device__ bool isContour(const LabelsInfo &g, int x, int y) {
  const unsigned here = labelAt(g, x, y);
  for (int k = 0; k < 8; ++k) {
    const Direction to = direction(k);
    if (isInside(g, x + to.dx, y + to.dy) && labelAt(g, x + to.dx, y + to.dy) != here)
      return true;
  }
  return false;
}

__global__ void clearRegions(LabelsInfo g) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < g.count; i += gridDim.x * blockDim.x)
    g.regions[i] = {0, 0, 0, {-1, -1}, {g.width, g.height, -1, -1}};
}

__device__ void count(const LabelsInfo &g, unsigned label, int x, int y, bool contour) {
  NppiCompressedMarkerLabelsInfo &region = g.regions[label];
  atomicAdd(&region.nMarkerLabelPixelCount, 1u);
  atomicMin(&region.oMarkerLabelBoundingBox.x, x);
  atomicMin(&region.oMarkerLabelBoundingBox.y, y);
  atomicMax(&region.oMarkerLabelBoundingBox.width, x);
  atomicMax(&region.oMarkerLabelBoundingBox.height, y);
  if (!contour)
    return;
  atomicAdd(&region.nContourPixelCount, 1u);
  // The first one in reading order, as a number, until all are known; -1 is the largest.
  atomicMin(reinterpret_cast<unsigned *>(&region.oContourFirstPixelLocation.x),
            unsigned(y) * g.width + x);
}

/// What is told of a pixel and its neighbours; of those that are no contour's, only the label.
__device__ void tellDirections(const LabelsInfo &g, unsigned label, int x, int y, bool contour) {
  NppiContourPixelDirectionInfo told{};
  told.nMarkerLabelID = label;
  if (contour) {
    NppiPoint *const places = &told.nEast1;
    Npp8u *const connected = &told.nTest1EastConnected;
    for (int k = 0; k < 8; ++k) {
      const Direction to = direction(k);
      const int nx = x + to.dx, ny = y + to.dy;
      places[k] = {nx, ny};
      if (!isInside(g, nx, ny) || labelAt(g, nx, ny) != label)
        continue;
      told.nContourInteriorDirectionCenterPixel |= to.bit;
      if (!isContour(g, nx, ny))
        continue;
      connected[k] = Npp8u(to.bit);
      told.nContourDirectionCenterPixel |= to.bit;
    }
    told.nConnected = told.nContourDirectionCenterPixel;
    told.oContourPixelGeometryInfo.oContourCenterPixelLocation = {x, y};
    told.oContourPixelGeometryInfo.nContourInteriorDirection =
        told.nContourInteriorDirectionCenterPixel;
  }
  reinterpret_cast<NppiContourPixelDirectionInfo *>(g.directions.data + y * g.directions.step)[x] =
      told;
}

__global__ void describePixels(LabelsInfo g) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= g.width)
    return;
  for (int y = blockIdx.y; y < g.height; y += gridDim.y) {
    const unsigned label = labelAt(g, x, y);
    const bool contour = isContour(g, x, y);
    if (label < g.count)
      count(g, label, x, y, contour);
    if (g.contours.data)
      reinterpret_cast<Npp8u *>(g.contours.data + y * g.contours.step)[x] = contour ? 0 : 255;
    if (g.directions.data)
      tellDirections(g, label, x, y, contour);
  }
}

__global__ void placeFirsts(LabelsInfo g) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < g.count;
       i += gridDim.x * blockDim.x) {
    NppiCompressedMarkerLabelsInfo &region = g.regions[i];
    const unsigned first = unsigned(region.oContourFirstPixelLocation.x);
    if (region.nContourPixelCount > 0)
      region.oContourFirstPixelLocation = {int(first % g.width), int(first / g.width)};
    if (g.counts)
      g.counts[i] = region.nContourPixelCount;
  }
}

// One block: a thread for each of as many parts of the list.
__global__ void addOffsets(LabelsInfo g) {
  __shared__ unsigned sums[sum_threads];
  putSumsBefore(
      g.count, sums, [&](unsigned i) { return g.regions[i].nContourPixelCount; },
      [&](unsigned i, unsigned before) { g.offsets[i] = before; });
}

} // namespace

cudaError_t launch(const LabelsInfo &work, cudaStream_t stream) {
  const unsigned blocks = work.count < 65536 ? (work.count + 255) / 256 : 256;
  clearRegions<<<blocks, 256, 0, stream>>>(work);
  describePixels<<<gridFor(work.width, work.height), 256, 0, stream>>>(work);
  placeFirsts<<<blocks, 256, 0, stream>>>(work);
  if (work.offsets)
    addOffsets<<<1, sum_threads, 0, stream>>>(work);
  return cudaGetLastError();
}

} // namespace heddle::npp
