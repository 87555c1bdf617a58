// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in steps of the grid that carry something from round to round: a sum, or counts in memory.
// Each thread's sum has an order, so it is compared bit by bit.
#include "check.h"

#include <algorithm>
#include <limits>
#include <type_traits>

__host__ __device__ unsigned bin(unsigned char value) { return value % 61u; }

// From `first` on, `rounds` rounds at most. The numbers may wrap between two lanes, or two rounds.
template <class Index>
__host__ __device__ double sumOfOne(Index first, Index n, unsigned place, unsigned step, int rounds,
                                    const float *data) {
  using Unsigned = std::make_unsigned_t<Index>;
  float sum = 0;
  for (Index i = Index(Unsigned(first) + place); i < n; i = Index(Unsigned(i) + step)) {
    sum += data[Unsigned(i) - Unsigned(first)];
    if (--rounds == 0)
      break;
  }
  return sum;
}

template <class Index>
__global__ void sumsFrom(Index first, Index n, int rounds, const float *data, double *sums) {
  const unsigned place = blockIdx.x * blockDim.x + threadIdx.x;
  sums[place] = sumOfOne(first, n, place, blockDim.x * gridDim.x, rounds, data);
}

// What a loop has to do with the branches around it and in it.
enum class Shape { Plain, InUniformIf, InDivergentIf, AfterReturn, SkipsSome, EndsEarly, Count };

__host__ __device__ float shapedSum(Shape shape, unsigned block, unsigned thread, unsigned place,
                                    int step, int n, const float *data) {
  float sum = -1;
  if (shape == Shape::AfterReturn && thread % 3 == 1)
    return sum;
  if ((shape == Shape::InUniformIf && block % 2 == 1) ||
      (shape == Shape::InDivergentIf && thread % 5 > 2))
    return 7;
  for (int i = place; i < n; i += step) {
    if (shape == Shape::SkipsSome && data[i] < 0)
      continue;
    if (shape == Shape::EndsEarly && data[i] > 290)
      break;
    sum += data[i];
  }
  return sum;
}

template <Shape shape> __global__ void shapedSums(int n, const float *data, float *sums) {
  const unsigned place = blockIdx.x * blockDim.x + threadIdx.x;
  sums[place] = shapedSum(shape, blockIdx.x, threadIdx.x, place, blockDim.x * gridDim.x, n, data);
}

// Threads that have left do not come to the loop at all.
__global__ void sumsOfTheRest(int n, const float *data, float *sums) {
  const unsigned place = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 3 == 1)
    return;
  float sum = 0;
  for (int i = place; i < n; i += blockDim.x * gridDim.x)
    sum += data[i];
  sums[place] = sum;
}

__global__ void products(size_t n, const double *x, const double *y, double *sums) {
  const size_t place = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  double sum = 0;
  for (size_t i = place; i < n; i += size_t(blockDim.x) * gridDim.x)
    sum += x[i] * y[i];
  sums[place] = sum;
}

// A tree adds up what the block's threads have; all numbers are whole and small, so no order shows.
__global__ void total(int n, const float *data, float *result) {
  __shared__ float sums[1024];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += data[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned length = blockDim.x; length > 1;) {
    const unsigned half = (length + 1) / 2;
    if (threadIdx.x + half < length)
      sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
    length = half;
  }
  if (threadIdx.x == 0)
    atomicAdd(result, sums[0]);
}

__global__ void histogram(int n, const unsigned char *values, unsigned *counts) {
  __shared__ unsigned blockCounts[61];
  for (unsigned i = threadIdx.x; i < 61; i += blockDim.x)
    blockCounts[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&blockCounts[bin(values[i])], 1u);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 61; i += blockDim.x)
    atomicAdd(&counts[i], blockCounts[i]);
}

struct Launch {
  unsigned blocks, threads;
  unsigned all() const { return blocks * threads; }
};

template <class Index> void checkFrom(Launch launch, Index first, Index n, int rounds) {
  std::vector<float> numbers(size_t(launch.all()) * rounds);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = 1.0f / float(i + 1);
  const DeviceBuffer<float> data(numbers);
  DeviceBuffer<double> sums(launch.all());
  sumsFrom<<<launch.blocks, launch.threads>>>(first, n, rounds, data, sums);
  const auto result = sums.download();
  int wrong = 0;
  for (unsigned place = 0; place < launch.all(); ++place)
    wrong += result[place] != sumOfOne(first, n, place, launch.all(), rounds, numbers.data());
  CHECK_EQ(wrong, 0);
}

