// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block adds up its elements, or their sums from the first on, in all the ways that courses
// teach: threads that are multiples of something, strides that grow and shrink, with and without
// room of a size that the launch says, and with conditions that data decide. Blocks are up to 1024
// threads long.
#include "check.h"

#include <cstdint>

enum class Way { Remainder, Mask, Places, Halves, Skewed };

// `s` has as many elements as the block has threads, and one behind that is not to change.
template <Way way, class T> __device__ void addUp(T *s) {
  const unsigned t = threadIdx.x, n = blockDim.x;
  if (way == Way::Halves) {
    for (unsigned k = n / 2; k > 0; k >>= 1) {
      if (t < k)
        s[t] += s[t + k];
      __syncthreads();
    }
    return;
  }
  for (unsigned k = 1; k < n; k *= 2) {
    if (way == Way::Remainder && t % (2 * k) == 0)
      s[t] += s[t + k];
    if (way == Way::Mask && (t & (2 * k - 1)) == 0)
      s[t] += s[t + k];
    if (way == Way::Places && 2 * k * t < n)
      s[2 * k * t] += s[2 * k * t + k];
    if (way == Way::Skewed && (t + k) % (2 * k) == 0 && t >= k) // the right ones, here
      s[t - k] += s[t];
    __syncthreads();
  }
}

template <Way way, class T>
__device__ void addUpBlock(T *s, int n, T *out, const T *in, T *behind) {
  s[threadIdx.x] = in[blockIdx.x * n + threadIdx.x];
  if (threadIdx.x == 0)
    s[n] = 77;
  __syncthreads();
  addUp<way>(s);
  if (threadIdx.x == 0) {
    out[blockIdx.x] = s[0];
    behind[blockIdx.x] = s[n];
  }
}

template <Way way, class T> __global__ void sums(T *out, const T *in, T *behind) {
  __shared__ T s[1025];
  addUpBlock<way>(s, blockDim.x, out, in, behind);
}

template <Way way, int N, class T> __global__ void sumsOfOneSize(T *out, const T *in, T *behind) {
  __shared__ T s[N + 1];
  addUpBlock<way>(s, N, out, in, behind);
}

template <Way way, class T> __global__ void sumsInDynamic(T *out, const T *in, T *behind) {
  extern __shared__ double memory[];
  addUpBlock<way>(reinterpret_cast<T *>(memory), blockDim.x, out, in, behind);
}

constexpr int blocks = 5;

template <class T> static std::vector<T> numbers(int n) {
  std::vector<T> result(n);
  for (int i = 0; i < n; ++i)
    result[i] = T(i * 7 % 31 + i / 100);
  return result;
}

template <class T, class Launch> static void checkSums(int threads, Launch launch) {
  const auto input = numbers<T>(blocks * threads);
  const DeviceBuffer<T> in(input);
  DeviceBuffer<T> out(blocks), behind(blocks);
  launch(out, in, behind);
  const auto result = out.download(), rest = behind.download();
  for (int block = 0; block < blocks; ++block) {
    T sum = 0;
    for (int i = 0; i < threads; ++i)
      sum = T(sum + input[block * threads + i]);
    CHECK_EQ(result[block], sum);
    CHECK_EQ(rest[block], T(77));
  }
}

template <Way way, int N, class T> static void checkSize() {
  checkSums<T>(
      N, [](auto &out, auto &in, auto &behind) { sums<way, T><<<blocks, N>>>(out, in, behind); });
  checkSums<T>(N, [](auto &out, auto &in, auto &behind) {
    sumsOfOneSize<way, N, T><<<blocks, N>>>(out, in, behind);
  });
  checkSums<T>(N, [](auto &out, auto &in, auto &behind) {
    sumsInDynamic<way, T><<<blocks, N, (N + 1) * sizeof(T)>>>(out, in, behind);
  });
}

template <int N, class T> static void checkWays() {
  checkSize<Way::Remainder, N, T>();
  checkSize<Way::Mask, N, T>();
  checkSize<Way::Places, N, T>();
  checkSize<Way::Halves, N, T>();
  checkSize<Way::Skewed, N, T>();
}

// ---- Sums from the first element on ----

template <int N, class T> __global__ void inPlace(T *out, const T *in) {
  __shared__ T s[N];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * N + t];
  for (int d = 1; d < N; d *= 2) {
    __syncthreads();
    T v = 0;
    if (t >= d)
      v = s[t - d];
    __syncthreads();
    s[t] += v;
  }
  out[blockIdx.x * N + t] = s[t];
}

template <int N, class T> __global__ void toAndFro(T *out, const T *in) {
  __shared__ T s[2][N];
  const int t = threadIdx.x;
  int to = 0;
  s[0][t] = in[blockIdx.x * N + t];
  __syncthreads();
  for (int d = 1; d < N; d *= 2) {
    to = 1 - to;
    s[to][t] = t >= d ? T(s[1 - to][t] + s[1 - to][t - d]) : s[1 - to][t];
    __syncthreads();
  }
  out[blockIdx.x * N + t] = s[to][t];
}

// By the shuffles of each warp, and then of as many lanes as there are warps.
template <int N, class T> __global__ void byWarps(T *out, const T *in) {
  constexpr int warps = N / 32;
  constexpr unsigned some = ~0u >> (32 - warps);
  __shared__ T of_warps[warps];
  const int t = threadIdx.x, lane = t % 32;
  T v = in[blockIdx.x * N + t];
  for (int d = 1; d < 32; d *= 2) {
    const T u = __shfl_up_sync(~0u, v, d);
    if (lane >= d)
      v += u;
  }
  if (lane == 31)
    of_warps[t / 32] = v;
  __syncthreads();
  if (t < warps) {
    T x = of_warps[t];
    for (int d = 1; d < warps; d *= 2) {
      const T u = __shfl_up_sync(some, x, d);
      if (t >= d)
        x += u;
    }
    of_warps[t] = x;
  }
  __syncthreads();
  if (t >= 32)
    v += of_warps[t / 32 - 1];
  out[blockIdx.x * N + t] = v;
}

