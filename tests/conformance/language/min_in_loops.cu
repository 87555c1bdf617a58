// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The least and the greatest of many numbers, some of which are none: NaNs, also those that signal,
// are left out, wherever they come, and -0 is less than 0. Beside constants, too.
#include "minima.h"
#include <cstdint>
#include <cstring>

constexpr int rounds = 9;

template <class T> __global__ void window(T *least, T *greatest, const T *in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T low = in[i], high = in[i];
  for (int k = 1; k < rounds; ++k) {
    low = fmin(low, in[i + k]);
    high = fmax(in[i + k], high);
  }
  least[i] = low;
  greatest[i] = high;
}

// As most programs begin, and with arithmetic in between.
template <class T> __global__ void ofBlock(T *least, T *greatest, const T *in) {
  __shared__ T low[128], high[128];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  low[t] = fmin(T(INFINITY), in[i]);
  high[t] = fmax(T(-INFINITY), in[i] * T(2));
  for (int stride = 64; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) {
      low[t] = fmin(low[t + stride], low[t]);
      high[t] = fmax(high[t], high[t + stride]);
    }
  }
  if (t == 0) {
    least[blockIdx.x] = low[0];
    greatest[blockIdx.x] = high[0];
  }
}

template <class T> __global__ void besideConstants(T *out, const T *in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T *results = out + 8 * i;
  results[0] = fmax(in[i], T(0));
  results[1] = fmax(in[i], T(-0.0));
  results[2] = fmin(in[i], T(0));
  results[3] = fmin(in[i], T(-0.0));
  results[4] = fmax(T(-1), in[i]);
  results[5] = fmin(T(1), in[i]);
  results[6] = fmin(fmax(in[i], T(0)), T(1));
  results[7] = fmax(in[i], T(-INFINITY));
}

template <class T, class Bits> static void checkType(Bits signalling) {
  T none;
  std::memcpy(&none, &signalling, sizeof none);
  const T special[] = {T(0), T(-0.0), T(NAN), none, T(INFINITY), T(-INFINITY), T(1e-40), T(-1e-40)};
  constexpr int n = 1000, blocks = 8, count = blocks * 128;
  std::vector<T> values(count + rounds);
  uint32_t random = 12345;
  for (int i = 0; i < count + rounds; ++i) {
    random = random * 1664525 + 1013904223;
    const uint32_t kind = random >> 24;
    // Long runs of nothing but zeros and NaNs, others in between.
    values[i] = i % 256 < 128 ? special[kind % 4]
                : kind < 128  ? special[kind % 8]
                              : T(int(kind) - 190);
  }
  const DeviceBuffer<T> in(values);

  DeviceBuffer<T> least(n), greatest(n);
  window<T><<<(n + 255) / 256, 256>>>(least, greatest, in, n);
  const auto low = least.download(), high = greatest.download();
  for (int i = 0; i < n; ++i) {
    T lowest = values[i], highest = values[i];
    for (int k = 1; k < rounds; ++k) {
      lowest = expectedMinimum(lowest, values[i + k], true);
      highest = expectedMinimum(highest, values[i + k], false);
    }
    checkSame(low[i], lowest);
    checkSame(high[i], highest);
  }

  ofBlock<T><<<blocks, 128>>>(least, greatest, in);
  const auto block_low = least.download(), block_high = greatest.download();
  for (int block = 0; block < blocks; ++block) {
    T lowest = T(INFINITY), highest = T(-INFINITY);
    for (int t = 0; t < 128; ++t) {
      lowest = expectedMinimum(lowest, values[block * 128 + t], true);
      highest = expectedMinimum(highest, values[block * 128 + t] * T(2), false);
    }
    checkSame(block_low[block], lowest);
    checkSame(block_high[block], highest);
  }

  DeviceBuffer<T> out(8 * count);
  besideConstants<T><<<blocks, 128>>>(out, in);
  const auto beside = out.download();
  for (int i = 0; i < count; ++i) {
    const T a = values[i];
    const T should[] = {expectedMinimum(a, T(0), false),
                        expectedMinimum(a, T(-0.0), false),
                        expectedMinimum(a, T(0), true),
                        expectedMinimum(a, T(-0.0), true),
                        expectedMinimum(T(-1), a, false),
                        expectedMinimum(T(1), a, true),
                        expectedMinimum(expectedMinimum(a, T(0), false), T(1), true),
                        expectedMinimum(a, T(-INFINITY), false)};
    for (int k = 0; k < 8; ++k)
      checkSame(beside[8 * i + k], should[k]);
  }
}

int main() {
  checkType<float>(uint32_t(0x7fa00000));
  checkType<double>(uint64_t(0x7ff4000000000000));
  RETURN_RESULT();
}
