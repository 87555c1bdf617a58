// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters and queues.
#include "suite.h"

constexpr int n = 1 << 20;

// of: privatize-histograms update-by-lane
__global__ void histogram64(const unsigned *values, unsigned *counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&counts[values[i] & 63], 1u);
}

// of: privatize-histograms
__global__ void weightsByHash(const unsigned *keys, const float *weights, float *sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned place = (keys[i] * 2654435761u) >> 22;
  atomicAdd(&sums[place], weights[i]);
}

// of: privatize-histograms
__global__ void jointHistogram(const unsigned char *a, const unsigned char *b,
                               unsigned long long *counts) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&counts[(a[i] >> 4) * 16 + (b[i] >> 4)], 1ull);
}

// of: privatize-histograms
__global__ void sumsByKind(const unsigned char *kinds, const int *amounts, int *sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (amounts[i] > 100)
    atomicAdd(sums + kinds[i] % 10, amounts[i]);
}

// of: update-counters
__global__ void nibbles(const unsigned *words, unsigned *counts) {
  unsigned own[16] = {};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    for (int k = 0; k < 32; k += 4)
      ++own[(words[i] >> k) & 15];
  for (int k = 0; k < 16; ++k)
    atomicAdd(&counts[k], own[k]);
}

// of: update-counters
__global__ void lastDigits(const unsigned *words, unsigned short *counts) {
  __shared__ unsigned short own[10][128];
  for (int k = 0; k < 10; ++k)
    own[k][threadIdx.x] = 0;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 32;
  for (int i = 0; i < 32; ++i)
    own[words[first + i] % 10][threadIdx.x] += 1;
  for (int k = 0; k < 10; ++k)
    counts[k * (n / 32) + blockIdx.x * blockDim.x + threadIdx.x] = own[k][threadIdx.x];
}

// of: update-by-lane update-counters
__global__ void blockHistogram(const unsigned char *values, unsigned *counts) {
  __shared__ unsigned own[100];
  for (int k = threadIdx.x; k < 100; k += blockDim.x)
    own[k] = 0;
  __syncthreads();
  for (int k = 0; k < 8; ++k)
    atomicAdd(&own[values[(blockIdx.x * 8 + k) * blockDim.x + threadIdx.x] % 100], 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < 100; k += blockDim.x)
    atomicAdd(&counts[k], own[k]);
}

// of: update-counters
__global__ void blockDigits(const unsigned *words, unsigned *counts) {
  __shared__ unsigned own[10];
  if (threadIdx.x < 10)
    own[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < 8; ++k)
    atomicAdd(&own[words[(blockIdx.x * 8 + k) * blockDim.x + threadIdx.x] % 10], 1u);
  __syncthreads();
  if (threadIdx.x < 10)
    atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

// of: update-counters
__global__ void quarters(const unsigned char *values, int *counts) {
  __shared__ int own[4];
  if (threadIdx.x < 4)
    own[threadIdx.x] = 0;
  __syncthreads();
  const unsigned char value = values[blockIdx.x * blockDim.x + threadIdx.x];
  if (value > 20)
    atomicAdd(own + (value >> 6), 1);
  __syncthreads();
  if (threadIdx.x < 4)
    counts[blockIdx.x * 4 + threadIdx.x] = own[threadIdx.x];
}

// of: update-by-lane
__global__ void latest(const unsigned char *values, unsigned *result) {
  __shared__ unsigned largest[64];
  if (threadIdx.x < 64)
    largest[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < 8; ++k) {
    const unsigned i = (blockIdx.x * 8 + k) * blockDim.x + threadIdx.x;
    atomicMax(&largest[values[i] & 63], i);
  }
  __syncthreads();
  if (threadIdx.x < 64)
    result[blockIdx.x * 64 + threadIdx.x] = largest[threadIdx.x];
}

// of: update-in-place
__global__ void addEveryThird(int *values, const int *more) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[3 * i] += more[i];
}

// of: update-in-place
__global__ void scaleRed(uchar4 *pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  pixels[i].x = (pixels[i].x + 40) >> 1;
}

// of: update-in-place
__global__ void loserTree(const int *in, int *out) {
  __shared__ int values[512];
  const int t = threadIdx.x, first = blockIdx.x * 512;
  values[t] = in[first + t];
  values[t + 256] = in[first + t + 256];
  for (int distance = 1; distance < 512; distance *= 2) {
    __syncthreads();
    if (t < 256 / distance) {
      const int left = 2 * distance * t;
      values[left] = min(values[left], values[left + distance]);
    }
  }
  __syncthreads();
  out[first + t] = values[t];
  out[first + t + 256] = values[t + 256];
}

// of: update-in-place
__global__ void haarLevels(const float *in, float *out) {
  __shared__ float values[256];
  const int t = threadIdx.x, first = blockIdx.x * 256;
  values[t] = in[first + t];
  values[t + 128] = in[first + t + 128];
  for (int distance = 1; distance <= 16; distance *= 2) {
    __syncthreads();
    if (t < 128 / distance) {
      const int left = distance * (2 * t + 1) - 1;
      values[left + distance] += 0.5f * values[left];
    }
  }
  __syncthreads();
  out[first + t] = values[t];
  out[first + t + 128] = values[t + 128];
}

// of: aggregate-appends
__global__ void twoQueues(const int *values, int *even, int *odd, int *counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] & 1)
    odd[atomicAdd(&counts[1], 1)] = values[i];
  else if (values[i] % 6 == 0)
    even[atomicAdd(&counts[0], 1)] = values[i];
}

