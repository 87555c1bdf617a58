// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "labels.h"

#include "sums_before.h"
#include "union_find.h"

namespace heddle::npp {
namespace {

__device__ void labelPixel(const Labels &g, int x, int y, int phase) {
  const unsigned i = unsigned(y) * g.width + x;
  if (phase == 0)
    g.labels[i] = i;
  else if (phase == 1) {
    const double here = loadPixel<double>(g.src, x, y);
    for (int k = 0; k < (g.diagonal ? 4 : 2); ++k) {
      int nx, ny;
      if (neighbour(k, x, y, g.width, nx, ny) && loadPixel<double>(g.src, nx, ny) == here)
        unite(g.labels, i, unsigned(ny) * g.width + nx);
    }
  } else // of a batch, these are the labels that others still follow
    __atomic_store_n(&reinterpret_cast<unsigned *>(g.dst.data + y * g.dst.step)[x],
                     find(g.labels, i), __ATOMIC_RELAXED);
}

__device__ void labelPixels(const Labels &g, int phase) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < g.width)
    for (int y = blockIdx.y; y < g.height; y += gridDim.y)
      labelPixel(g, x, y, phase);
}

__global__ void labelImage(Labels g, int phase) { labelPixels(g, phase); }

__device__ Labels imageOf(const LabelsBatch &g, int k) {
  const NppiImageDescriptor from = g.src[k], to = g.dst[k];
  Labels one;
  one.width = g.per_image ? to.oSize.width : g.width;
  one.height = g.per_image ? to.oSize.height : g.height;
  one.src = {static_cast<char *>(from.pData), from.nStep, g.type};
  one.dst = {static_cast<char *>(to.pData), one.width * 4LL, Type::U32};
  one.diagonal = g.diagonal;
  one.labels = static_cast<unsigned *>(to.pData);
  return one;
}

__global__ void labelImages(LabelsBatch g, int phase) {
  for (int k = blockIdx.z; k < g.count; k += gridDim.z)
    labelPixels(imageOf(g, k), phase);
}

__device__ void markPixels(const Compress &g) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= g.width)
    return;
  for (int y = blockIdx.y; y < g.height; y += gridDim.y) {
    const unsigned label = reinterpret_cast<const unsigned *>(g.labels.data + y * g.labels.step)[x];
    if (label < g.limit)
      __atomic_store_n(&g.flags[label], 1u, __ATOMIC_RELAXED);
  }
}

// One block turns the flags into the numbers of flags before each.
__device__ void numberLabels(const Compress &g, unsigned *sums) {
  const unsigned all = putSumsBefore(
      g.limit, sums, [&](unsigned i) { return g.flags[i]; },
      [&](unsigned i, unsigned before) { g.flags[i] = before; });
  if (threadIdx.x == sum_threads - 1)
    g.flags[g.limit] = all;
}

__device__ void renumberPixels(const Compress &g) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= g.width)
    return;
  for (int y = blockIdx.y; y < g.height; y += gridDim.y) {
    unsigned &label = reinterpret_cast<unsigned *>(g.labels.data + y * g.labels.step)[x];
    if (label < g.limit)
      label = g.flags[label];
  }
}

__global__ void markImage(Compress g) { markPixels(g); }
__global__ void numberImage(Compress g) {
  __shared__ unsigned sums[sum_threads];
  numberLabels(g, sums);
}
__global__ void renumberImage(Compress g) { renumberPixels(g); }

__device__ Compress imageOf(const CompressBatch &g, int k) {
  const NppiImageDescriptor image = g.images[k];
  Compress one;
  one.width = g.per_image ? image.oSize.width : g.width;
  one.height = g.per_image ? image.oSize.height : g.height;
  one.labels = {static_cast<char *>(image.pData), one.width * 4LL, Type::U32};
  one.limit = unsigned(one.width) * one.height;
  const size_t buffer = reinterpret_cast<size_t>(g.buffers[k].pData);
  one.flags = reinterpret_cast<unsigned *>((buffer + 3) / 4 * 4);
  return one;
}

__global__ void clearFlags(CompressBatch g) {
  for (int k = blockIdx.y; k < g.count; k += gridDim.y) {
    const Compress one = imageOf(g, k);
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < one.limit;
         i += gridDim.x * blockDim.x)
      one.flags[i] = 0;
  }
}
__global__ void markImages(CompressBatch g) {
  for (int k = blockIdx.z; k < g.count; k += gridDim.z)
    markPixels(imageOf(g, k));
}
__global__ void numberImages(CompressBatch g) {
  __shared__ unsigned sums[sum_threads];
  for (int k = blockIdx.x; k < g.count; k += gridDim.x) {
    const Compress one = imageOf(g, k);
    numberLabels(one, sums);
    __syncthreads();
    if (threadIdx.x == 0)
      g.counts[k] = one.flags[one.limit];
  }
}
__global__ void renumberImages(CompressBatch g) {
  for (int k = blockIdx.z; k < g.count; k += gridDim.z)
    renumberPixels(imageOf(g, k));
}

/// A grid for the largest image, and a layer of it for each.
dim3 gridOfBatch(int width, int height, int count) {
  dim3 grid = gridFor(width, height);
  grid.z = unsigned(count < 1024 ? count : 1024);
  return grid;
}

} // namespace

cudaError_t launch(const Labels &work, cudaStream_t stream) {
  for (int phase = 0; phase < 3; ++phase)
    labelImage<<<gridFor(work.width, work.height), 256, 0, stream>>>(work, phase);
  return cudaGetLastError();
}

cudaError_t launch(const LabelsBatch &work, cudaStream_t stream) {
  const dim3 grid = gridOfBatch(work.width, work.height, work.count);
  for (int phase = 0; phase < 3; ++phase)
    labelImages<<<grid, 256, 0, stream>>>(work, phase);
  return cudaGetLastError();
}

cudaError_t launch(const Compress &work, cudaStream_t stream) {
  const dim3 grid = gridFor(work.width, work.height);
  if (const cudaError_t error =
          cudaMemsetAsync(work.flags, 0, sizeof(unsigned) * (size_t(work.limit) + 1), stream))
    return error;
  markImage<<<grid, 256, 0, stream>>>(work);
  numberImage<<<1, sum_threads, 0, stream>>>(work);
  renumberImage<<<grid, 256, 0, stream>>>(work);
  return cudaGetLastError();
}

cudaError_t launch(const CompressBatch &work, cudaStream_t stream) {
  const dim3 grid = gridOfBatch(work.width, work.height, work.count);
  clearFlags<<<dim3(64, grid.z), 256, 0, stream>>>(work);
  markImages<<<grid, 256, 0, stream>>>(work);
  numberImages<<<grid.z, sum_threads, 0, stream>>>(work);
  renumberImages<<<grid, 256, 0, stream>>>(work);
  return cudaGetLastError();
}

} // namespace heddle::npp
