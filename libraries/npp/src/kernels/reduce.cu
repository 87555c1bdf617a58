// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reduce.h"

#include "pixels.h"

namespace heddle::npp {
namespace {

constexpr int threads = 256, most_blocks = 64;

/// What a thread, a block or the grid has found so far: up to five sums, or two extremes with
/// places.
struct Partial {
  double v[5];
  long long at[2];
  long long unused;
};
static_assert(sizeof(Partial) * 4 * most_blocks + 64 <= reduce_scratch);

__device__ bool takesLeast(Reduction kind) {
  return kind == Reduction::Min || kind == Reduction::Max || kind == Reduction::MinMax ||
         kind == Reduction::MinIndx || kind == Reduction::MaxIndx || kind == Reduction::MinMaxIndx;
}
__device__ bool takesMost(Reduction kind) {
  return kind == Reduction::NormInf || kind == Reduction::DiffInf || kind == Reduction::RelInf ||
         kind == Reduction::MaximumError || kind == Reduction::MaximumRelativeError;
}

__device__ Partial nothing(Reduction kind) {
  Partial p{};
  if (takesLeast(kind)) {
    p.v[0] = __longlong_as_double(0x7ff0000000000000LL);
    p.v[1] = -p.v[0];
    p.at[0] = p.at[1] = 0x7fffffffffffffffLL;
  }
  return p;
}

__device__ double relativeError(double a, double b) {
  const double most = fmax(fabs(a), fabs(b));
  return most == 0 ? 0 : fabs(a - b) / most;
}

// The five sums of one pixel; v[4] counts pixels.
__device__ void addSums(Reduction kind, Partial &p, double a, double b, bool counts) {
  switch (kind) {
  case Reduction::NormL1:
    p.v[0] += fabs(a);
    break;
  case Reduction::NormL2:
    p.v[0] += a * a;
    break;
  case Reduction::DiffL1:
  case Reduction::RelL1:
  case Reduction::AverageError:
    p.v[0] += fabs(a - b);
    p.v[1] += fabs(b);
    break;
  case Reduction::DiffL2:
  case Reduction::RelL2:
  case Reduction::Mse:
  case Reduction::Psnr:
    p.v[0] += (a - b) * (a - b);
    p.v[1] += b * b;
    break;
  case Reduction::AverageRelativeError:
    p.v[0] += relativeError(a, b);
    break;
  case Reduction::Dot:
    p.v[0] += a * b;
    break;
  case Reduction::Quality:
    p.v[2] += b;
    p.v[3] += a * b;
    p.v[0] += a;
    p.v[1] += a * a + b * b;
    break;
  case Reduction::Count:
  case Reduction::ZeroCrossings:
    p.v[0] += counts;
    break;
  default:
    p.v[0] += a;
    p.v[1] += a * a;
  }
  p.v[4] += 1;
}

__device__ void update(Reduction kind, Partial &p, double a, double b, long long index,
                       bool counts) {
  if (takesLeast(kind)) {
    if (a < p.v[0]) {
      p.v[0] = a;
      p.at[0] = index;
    }
    if (a > p.v[1]) {
      p.v[1] = a;
      p.at[1] = index;
    }
  } else if (takesMost(kind)) {
    const double value = kind == Reduction::NormInf                ? fabs(a)
                         : kind == Reduction::MaximumRelativeError ? relativeError(a, b)
                                                                   : fabs(a - b);
    p.v[0] = fmax(p.v[0], value);
    p.v[1] = fmax(p.v[1], fabs(b));
  } else
    addSums(kind, p, a, b, counts);
}

__device__ void merge(Reduction kind, Partial &p, const Partial &q) {
  if (takesLeast(kind)) {
    // Of equal extremes the first in reading order counts.
    if (q.v[0] < p.v[0] || (q.v[0] == p.v[0] && q.at[0] < p.at[0])) {
      p.v[0] = q.v[0];
      p.at[0] = q.at[0];
    }
    if (q.v[1] > p.v[1] || (q.v[1] == p.v[1] && q.at[1] < p.at[1])) {
      p.v[1] = q.v[1];
      p.at[1] = q.at[1];
    }
  } else if (takesMost(kind)) {
    p.v[0] = fmax(p.v[0], q.v[0]);
    p.v[1] = fmax(p.v[1], q.v[1]);
  } else
    for (int i = 0; i < 5; ++i)
      p.v[i] += q.v[i];
}

// Whether a number changes sign from the one before it.
__device__ bool crosses(const Reduce &r, double a, long long x) {
  if (x == 0)
    return false;
  const double before = loadPixel<double>(r.a, x - 1, 0);
  return (before < 0) != (a < 0);
}

__global__ void reduceBlocks(Reduce r) {
  __shared__ Partial found[threads];
  const int channel = blockIdx.y;
  Partial p = nothing(r.kind);
  // Blocks share out the rows, or the only row.
  const bool one_row = r.height == 1;
  const long long first_x = one_row ? (long long)blockIdx.x * threads + threadIdx.x : threadIdx.x;
  const long long step_x = one_row ? (long long)gridDim.x * threads : threads;
  for (int y = one_row ? 0 : blockIdx.x; y < r.height; y += one_row ? 1 : gridDim.x)
    for (long long x = first_x; x < r.width; x += step_x) {
      if (r.mask && r.mask[y * r.mask_step + x] == 0)
        continue;
      const double a = loadPixel<double>(r.a, x * r.channels + channel, y);
      const double b = r.b.data ? loadPixel<double>(r.b, x * r.channels + channel, y) : 0;
      const bool counts = r.kind == Reduction::ZeroCrossings
                              ? crosses(r, a, x)
                              : a >= r.low[channel] && a <= r.high[channel];
      update(r.kind, p, a, b, y * r.width + x, counts);
    }
  found[threadIdx.x] = p;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < half)
      merge(r.kind, found[threadIdx.x], found[threadIdx.x + half]);
  }
  if (threadIdx.x == 0)
    static_cast<Partial *>(r.scratch)[channel * most_blocks + blockIdx.x] = found[0];
}