template <class Index> void checkEnds(Launch launch) {
  using Limits = std::numeric_limits<Index>;
  for (const Index before : {0, 1, 50, 200, 3000}) {
    checkFrom<Index>(launch, Limits::max() - before, Limits::max(), 3);
    checkFrom<Index>(launch, Limits::max() - before, Limits::max() - before / 2, 2);
    checkFrom<Index>(launch, Limits::min(), Index(Limits::min() + before), 2);
  }
  if (std::is_signed_v<Index>) {
    checkFrom<Index>(launch, Index(-70), Index(70), 4);
    checkFrom<Index>(launch, 0, Index(-1), 2);
  }
}

template <Shape shape>
void checkShapes(Launch launch, int n, const std::vector<float> &numbers, const float *data) {
  DeviceBuffer<float> sums(launch.all());
  shapedSums<shape><<<launch.blocks, launch.threads>>>(n, data, sums);
  const auto result = sums.download();
  int wrong = 0;
  for (unsigned place = 0; place < launch.all(); ++place)
    wrong += result[place] != shapedSum(shape, place / launch.threads, place % launch.threads,
                                        place, launch.all(), n, numbers.data());
  CHECK_EQ(wrong, 0);
  if constexpr (int(shape) + 1 < int(Shape::Count))
    checkShapes<Shape(int(shape) + 1)>(launch, n, numbers, data);
}

void checkRest(Launch launch, int n, const std::vector<float> &numbers, const float *data) {
  DeviceBuffer<float> sums(std::vector<float>(launch.all(), -5));
  sumsOfTheRest<<<launch.blocks, launch.threads>>>(n, data, sums);
  const auto result = sums.download();
  int wrong = 0;
  for (unsigned place = 0; place < launch.all(); ++place) {
    float sum = 0;
    for (int i = place; i < n; i += launch.all())
      sum += numbers[i];
    wrong += result[place] != (place % launch.threads % 3 == 1 ? -5 : sum);
  }
  CHECK_EQ(wrong, 0);
}

void checkProducts(Launch launch, size_t n) {
  std::vector<double> x(n + 1), y(n + 1);
  for (size_t i = 0; i < n; ++i) {
    x[i] = 1.0 / double(i + 1);
    y[i] = double(i % 10) - 4.5;
  }
  const DeviceBuffer<double> there(x), other(y);
  DeviceBuffer<double> sums(launch.all());
  products<<<launch.blocks, launch.threads>>>(n, there, other, sums);
  const auto result = sums.download();
  int wrong = 0;
  for (unsigned place = 0; place < launch.all(); ++place) {
    double sum = 0;
    for (size_t i = place; i < n; i += launch.all())
      sum = fma(x[i], y[i], sum);
    wrong += result[place] != sum;
  }
  CHECK_EQ(wrong, 0);
}

void checkTotals(Launch launch, int n, const std::vector<float> &numbers, const float *data) {
  DeviceBuffer<float> result(std::vector<float>{0});
  total<<<launch.blocks, launch.threads>>>(n, data, result);
  float expected = 0;
  for (int i = 0; i < n; ++i)
    expected += numbers[i];
  CHECK_EQ(result.download()[0], expected);

  std::vector<unsigned char> bytes(size_t(std::max(n, 0)) + 1);
  std::vector<unsigned> counts(61, 0);
  for (int i = 0; i < n; ++i) {
    bytes[i] = static_cast<unsigned char>(i * 7 + i / 256);
    ++counts[bin(bytes[i])];
  }
  const DeviceBuffer<unsigned char> values(bytes);
  DeviceBuffer<unsigned> found(std::vector<unsigned>(61, 0));
  histogram<<<launch.blocks, launch.threads>>>(n, values, found);
  CHECK_EQ(found.download() == counts, true);
}

int main() {
  for (const unsigned threads : {1u, 32u, 100u, 128u, 256u, 384u, 1024u})
    for (const unsigned blocks : {1u, 3u, 8u}) {
      const Launch launch{blocks, threads};
      for (const int n : {-5, 0, 1, 127, 12288, 12345}) {
        std::vector<float> numbers(size_t(std::max(n, 0)) + 1);
        for (int i = 0; i < n; ++i)
          numbers[i] = float(i % 601 - 300);
        const DeviceBuffer<float> data(numbers);
        checkShapes<Shape::Plain>(launch, n, numbers, data);
        checkRest(launch, n, numbers, data);
        checkProducts(launch, size_t(std::max(n, 0)));
        checkTotals(launch, n, numbers, data);
      }
      checkEnds<int>(launch);
      checkEnds<unsigned>(launch);
      checkEnds<long long>(launch);
      checkEnds<unsigned long long>(launch);
    }
  RETURN_RESULT();
}
