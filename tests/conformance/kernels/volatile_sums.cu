// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps whose threads hand each other numbers through volatile shared memory, without a barrier.
// CUDA has not promised since Volta that this works, but programs from before do it, textbooks
// teach it, and GPUs run it as it was meant: a warp's threads stay in step. Sums, sums from the
// first on and counters; of types as wide as eight bytes, of which a CPU's registers hold fewer.
#include "check.h"

#include <cstdint>
#include <numeric>

// ---- Sums of a block, whose last warp needs no barriers ----

template <class T> __device__ void addUpWarp(volatile T *s, int t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}

template <class T> __device__ T *dynamicShared() {
  extern __shared__ double memory[];
  return reinterpret_cast<T *>(memory);
}

template <class T> __global__ void lastWarpUnrolled(T *out, const T *in) {
  T *s = dynamicShared<T>();
  const unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  if (t < 32)
    addUpWarp<T>(s, t);
  if (t == 0)
    out[blockIdx.x] = s[0];
}

// The same, of a size that is known, in steps of the grid before.
template <int N, class T> __global__ void inStepsOfGrid(T *out, const T *in, int n) {
  __shared__ T s[N];
  const int t = threadIdx.x;
  T sum = 0;
  for (int i = blockIdx.x * N + t; i < n; i += N * gridDim.x)
    sum += in[i];
  s[t] = sum;
  __syncthreads();
  if (N >= 512) {
    if (t < 256)
      s[t] = sum = sum + s[t + 256];
    __syncthreads();
  }
  if (N >= 256) {
    if (t < 128)
      s[t] = sum = sum + s[t + 128];
    __syncthreads();
  }
  if (N >= 128) {
    if (t < 64)
      s[t] = sum = sum + s[t + 64];
    __syncthreads();
  }
  if (t < 32) {
    volatile T *v = s;
    v[t] = sum = sum + v[t + 32];
    v[t] = sum = sum + v[t + 16];
    v[t] = sum = sum + v[t + 8];
    v[t] = sum = sum + v[t + 4];
    v[t] = sum = sum + v[t + 2];
    v[t] = sum = sum + v[t + 1];
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

// Each warp for itself, in a loop, in blocks of any shape.
template <class T> __global__ void eachWarp(T *out, const T *in, int first_step) {
  __shared__ volatile T s[1024 + 16];
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  s[t] = in[t];
  for (int step = first_step; step > 0; step /= 2)
    if (t % 32 < step)
      s[t] += s[t + step];
  if (t % 32 == 0)
    out[t / 32] = s[t];
}

// ---- Sums from the first on ----

template <class T> __device__ T scanWarp(volatile T *s, int t) {
  const int lane = t & 31;
  if (lane >= 1)
    s[t] = s[t - 1] + s[t];
  if (lane >= 2)
    s[t] = s[t - 2] + s[t];
  if (lane >= 4)
    s[t] = s[t - 4] + s[t];
  if (lane >= 8)
    s[t] = s[t - 8] + s[t];
  if (lane >= 16)
    s[t] = s[t - 16] + s[t];
  return s[t];
}

template <class T> __global__ void scanBlock(T *out, const T *in) {
  __shared__ T s[1024];
  const int t = threadIdx.x, warp = t / 32;
  s[t] = in[t];
  T value = scanWarp<T>(s, t);
  __syncthreads();
  if (t % 32 == 31)
    s[warp] = value;
  __syncthreads();
  if (warp == 0)
    scanWarp<T>(s, t);
  __syncthreads();
  if (warp > 0)
    value += s[warp - 1];
  out[t] = value;
}

// Without conditions: 32 zeros lie before each warp's elements.
template <class T> __global__ void scanWarpsPadded(T *out, const T *in) {
  __shared__ volatile T s[512];
  const int t = threadIdx.x;
  int place = 2 * t - (t & 31);
  s[place] = 0;
  place += 32;
  s[place] = in[t];
  for (int step = 1; step < 32; step *= 2)
    s[place] += s[place - step];
  out[t] = s[place];
}

// ---- Counters of a warp: who has stored last has counted, the others try again ----

__global__ void countByTags(unsigned *out, const unsigned char *in, int n) {
  __shared__ unsigned counters[4 * 64];
  const int warp = threadIdx.x / 32;
  volatile unsigned *mine = counters + warp * 64;
  for (int i = threadIdx.x; i < 4 * 64; i += blockDim.x)
    counters[i] = 0;
  __syncthreads();
  const unsigned tag = threadIdx.x << 27;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const int key = in[i];
    unsigned count = 0;
    do {
      count = tag | ((mine[key] & 0x07ffffff) + 1);
      mine[key] = count;
    } while (mine[key] != count);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += blockDim.x) {
    unsigned sum = 0;
    for (int w = 0; w < 4; ++w)
      sum += counters[w * 64 + i] & 0x07ffffff;
    out[i] = sum;
  }
}

// ---- What they should come to ----

template <class T> static std::vector<T> numbers(int n) {
  std::vector<T> result(n);
  for (int i = 0; i < n; ++i)
    result[i] = T(i * 7 % 5 + i / 400);
  return result;
}

template <class T> static void checkSums(int threads) {
  constexpr int blocks = 4;
  const auto input = numbers<T>(blocks * threads);
  const DeviceBuffer<T> in(input);
  DeviceBuffer<T> out(blocks);
  lastWarpUnrolled<T><<<blocks, threads, threads * sizeof(T)>>>(out, in);
  const auto result = out.download();
  for (int block = 0; block < blocks; ++block)
    CHECK_EQ(result[block], std::accumulate(input.begin() + block * threads,
                                            input.begin() + (block + 1) * threads, T(0)));
}

template <int N, class T> static void checkSteps() {
  const auto input = numbers<T>(1500);
  const DeviceBuffer<T> in(input);
  DeviceBuffer<T> out(2);
  inStepsOfGrid<N, T><<<2, N>>>(out, in, 1500);
  const auto result = out.download();
  CHECK_EQ(T(result[0] + result[1]), std::accumulate(input.begin(), input.end(), T(0)));
}

template <class T> static void checkWarps(dim3 block) {
  const int threads = int(block.x * block.y * block.z);
  const auto input = numbers<T>(threads);
  const DeviceBuffer<T> in(input);
  DeviceBuffer<T> out((threads + 31) / 32);
  eachWarp<T><<<1, block>>>(out, in, 16);
  const auto result = out.download();
  for (int begin = 0; begin < threads; begin += 32)
    CHECK_EQ(result[begin / 32],
             std::accumulate(input.begin() + begin, input.begin() + begin + 32, T(0)));
}

template <class T> static void checkScans() {
  for (const int threads : {32, 64, 256, 1024}) {
    const auto input = numbers<T>(threads);
    const DeviceBuffer<T> in(input);
    DeviceBuffer<T> out(threads);
    scanBlock<T><<<1, threads>>>(out, in);
    const auto whole = out.download();
    T sum = 0;
    for (int i = 0; i < threads; ++i)
      CHECK_EQ(whole[i], sum = T(sum + input[i]));
    if (threads > 256)
      continue;
    scanWarpsPadded<T><<<1, threads>>>(out, in);
    const auto parts = out.download();
    for (int i = 0; i < threads; ++i)
      CHECK_EQ(parts[i], sum = T((i % 32 ? sum : T(0)) + input[i]));
  }
}

template <class T> static void checkType() {
  for (const int threads : {64, 128, 256, 512, 1024})
    checkSums<T>(threads);
  checkSteps<64, T>();
  checkSteps<128, T>();
  checkSteps<256, T>();
  checkSteps<512, T>();
  for (const dim3 block : {dim3(32), dim3(96), dim3(256), dim3(1024), dim3(16, 16), dim3(8, 8),
                           dim3(32, 8), dim3(4, 4, 4), dim3(64, 4)})
    checkWarps<T>(block);
  checkScans<T>();
}

static void checkCounters() {
  std::vector<unsigned char> keys(5000);
  std::vector<unsigned> expected(64);
  for (int i = 0; i < int(keys.size()); ++i)
    ++expected[keys[i] = (unsigned char)(i % 3 ? i * i % 61 : 7)];
  const DeviceBuffer<unsigned char> in(keys);
  DeviceBuffer<unsigned> out(64);
  for (const int threads : {32, 128}) {
    countByTags<<<1, threads>>>(out, in, int(keys.size()));
    const auto result = out.download();
    for (int key = 0; key < 64; ++key)
      CHECK_EQ(result[key], expected[key]);
  }
}

int main() {
  checkType<int>();
  checkType<float>();
  checkType<double>();
  checkType<long long>();
  checkType<uint16_t>();
  checkType<uint8_t>();
  checkCounters();
  RETURN_RESULT();
}
