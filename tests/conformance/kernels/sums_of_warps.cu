// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks whose warps reduce by shuffles, and then the first warp what the others have left: sums,
// extremes, and where the largest is, of all types that are shuffled, in blocks of any whole number
// of warps. Fails if a lane whose value is needed is not computed, or taken for another one.
#include "check.h"

#include <algorithm>
#include <cstdint>
#include <limits>

struct Sum {
  template <class T> __host__ __device__ static T of(T a, T b) { return T(a + b); }
};
struct Most {
  template <class T> __host__ __device__ static T of(T a, T b) { return b > a ? b : a; }
};
struct OddBits {
  template <class T> __host__ __device__ static T of(T a, T b) { return T(a ^ b); }
};

// ---- Ways for a warp to reduce; lane 0 has the result ----

template <class Op, class T> __device__ T down(T value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value = Op::of(value, __shfl_down_sync(0xffffffff, value, distance));
  return value;
}

template <class Op, class T> __device__ T butterfly(T value) {
  for (int bit = 1; bit < 32; bit *= 2)
    value = Op::of(value, __shfl_xor_sync(0xffffffff, value, bit));
  return value;
}

// In halves of a warp, which then meet.
template <class Op, class T> __device__ T halves(T value) {
  for (int distance = 8; distance > 0; distance /= 2)
    value = Op::of(value, __shfl_down_sync(0xffffffff, value, distance, 16));
  return Op::of(value, __shfl_sync(0xffffffff, value, 16));
}

enum class Way { Down, Butterfly, Halves };

template <class Op, Way way, class T> __device__ T ofWarp(T value) {
  return way == Way::Down        ? down<Op>(value)
         : way == Way::Butterfly ? butterfly<Op>(value)
                                 : halves<Op>(value);
}

template <class Op, Way way, class T>
__global__ void ofBlock(T *out, const T *in, int n, T nothing) {
  __shared__ T of_warps[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  T value = i < n ? in[i] : nothing;
  value = ofWarp<Op, way>(value);
  if (lane == 0)
    of_warps[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = threadIdx.x < blockDim.x / 32 ? of_warps[lane] : nothing;
    value = ofWarp<Op, way>(value);
    if (lane == 0)
      out[blockIdx.x] = value;
  }
}

// What a warp's other lanes have is of use, too: lane 0 has the sum, lane 3 that of lanes 3, 7, ….
__global__ void ofColumns(int *out, const int *in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int value = in[i];
  for (int distance = 16; distance >= 4; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  if (lane == 3)
    out[i / 32 * 2] = value;
  value += __shfl_down_sync(0xffffffff, value, 2);
  value += __shfl_down_sync(0xffffffff, value, 1);
  if (lane == 0)
    out[i / 32 * 2 + 1] = value;
}

// Where the largest is; the first one of several.
__global__ void whereLargest(int *out, const float *in, int n) {
  __shared__ float values[32];
  __shared__ int places[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? in[i] : -1e30f;
  int place = i;
  const auto step = [&](int distance) {
    const float other = __shfl_down_sync(0xffffffff, value, distance);
    const int other_place = __shfl_down_sync(0xffffffff, place, distance);
    if (other > value || (other == value && other_place < place)) {
      value = other;
      place = other_place;
    }
  };
  for (int distance = 16; distance > 0; distance >>= 1)
    step(distance);
  if (threadIdx.x % 32 == 0) {
    values[threadIdx.x / 32] = value;
    places[threadIdx.x / 32] = place;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const bool some = threadIdx.x < blockDim.x / 32;
    value = some ? values[threadIdx.x] : -1e30f;
    place = some ? places[threadIdx.x] : 0x7fffffff;
    for (int distance = 16; distance > 0; distance >>= 1)
      step(distance);
    if (threadIdx.x == 0)
      out[blockIdx.x] = place;
  }
}

// ---- What they should come to ----

template <class T> static std::vector<T> numbers(int n) {
  std::vector<T> result(n);
  for (int i = 0; i < n; ++i)
    result[i] = T((i * 37 + i / 7) % 101 - 30);
  return result;
}

template <class Op, Way way, class T> static void checkBlocks(int threads, T nothing) {
  const int blocks = 3, n = blocks * threads - 5;
  const std::vector<T> input = numbers<T>(n);
  DeviceBuffer<T> in(input), out(blocks);
  ofBlock<Op, way, T><<<blocks, threads>>>(out, in, n, nothing);
  const std::vector<T> result = out.download();
  for (int block = 0; block < blocks; ++block) {
    T expected = nothing;
    for (int i = block * threads; i < std::min(n, (block + 1) * threads); ++i)
      expected = Op::of(expected, input[i]);
    CHECK_EQ(result[block], expected);
  }
}

template <class T> static void checkAll(int threads) {
  checkBlocks<Sum, Way::Down>(threads, T(0));
  checkBlocks<Sum, Way::Butterfly>(threads, T(0));
  checkBlocks<Sum, Way::Halves>(threads, T(0));
  checkBlocks<Most, Way::Down>(threads, std::numeric_limits<T>::lowest());
  checkBlocks<Most, Way::Butterfly>(threads, std::numeric_limits<T>::lowest());
  if constexpr (std::is_integral_v<T>)
    checkBlocks<OddBits, Way::Down>(threads, T(0));
}

static void checkColumns(int threads) {
  const std::vector<int> input = numbers<int>(2 * threads);
  DeviceBuffer<int> in(input), out(2 * threads / 16);
  ofColumns<<<2, threads>>>(out, in);
  const std::vector<int> result = out.download();
  for (int warp = 0; warp < 2 * threads / 32; ++warp) {
    int all = 0, column = 0;
    for (int lane = 0; lane < 32; ++lane) {
      all += input[warp * 32 + lane];
      column += lane % 4 == 3 ? input[warp * 32 + lane] : 0;
    }
    CHECK_EQ(result[2 * warp], column);
    CHECK_EQ(result[2 * warp + 1], all);
  }
}

static void checkPlaces(int threads) {
  const int blocks = 2, n = blocks * threads - 3;
  const std::vector<float> input = numbers<float>(n);
  DeviceBuffer<float> in(input);
  DeviceBuffer<int> out(blocks);
  whereLargest<<<blocks, threads>>>(out, in, n);
  const std::vector<int> result = out.download();
  for (int block = 0; block < blocks; ++block) {
    const auto first = input.begin() + block * threads;
    const auto last = input.begin() + std::min(n, (block + 1) * threads);
    CHECK_EQ(result[block], int(std::max_element(first, last) - input.begin()));
  }
}

int main() {
  for (const int threads : {32, 64, 96, 128, 256, 352, 512, 1024}) {
    checkAll<int>(threads);
    checkAll<unsigned>(threads);
    checkAll<long long>(threads);
    checkAll<unsigned long long>(threads);
    checkAll<float>(threads);
    checkAll<double>(threads);
    checkColumns(threads);
    checkPlaces(threads);
  }
  RETURN_RESULT();
}