// of: aggregate-appends
__global__ void appendPairs(const int *values, int2 *queue, unsigned *count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] > 900)
    queue[atomicAdd(count, 1u)] = make_int2(i, values[i]);
}

// of: aggregate-appends
__global__ void appendTwo(const int *values, int *queue, int *count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] < 300) {
    const int place = atomicAdd(count, 2);
    queue[place] = i;
    queue[place + 1] = values[i];
  }
}

// of: aggregate-appends
__global__ void lightNeighbours(const unsigned *links, const int *weights, int *queue, int *count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at = i;
  for (int k = weights[i] & 15; k > 0; k -= 2) {
    at = links[at & (n - 1)];
    if (weights[at & (n - 1)] < 50)
      queue[atomicAdd(count, 1)] = at;
  }
}

// of: aggregate-appends
__global__ void splitWork(const unsigned *links, const int *weights, int2 *heavy, unsigned *light,
                          unsigned *counts) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 30 && weights[at & (n - 1)] > 300; ++k) {
    if (weights[(at + 1) & (n - 1)] > 900)
      heavy[atomicAdd(&counts[0], 1u)] = make_int2(at, weights[at & (n - 1)]);
    else if (weights[(at + 2) & (n - 1)] < 100)
      light[atomicAdd(&counts[1], 1u)] = at;
    at = links[at & (n - 1)];
  }
}

int main(int argc, char **argv) {
  const suite::Suite suite(argc, argv);
  const auto *words = suite::random<unsigned>(n, 1 << 24);
  const auto *ints = suite::random<int>(n, 1000);
  const auto *bytes = suite::random<unsigned char>(n, 256),
             *others = suite::random<unsigned char>(n + 3, 256) + 3;
  const auto *floats = suite::random<float>(n, 8);
  auto *out = suite::zeros<unsigned>(4 * n);
  const int blocks = n / 256;
  suite.run("histogram64", out, 64, [&] { histogram64<<<blocks, 256>>>(words, out); });
  suite.run("weightsByHash", out, 1024,
            [&] { weightsByHash<<<blocks, 256>>>(words, floats, reinterpret_cast<float *>(out)); });
  suite.run("jointHistogram", out, 512, [&] {
    jointHistogram<<<64, 256>>>(bytes, others, reinterpret_cast<unsigned long long *>(out));
  });
  suite.run("sumsByKind", out, 16,
            [&] { sumsByKind<<<blocks, 256>>>(bytes, ints, reinterpret_cast<int *>(out)); });
  suite.run("nibbles", out, 16, [&] { nibbles<<<32, 128>>>(words, out); });
  suite.run("lastDigits", out, 10 * (n / 32) / 2, [&] {
    lastDigits<<<n / 32 / 128, 128>>>(words, reinterpret_cast<unsigned short *>(out));
  });
  suite.run("blockHistogram", out, 100, [&] { blockHistogram<<<n / 8 / 256, 256>>>(bytes, out); });
  suite.run("blockDigits", out, 10, [&] { blockDigits<<<n / 8 / 256, 256>>>(words, out); });
  suite.run("quarters", out, n / 64,
            [&] { quarters<<<blocks, 256>>>(bytes, reinterpret_cast<int *>(out)); });
  suite.run("latest", out, n / 8 / 256 * 64, [&] { latest<<<n / 8 / 256, 256>>>(bytes, out); });
  suite.run("addEveryThird", out, 3 * n,
            [&] { addEveryThird<<<blocks, 256>>>(reinterpret_cast<int *>(out), ints); });
  suite.run("scaleRed", out, n,
            [&] { scaleRed<<<blocks, 256>>>(reinterpret_cast<uchar4 *>(out)); });
  suite.run("loserTree", out, n,
            [&] { loserTree<<<n / 512, 256>>>(ints, reinterpret_cast<int *>(out)); });
  suite.run("haarLevels", out, n,
            [&] { haarLevels<<<n / 256, 128>>>(floats, reinterpret_cast<float *>(out)); });
  auto *queues = reinterpret_cast<int *>(out);
  int *counts = queues + 3 * n;
  suite.run("twoQueues", out, 3 * n + 2, [&] {
    suite::check(cudaMemset(counts, 0, 8));
    twoQueues<<<blocks, 256>>>(ints, queues, queues + n, counts);
  });
  suite.run("appendPairs", out, 3 * n + 1, [&] {
    suite::check(cudaMemset(counts, 0, 4));
    appendPairs<<<blocks, 256>>>(ints, reinterpret_cast<int2 *>(queues),
                                 reinterpret_cast<unsigned *>(counts));
  });
  suite.run("appendTwo", out, 3 * n + 1, [&] {
    suite::check(cudaMemset(counts, 0, 4));
    appendTwo<<<blocks, 256>>>(ints, queues, counts);
  });
  suite.run("lightNeighbours", out, 3 * n + 1, [&] {
    suite::check(cudaMemset(counts, 0, 4));
    lightNeighbours<<<blocks / 4, 256>>>(words, ints, queues, counts);
  });
  suite.run("splitWork", out, 3 * n + 2, [&] {
    suite::check(cudaMemset(counts, 0, 8));
    splitWork<<<blocks / 4, 256>>>(words, ints, reinterpret_cast<int2 *>(queues), out + 2 * n,
                                   reinterpret_cast<unsigned *>(counts));
  });
}
