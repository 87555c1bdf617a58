// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that is stored as one type and loaded as another, which C++ does not allow and nvcc's
// compiler for devices does: vectors over arrays, bits of floats, and two pointers to one array.
#include "check.h"

__global__ void twoPointers(int *ints, float *floats, int *out, int n) {
  ints[0] = 1;
  floats[0] = 2.0f;
  out[0] = ints[0];
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    floats[i] = float(i);
    sum += ints[0];
  }
  out[1] = sum;
}

struct Half {
  unsigned short bits;
};

// A thread loads eight numbers at a time.
__global__ void eightAtATime(float *out, const uint4 *packed, int n) {
  Half numbers[8];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    *reinterpret_cast<uint4 *>(numbers) = packed[i * blockDim.x + threadIdx.x];
#pragma unroll 1
    for (int k = 0; k < 8; ++k)
      sum += float(numbers[k].bits);
  }
  out[threadIdx.x] = sum;
}

__global__ void signsInSharedMemory(unsigned *out, const float *in) {
  __shared__ float values[64];
  unsigned *bits = reinterpret_cast<unsigned *>(values);
  const int t = threadIdx.x;
  values[t] = in[t];
  bits[t] ^= 0x80000000u;
  values[t] *= 2;
  out[t] = bits[t];
}

int main() {
  DeviceBuffer<int> ints(std::vector<int>{7, 8, 9, 10}), out(std::vector<int>{-1, -1});
  twoPointers<<<1, 1>>>(ints.data(), reinterpret_cast<float *>(ints.data()), out.data(), 3);
  const std::vector<int> seen = out.download();
  CHECK_EQ(seen[0], 0x40000000);
  CHECK_EQ(seen[1], 0); // the bits of 0.0f

  constexpr int threads = 64, n = 5;
  std::vector<unsigned short> numbers(8 * threads * n);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = (unsigned short)(i * 31 % 1009);
  DeviceBuffer<unsigned short> packed(numbers);
  DeviceBuffer<float> sums(std::vector<float>(threads, -1));
  eightAtATime<<<1, threads>>>(sums.data(), reinterpret_cast<const uint4 *>(packed.data()), n);
  const std::vector<float> found = sums.download();
  for (int t = 0; t < threads; ++t) {
    float sum = 0;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 8; ++k)
        sum += float(numbers[(i * threads + t) * 8 + k]);
    CHECK_EQ(found[t], sum);
  }

  std::vector<float> values(threads);
  for (int t = 0; t < threads; ++t)
    values[t] = float(t + 1);
  DeviceBuffer<float> device_values(values);
  DeviceBuffer<unsigned> bits(std::vector<unsigned>(threads, 0));
  signsInSharedMemory<<<1, threads>>>(bits.data(), device_values.data());
  const std::vector<unsigned> changed = bits.download();
  for (int t = 0; t < threads; ++t) {
    float value = 0;
    std::memcpy(&value, &changed[t], sizeof value);
    CHECK_EQ(value, -2 * values[t]);
  }
  RETURN_RESULT();
}