__device__ double finalValue(const Reduce &r, const Partial &p) {
  const double count = p.v[4];
  switch (r.kind) {
  case Reduction::Mean:
  case Reduction::MeanStdDev:
  case Reduction::Mse:
  case Reduction::AverageError:
  case Reduction::AverageRelativeError:
    return count > 0 ? p.v[0] / count : 0;
  case Reduction::Max:
  case Reduction::MaxIndx:
    return p.v[1];
  case Reduction::NormL2:
  case Reduction::DiffL2:
    return sqrt(p.v[0]);
  case Reduction::RelInf:
  case Reduction::RelL1:
    return p.v[0] / p.v[1];
  case Reduction::RelL2:
    return sqrt(p.v[0] / p.v[1]);
  case Reduction::Psnr:
    return 10 * log10(255.0 * 255.0 * count / p.v[0]);
  case Reduction::StdDev:
    return sqrt(fmax(0.0, p.v[1] - p.v[0] * p.v[0] / count) / (count - 1));
  case Reduction::Quality: {
    const double ma = p.v[0] / count, mb = p.v[2] / count;
    const double variances = p.v[1] / count - ma * ma - mb * mb,
                 covariance = p.v[3] / count - ma * mb;
    return 4 * covariance * ma * mb / (variances * (ma * ma + mb * mb));
  }
  default:
    return p.v[0];
  }
}

__global__ void reduceEnd(Reduce r, int blocks) {
  const int channel = threadIdx.x;
  if (channel >= r.used)
    return;
  Partial p = nothing(r.kind);
  for (int i = 0; i < blocks; ++i)
    merge(r.kind, p, static_cast<const Partial *>(r.scratch)[channel * most_blocks + i]);
  if (r.first) {
    // Beside a standard deviation, the first result is the mean.
    const double v = r.kind == Reduction::StdDev && r.second ? p.v[0] / p.v[4] : finalValue(r, p);
    storeAt<double>(static_cast<char *>(r.first), r.result, channel, v * r.factor);
  }
  if (r.second) {
    double v = p.v[1];
    if (r.kind == Reduction::StdDev)
      v = finalValue(r, p);
    if (r.kind == Reduction::MeanStdDev) {
      const double mean = p.v[0] / p.v[4];
      v = p.v[4] > 0 ? sqrt(fmax(0.0, p.v[1] / p.v[4] - mean * mean)) : 0;
    }
    storeAt<double>(static_cast<char *>(r.second), r.result, channel, v);
  }
  const int which = r.kind == Reduction::MaxIndx;
  if (r.x)
    r.x[channel] = int(p.at[which] % r.width);
  if (r.y)
    r.y[channel] = int(p.at[which] / r.width);
  if (r.first_at)
    r.first_at[channel] = {int(p.at[0] % r.width), int(p.at[0] / r.width)};
  if (r.second_at)
    r.second_at[channel] = {int(p.at[1] % r.width), int(p.at[1] / r.width)};
}

// A thread adds up a row, then a column.
__global__ void integralRows(Integral g) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y > g.height)
    return;
  double sum = 0, squares = 0;
  for (int x = 0; x <= g.width; ++x) {
    storePixel<double>(g.sums, x, y, sum);
    if (g.squares.data)
      storePixel<double>(g.squares, x, y, squares);
    if (y < g.height && x < g.width) {
      const double v = loadPixel<double>(g.src, x, y);
      sum += v;
      squares += v * v;
    }
  }
}

// Row y holds the sums of the source's row y; it becomes those of the rows above it.
__device__ void addColumn(const Operand &sums, int x, int height, double first) {
  double sum = first;
  for (int y = 0; y <= height; ++y) {
    const double row = loadPixel<double>(sums, x, y);
    storePixel<double>(sums, x, y, sum);
    sum += row;
  }
}

