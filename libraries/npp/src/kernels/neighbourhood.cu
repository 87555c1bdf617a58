// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "neighbourhood.h"

#include "pixels.h"

namespace heddle::npp {
namespace {

__device__ int bordered(int at, int offset, int size) {
  return min(max(at + offset, 0), size - 1) - offset;
}

// An element of the region, and whether no thread of its block reaches beyond the source's left and
// right edge: then neighbours are as far apart in memory as their columns, and loads are of
// vectors.
struct Spot {
  long long element;
  int x, c;
  bool inside;
};

__device__ Spot spotOf(long long element, int c, int stride, const Border &border, int left,
                       int right) {
  const long long first = (long long)blockIdx.x * blockDim.x;
  const long long first_x = first / stride + border.x,
                  last_x = (first + blockDim.x - 1) / stride + border.x;
  return {element, int(element / stride), c,
          !border.replicate || (first_x >= left && last_x + right < border.width)};
}

// The source's element `dx` columns from a spot, in row y.
template <class R>
__device__ R near(const Operand &src, const Border &border, int stride, const Spot &at, int dx,
                  int y) {
  if (border.replicate)
    y = bordered(y, border.y, border.height);
  if (at.inside)
    return loadPixel<R>(src, at.element + (long long)dx * stride, y);
  const int x = bordered(at.x + dx, border.x, border.width);
  return loadPixel<R>(src, (long long)x * stride + at.c, y);
}

template <class R> __device__ R weightAt(const Neighbourhood &n, int i, int count) {
  if (!n.weights)
    return R(n.fixed[i]);
  return loadAt<R>(n.weights, n.weight_type, n.reversed ? count - 1 - i : i);
}

template <class R> __device__ R weightedSum(const Neighbourhood &n, const Spot &at, int y) {
  const int count = n.mask_width * n.mask_height;
  R sum = 0;
  for (int j = 0; j < n.mask_height; ++j)
    for (int i = 0; i < n.mask_width; ++i) {
      R w = 1;
      if (n.kind == Around::Linear)
        w = weightAt<R>(n, j * n.mask_width + i, count);
      else if (n.kind == Around::Separable)
        w = weightAt<R>(n, i, n.mask_width) * weightAt<R>(n, j, n.mask_height);
      sum += w * near<R>(n.src, n.border, n.channels.count, at, i - n.anchor_x, y - n.anchor_y + j);
    }
  return sum / R(n.divisor);
}

template <class R> __device__ R extreme(const Neighbourhood &n, const Spot &at, int y) {
  const bool most = n.kind == Around::Most;
  bool found = false;
  R best = 0;
  for (int j = 0; j < n.mask_height; ++j)
    for (int i = 0; i < n.mask_width; ++i) {
      const int k = j * n.mask_width + i;
      if (n.mask && n.mask[k] == 0)
        continue;
      R v = near<R>(n.src, n.border, n.channels.count, at, i - n.anchor_x, y - n.anchor_y + j);
      if (n.weights) {
        const R w = loadAt<R>(n.weights, n.weight_type, k);
        v += most ? w : -w;
      }
      if (!found || (most ? v > best : v < best))
        best = v;
      found = true;
    }
  return found ? best : near<R>(n.src, n.border, n.channels.count, at, 0, y);
}

// The element in the middle: the least one that at least half of all are not above. Each round asks
// for the next greater element than the one before, so nothing needs to be stored.
template <class R> __device__ R median(const Neighbourhood &n, const Spot &at, int y) {
  const int middle = n.mask_width * n.mask_height / 2;
  R value = 0;
  int below = 0; // elements up to `value`
  for (bool first = true; below <= middle; first = false) {
    bool any = false;
    R next = 0;
    int equal = 0;
    for (int j = 0; j < n.mask_height; ++j)
      for (int i = 0; i < n.mask_width; ++i) {
        const R v =
            near<R>(n.src, n.border, n.channels.count, at, i - n.anchor_x, y - n.anchor_y + j);
        if (!first && !(v > value))
          continue;
        if (!any || v < next) {
          next = v;
          equal = 0;
        }
        any = true;
        equal += v == next;
      }
    if (!any)
      break;
    value = next;
    below += equal;
  }
  return value;
}

template <class R> __device__ R bilateral(const Neighbourhood &n, const Spot &at, int y) {
  const int stride = n.channels.count;
  R sum = 0, weights = 0;
  const R here = near<R>(n.src, n.border, stride, at, 0, y);
  for (int j = 0; j < n.mask_height; ++j)
    for (int i = 0; i < n.mask_width; ++i) {
      const int dx = (i - n.anchor_x) * n.spread, dy = (j - n.anchor_y) * n.spread;
      const R v = near<R>(n.src, n.border, stride, at, dx, y + dy);
      const R w = exp(-(v - here) * (v - here) / (2 * R(n.value_sigma))) *
                  exp(-R(dx * dx + dy * dy) / (2 * R(n.place_sigma)));
      sum += w * v;
      weights += w;
    }
  return sum / weights;
}

template <class R> __global__ void neighbourhood(Neighbourhood given) {
  // Shared by all threads: of a parameter with an array that is indexed, each would have a copy.
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Neighbourhood n;
  if (threadIdx.x == 0)
    memcpy(&n, &given, sizeof(n));
  __syncthreads();
  const long long e = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= (long long)n.width * n.channels.count)
    return;
  const int c = channelOf(e, n.channels.count);
  if (n.channels.alpha && c == 3)
    return;
  const Spot at = spotOf(e, c, n.channels.count, n.border, n.anchor_x * n.spread,
                         (n.mask_width - 1 - n.anchor_x) * n.spread);
  for (int y = blockIdx.y; y < n.height; y += gridDim.y) {
    R v;
    Round round = Round::TiesToEven;
    switch (n.kind) {
    case Around::Least:
    case Around::Most:
      v = extreme<R>(n, at, y);
      break;
    case Around::Median:
      v = median<R>(n, at, y);
      break;
    case Around::Bilateral:
      v = bilateral<R>(n, at, y);
      round = Round::TowardZero;
      break;
    case Around::Adaptive: {
      const R level = weightedSum<R>(n, at, y) - R(n.delta);
      const R here = near<R>(n.src, n.border, n.channels.count, at, 0, y);
      v = here > level ? R(n.above) : R(n.below);
      break;
    }
    default:
      v = weightedSum<R>(n, at, y);
      round = Round::TowardZero;
    }
    // Sums are truncated; a whole number stays itself though weights are rounded.
    if (round == Round::TowardZero && n.dst.type < Type::F32)
      v *= sizeof(R) == 4 ? R(1 + 1e-6) : R(1 + 1e-12);
    storePixel<R>(n.dst, e, y, v, round);
  }
}

__global__ void gradient(Gradient given) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Gradient g;
  if (threadIdx.x == 0)
    memcpy(&g, &given, sizeof(g));
  __syncthreads();
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= g.width)
    return;
  const int half = g.size / 2;
  const Spot at = spotOf(x, 0, 1, g.border, half, half);
  for (int y = blockIdx.y; y < g.height; y += gridDim.y) {
    float dx = 0, dy = 0;
    for (int j = 0; j < g.size; ++j)
      for (int i = 0; i < g.size; ++i) {
        const float v = near<float>(g.src, g.border, 1, at, i - half, y + j - half);
        dx += g.mask_x[j * g.size + i] * v;
        dy += g.mask_y[j * g.size + i] * v;
      }
    const float magnitude = g.norm == nppiNormInf  ? fmaxf(fabsf(dx), fabsf(dy))
                            : g.norm == nppiNormL1 ? fabsf(dx) + fabsf(dy)
                                                   : sqrtf(dx * dx + dy * dy);
    if (g.x.data)
      storePixel<float>(g.x, x, y, dx);
    if (g.y.data)
      storePixel<float>(g.y, x, y, dy);
    if (g.magnitude.data)
      storePixel<float>(g.magnitude, x, y, magnitude);
    if (g.angle.data)
      storePixel<float>(g.angle, x, y, atan2f(dy, dx));
  }
}

} // namespace

cudaError_t launch(const Neighbourhood &work, cudaStream_t stream) {
  const dim3 grid = gridFor((long long)work.width * work.channels.count, work.height);
  const bool sums =
      work.kind != Around::Least && work.kind != Around::Most && work.kind != Around::Median;
  const bool small = sizeOf(work.src.type) <= (sums ? 1 : 2) || work.src.type == Type::F32;
  if (small && (!work.weights || work.weight_type == Type::F32))
    neighbourhood<float><<<grid, 256, 0, stream>>>(work);
  else
    neighbourhood<double><<<grid, 256, 0, stream>>>(work);
  return cudaGetLastError();
}

cudaError_t launch(const Gradient &work, cudaStream_t stream) {
  gradient<<<gridFor(work.width, work.height), 256, 0, stream>>>(work);
  return cudaGetLastError();
}

} // namespace heddle::npp
