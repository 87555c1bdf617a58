// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over arrays in steps of the grid: each element by itself, and such as look like it but are
// not.
#include "check.h"

__global__ void scale(int n, float factor, const float *x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = factor * x[i] + y[i];
}

__global__ void convert(size_t n, const float *__restrict__ in, double *__restrict__ out) {
  const size_t stride = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    out[i] = in[i] < 0 ? -1 : 2.0 * in[i];
}

// The same thread has stored what it loads, a round ago.
__global__ void fromTheRoundBefore(unsigned n, int *data, const int *before) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    data[i] = before[i] + 1;
}

__global__ void countRounds(int n, int *rounds) {
  int round = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    rounds[i] = round++;
}

__global__ void whoIsIt(int n, int *threads) {
  const int own = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = own; i < n; i += blockDim.x * gridDim.x)
    threads[i] = own;
}

__global__ void sizeOfGrid(int n, int *sizes) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sizes[i] = gridDim.x;
}

int main() {
  for (const int n : {0, 1, 100, 12345, 100000, 262144})
    for (const int blocks : {1, 3, 16})
      for (const int threads : {32, 100, 256}) {
        std::vector<float> numbers(size_t(n) + 1), start(size_t(n) + 1);
        for (int i = 0; i <= n; ++i) {
          numbers[i] = float(i % 1000 - 300);
          start[i] = float(i % 7);
        }
        const DeviceBuffer<float> x(numbers), y(start);
        DeviceBuffer<double> doubles(n + 1);
        DeviceBuffer<int> integers(n + blocks * threads);
        const auto wrong = [&](auto &&result, auto &&expected, int count) {
          int sum = 0;
          for (int i = 0; i < count; ++i)
            sum += result[i] != expected(i);
          return sum;
        };
        scale<<<blocks, threads>>>(n, 2.0f, x, y);
        CHECK_EQ(wrong(
                     y.download(),
                     [&](int i) { return i < n ? 2 * numbers[i] + start[i] : start[i]; }, n + 1),
                 0);
        convert<<<blocks, threads>>>(n, x, doubles);
        CHECK_EQ(wrong(
                     doubles.download(),
                     [&](int i) { return i == n           ? 0
                                         : numbers[i] < 0 ? -1
                                                          : 2.0 * numbers[i]; },
                     n + 1),
                 0);
        const int all = blocks * threads;
        fromTheRoundBefore<<<blocks, threads>>>(n, integers + all, integers);
        CHECK_EQ(wrong(integers.download(), [&](int i) { return i / all; }, n + all), 0);
        countRounds<<<blocks, threads>>>(n, integers);
        CHECK_EQ(wrong(integers.download(), [&](int i) { return i / all; }, n), 0);
        whoIsIt<<<blocks, threads>>>(n, integers);
        CHECK_EQ(wrong(integers.download(), [&](int i) { return i % all; }, n), 0);
        sizeOfGrid<<<blocks, threads>>>(n, integers);
        CHECK_EQ(wrong(integers.download(), [&](int) { return blocks; }, n), 0);
      }
  RETURN_RESULT();
}