__global__ void integralColumns(Integral g) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x > g.width)
    return;
  addColumn(g.sums, x, g.height, g.first);
  if (g.squares.data)
    addColumn(g.squares, x, g.height, g.first_square);
}

__device__ double boxSum(const Operand &sums, int x, int y, const NppiRect &r) {
  const int x0 = x + r.x, y0 = y + r.y, x1 = x0 + r.width, y1 = y0 + r.height;
  return loadPixel<double>(sums, x1, y1) - loadPixel<double>(sums, x0, y1) -
         loadPixel<double>(sums, x1, y0) + loadPixel<double>(sums, x0, y0);
}

__global__ void rectDeviation(RectDeviation g) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= g.width)
    return;
  const double count = double(g.rect.width) * g.rect.height;
  for (int y = blockIdx.y; y < g.height; y += gridDim.y) {
    const double mean = boxSum(g.sums, x, y, g.rect) / count;
    const double variance = boxSum(g.squares, x, y, g.rect) / count - mean * mean;
    storePixel<double>(g.dst, x, y, sqrt(fmax(0.0, variance)));
  }
}

// One block: each thread's share first, then what comes before it.
__global__ void runningSums(RunningSums g) {
  __shared__ unsigned sums[threads];
  const size_t share = (g.length + threads - 1) / threads;
  const size_t begin = min(threadIdx.x * share, g.length), end = min(begin + share, g.length);
  unsigned sum = 0; // wraps, as signed sums would
  for (size_t i = begin; i < end; ++i)
    sum += unsigned(g.src[i]);
  sums[threadIdx.x] = sum;
  __syncthreads();
  unsigned before = 0;
  for (unsigned t = 0; t < threadIdx.x; ++t)
    before += sums[t];
  for (size_t i = begin; i < end; ++i) {
    before += unsigned(g.src[i]);
    g.dst[i] = Npp32s(before);
  }
}

__device__ double levelOf(const Histogram &h, int i) {
  return h.levels ? loadAt<double>(static_cast<const char *>(h.levels), h.level_type, i)
                  : double(h.low + (long long)i * (h.high - h.low) / h.bins);
}

__global__ void countLevels(Histogram h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= h.width)
    return;
  const double low = levelOf(h, 0), high = levelOf(h, h.bins);
  for (int y = blockIdx.y; y < h.height; y += gridDim.y) {
    const double v = loadPixel<double>(h.src, (long long)x * h.channels, y);
    if (!(v >= low && v < high))
      continue;
    int bin = 0;
    if (h.levels) {
      int end = h.bins;
      while (end - bin > 1) {
        const int middle = (bin + end) / 2;
        if (levelOf(h, middle) <= v)
          bin = middle;
        else
          end = middle;
      }
    } else {
      bin = int(((long long)v - h.low) * h.bins / (h.high - h.low));
      // Levels are rounded down, so the number may belong to the next bin.
      if (bin + 1 < h.bins && levelOf(h, bin + 1) <= v)
        ++bin;
    }
    atomicAdd(&h.counts[bin], 1);
  }
}

} // namespace

cudaError_t launch(const Reduce &work, cudaStream_t stream) {
  const long long wanted = work.height == 1 ? (work.width + threads - 1) / threads : work.height;
  const int blocks = int(wanted < most_blocks ? wanted : most_blocks);
  // Scratch memory may begin anywhere.
  Reduce aligned = work;
  aligned.scratch =
      reinterpret_cast<void *>((reinterpret_cast<size_t>(work.scratch) + 63) / 64 * 64);
  reduceBlocks<<<dim3(blocks, work.used), threads, 0, stream>>>(aligned);
  reduceEnd<<<1, 32, 0, stream>>>(aligned, blocks);
  return cudaGetLastError();
}

cudaError_t launch(const Integral &work, cudaStream_t stream) {
  integralRows<<<work.height / 64 + 1, 64, 0, stream>>>(work);
  integralColumns<<<work.width / 64 + 1, 64, 0, stream>>>(work);
  return cudaGetLastError();
}

cudaError_t launch(const RectDeviation &work, cudaStream_t stream) {
  rectDeviation<<<gridFor(work.width, work.height), 256, 0, stream>>>(work);
  return cudaGetLastError();
}

cudaError_t launch(const RunningSums &work, cudaStream_t stream) {
  runningSums<<<1, threads, 0, stream>>>(work);
  return cudaGetLastError();
}

cudaError_t launch(const Histogram &work, cudaStream_t stream) {
  if (const cudaError_t error = cudaMemsetAsync(work.counts, 0, sizeof(Npp32s) * work.bins, stream))
    return error;
  countLevels<<<gridFor(work.width, work.height), 256, 0, stream>>>(work);
  return cudaGetLastError();
}

} // namespace heddle::npp
