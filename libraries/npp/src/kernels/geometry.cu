// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "geometry.h"

#include "pixels.h"

namespace heddle::npp {
namespace {

constexpr int most_taps = 6;

// Mitchell and Netravali's family of cubic filters.
__device__ double cubic(double t, double b, double c) {
  t = fabs(t);
  if (t < 1)
    return ((12 - 9 * b - 6 * c) * t * t * t + (-18 + 12 * b + 6 * c) * t * t + 6 - 2 * b) / 6;
  if (t < 2)
    return ((-b - 6 * c) * t * t * t + (6 * b + 30 * c) * t * t + (-12 * b - 48 * c) * t + 8 * b +
            24 * c) /
           6;
  return 0;
}

// The cubic polynomial through four pixels, which an H100 has for NPPI_INTER_CUBIC.
__device__ double lagrange(double t) {
  t = fabs(t);
  if (t < 1)
    return (1 + t) * (1 - t) * (2 - t) / 2;
  return t < 2 ? (1 - t) * (2 - t) * (3 - t) / 6 : 0;
}

__device__ double lanczos(double t) {
  constexpr double pi = 3.14159265358979323846;
  if (t == 0)
    return 1;
  return fabs(t) < 3 ? 3 * sin(pi * t) * sin(pi * t / 3) / (pi * pi * t * t) : 0;
}

__device__ int tapsOf(int interpolation) {
  switch (interpolation) {
  case NPPI_INTER_NN:
    return 1;
  case NPPI_INTER_LINEAR:
    return 2;
  case NPPI_INTER_LANCZOS:
  case NPPI_INTER_LANCZOS3_ADVANCED:
    return 6;
  default:
    return 4;
  }
}

__device__ double weight(int interpolation, double t) {
  switch (interpolation) {
  case NPPI_INTER_NN:
    return 1;
  case NPPI_INTER_LINEAR:
    return 1 - fabs(t);
  case NPPI_INTER_CUBIC2P_BSPLINE:
    return cubic(t, 1, 0);
  case NPPI_INTER_CUBIC2P_B05C03:
    return cubic(t, 0.5, 0.3);
  case NPPI_INTER_LANCZOS:
  case NPPI_INTER_LANCZOS3_ADVANCED:
    return lanczos(t);
  default:
    return lagrange(t);
  }
}

// The first tap for a coordinate, and the weights, whose sum is 1.
__device__ int weigh(int interpolation, int taps, double at, double *weights) {
  const int first = taps == 1 ? int(floor(at + 0.5)) : int(floor(at)) - (taps / 2 - 1);
  double sum = 0;
  for (int i = 0; i < taps; ++i) {
    weights[i] = weight(interpolation, at - (first + i));
    sum += weights[i];
  }
  for (int i = 0; i < taps; ++i)
    weights[i] /= sum;
  return first;
}

__device__ int within(int i, int begin, int size) { return min(max(i, begin), begin + size - 1); }

__device__ void interpolate(const Geometry &g, double sx, double sy, int x, int y) {
  const int taps = tapsOf(g.interpolation), stride = g.channels.count;
  double wx[most_taps], wy[most_taps];
  const int x0 = weigh(g.interpolation, taps, sx, wx), y0 = weigh(g.interpolation, taps, sy, wy);
  for (int c = 0; c < stride; ++c) {
    if (g.channels.alpha && c == 3)
      break;
    double sum = 0;
    for (int j = 0; j < taps; ++j) {
      const int row = within(y0 + j, g.src_roi.y, g.src_roi.height);
      double line = 0;
      for (int i = 0; i < taps; ++i) {
        const int column = within(x0 + i, g.src_roi.x, g.src_roi.width);
        line += wx[i] * loadPixel<double>(g.src, (long long)column * stride + c, row);
      }
      sum += wy[j] * line;
    }
    storePixel<double>(g.dst, (long long)x * stride + c, y, sum);
  }
}

// The mean of all source pixels that a destination pixel covers, each by how much of it is covered.
__device__ void average(const Geometry &g, double sx, double sy, int x, int y) {
  const int stride = g.channels.count;
  const double left = sx + 0.5 - g.scale_x / 2, right = left + g.scale_x;
  const double top = sy + 0.5 - g.scale_y / 2, bottom = top + g.scale_y;
  const int x0 = max(int(floor(left)), g.src_roi.x), y0 = max(int(floor(top)), g.src_roi.y);
  const int x1 = min(int(ceil(right)), g.src_roi.x + g.src_roi.width);
  const int y1 = min(int(ceil(bottom)), g.src_roi.y + g.src_roi.height);
  for (int c = 0; c < stride; ++c) {
    if (g.channels.alpha && c == 3)
      break;
    double sum = 0, area = 0;
    for (int j = y0; j < y1; ++j)
      for (int i = x0; i < x1; ++i) {
        const double w = (fmin(right, i + 1.0) - fmax(left, double(i))) *
                         (fmin(bottom, j + 1.0) - fmax(top, double(j)));
        sum += w * loadPixel<double>(g.src, (long long)i * stride + c, j);
        area += w;
      }
    if (area > 0)
      storePixel<double>(g.dst, (long long)x * stride + c, y, sum / area);
  }
}

__device__ bool inside(const Geometry &g, double sx, double sy) {
  // Rounding errors; and half a pixel more on the left and above for nearest pixels, as an H100
  // has.
  const double most = 1e-6, margin = g.interpolation == NPPI_INTER_NN ? 0.5 : most;
  const double right = g.src_roi.x + g.src_roi.width - 1,
               bottom = g.src_roi.y + g.src_roi.height - 1;
  return sx >= g.src_roi.x - margin && sx < right + most && sy >= g.src_roi.y - margin &&
         sy < bottom + most;
}

__global__ void transform(Geometry g) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= g.dst_roi.width)
    return;
  const int x = g.dst_roi.x + column;
  for (int row = blockIdx.y; row < g.dst_roi.height; row += gridDim.y) {
    const int y = g.dst_roi.y + row;
    double sx, sy;
    if (g.map_x.data) {
      sx = loadPixel<double>(g.map_x, x, y);
      sy = loadPixel<double>(g.map_y, x, y);
    } else {
      sx = g.matrix[0] * x + g.matrix[1] * y + g.matrix[2];
      sy = g.matrix[3] * x + g.matrix[4] * y + g.matrix[5];
      if (g.perspective) {
        const double w = g.matrix[6] * x + g.matrix[7] * y + g.matrix[8];
        sx /= w;
        sy /= w;
      }
    }
    if (!g.clamp && !inside(g, sx, sy))
      continue;
    if (g.interpolation == NPPI_INTER_SUPER)
      average(g, sx, sy, x, y);
    else
      interpolate(g, sx, sy, x, y);
  }
}

} // namespace

cudaError_t launch(const Geometry &work, cudaStream_t stream) {
  transform<<<gridFor(work.dst_roi.width, work.dst_roi.height), 256, 0, stream>>>(work);
  return cudaGetLastError();
}

} // namespace heddle::npp