template <class T> using Scan = void (*)(T *, const T *);

template <int N, class T> static void checkScan(Scan<T> scan) {
  const auto input = numbers<T>(blocks * N);
  const DeviceBuffer<T> in(input);
  DeviceBuffer<T> out(blocks * N);
  scan<<<blocks, N>>>(out, in);
  const auto result = out.download();
  for (int block = 0; block < blocks; ++block) {
    T sum = 0;
    for (int i = block * N; i < (block + 1) * N; ++i)
      CHECK_EQ(result[i], sum = T(sum + input[i]));
  }
}

template <int N, class T> static void checkScans() {
  checkScan<N, T>(inPlace<N, T>);
  checkScan<N, T>(toAndFro<N, T>);
  if constexpr (N >= 64 && sizeof(T) >= 4)
    checkScan<N, T>(byWarps<N, T>);
}

// ---- Data decide, and others look on ----

// The smallest element's place; elements behind the end do not count.
__global__ void smallest(int *place, const float *in, int n) {
  __shared__ float value[256];
  __shared__ int index[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (i < n)
    value[t] = in[i], index[t] = i;
  else
    value[t] = 1e30f, index[t] = -1;
  __syncthreads();
  for (int k = 128; k; k /= 2) {
    if (t < k && value[t + k] < value[t]) {
      value[t] = value[t + k];
      index[t] = index[t + k];
    }
    __syncthreads();
  }
  if (t == 0)
    place[blockIdx.x] = index[0];
}

// Neighbours' differences, and a border of two from the blocks beside.
__global__ void window(float *out, const float *in, int n) {
  __shared__ float s[128 + 4];
  const int i = blockIdx.x * 128 + threadIdx.x, l = threadIdx.x + 2;
  s[l] = in[i];
  if (threadIdx.x < 2) {
    s[l - 2] = i >= 2 ? in[i - 2] : 0;
    s[l + 128] = i + 128 < n ? in[i + 128] : 0;
  }
  __syncthreads();
  out[i] = s[l - 2] + 2 * s[l - 1] + 4 * s[l] + 8 * s[l + 1] + 16 * s[l + 2];
}

// Two names for one array of dynamic size, and elements of two sizes.
__global__ void twoNames(int *out, const int *in) {
  extern __shared__ int words[];
  extern __shared__ unsigned char bytes[];
  const int t = threadIdx.x;
  words[t] = in[t];
  __syncthreads();
  out[t] = bytes[t] + words[t ^ 1];
}

// Rows of a block of 16 x 16: every second, fourth … adds the one below.
__global__ void rowsOfBlock(float *out, const float *in) {
  __shared__ float s[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = in[blockIdx.x * 256 + y * 16 + x];
  __syncthreads();
  for (int i = 1; i <= 4; ++i) {
    const int p = 1 << i;
    if (y % p == 0)
      s[y][x] += s[y + p / 2][x];
    __syncthreads();
  }
  if (x == 0)
    out[blockIdx.x * 16 + y] = s[x][y];
}

int main() {
  checkWays<32, float>();
  checkWays<64, int>();
  checkWays<128, uint8_t>();
  checkWays<256, float>();
  checkWays<256, int64_t>();
  checkWays<1024, int>();
  checkScans<32, int>();
  checkScans<64, float>();
  checkScans<256, int>();
  checkScans<256, uint16_t>();
  checkScans<1024, float>();

  const auto values = numbers<float>(blocks * 256);
  const DeviceBuffer<float> in(values);
  DeviceBuffer<int> places(blocks);
  const int n = blocks * 256 - 100;
  smallest<<<blocks, 256>>>(places, in, n);
  const auto found = places.download();
  for (int block = 0; block < blocks; ++block) {
    float least = 1e30f;
    for (int i = block * 256; i < (block + 1) * 256 && i < n; ++i)
      least = std::fmin(least, values[i]);
    CHECK(found[block] >= block * 256 && found[block] < n);
    CHECK_EQ(values[found[block]], least);
  }

  DeviceBuffer<float> out(blocks * 256);
  window<<<2 * blocks, 128>>>(out, in, blocks * 256);
  const auto windows = out.download();
  for (int i = 0; i < blocks * 256; ++i) {
    const auto at = [&](int k) { return k >= 0 && k < blocks * 256 ? values[k] : 0.0f; };
    CHECK_EQ(windows[i], at(i - 2) + 2 * at(i - 1) + 4 * at(i) + 8 * at(i + 1) + 16 * at(i + 2));
  }

  const auto words = numbers<int>(64);
  const DeviceBuffer<int> words_in(words);
  DeviceBuffer<int> words_out(64);
  twoNames<<<1, 64, 64 * sizeof(int)>>>(words_out, words_in);
  const auto mixed = words_out.download();
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(mixed[i], (i % 4 ? 0 : words[i / 4]) + words[i ^ 1]);

  DeviceBuffer<float> columns(blocks * 16);
  rowsOfBlock<<<blocks, dim3(16, 16)>>>(columns, in);
  const auto sums_of_columns = columns.download();
  for (int i = 0; i < blocks * 16; ++i) {
    float sum = 0;
    for (int y = 0; y < 16; ++y)
      sum += values[i / 16 * 256 + y * 16 + i % 16];
    CHECK_EQ(sums_of_columns[i], sum);
  }
  RETURN_RESULT();
}
