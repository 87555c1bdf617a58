// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of 8 to 64 elements that each thread looks into at a place of its own: in shared, constant
// and global memory, there also the last elements of an allocation, and in divergent code.
#include "check.h"

constexpr int THREADS = 96, COUNT = 7 * THREADS - 11;

template <class T> __device__ __constant__ T fixed[64];

template <class T> __host__ __device__ T element(int i) { return T(i * i * 37 % 1009) - T(301); }

// What thread i is to find.
template <class T, int SIZE> T expected(unsigned key, int i) {
  const unsigned at = key % SIZE;
  T result = element<T>(at) + T(3) * element<T>((key >> 6) % SIZE);
  if (i % 3 == 0)
    result += T(5) * element<T>((key + i) % SIZE);
  for (unsigned round = 0; round < at % 4; ++round)
    result = result * T(2) + element<T>((at + round) % SIZE);
  return result;
}

template <class T, int SIZE>
__global__ void lookUp(T *out, const unsigned *keys, const T *table, int n) {
  __shared__ T copy[SIZE];
  if (threadIdx.x < SIZE)
    copy[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned key = keys[i], at = key % SIZE;
  T result = copy[at] + T(3) * table[(key >> 6) % SIZE];
  if (i % 3 == 0)
    result += T(5) * fixed<T>[(key + i) % SIZE];
  for (unsigned round = 0; round < at % 4; ++round)
    result = result * T(2) + copy[(at + round) % SIZE];
  out[i] = result;
}

// `before` elements lie before the table, none behind it.
template <class T, int SIZE> void test(const std::vector<unsigned> &keys, int before) {
  std::vector<T> values(before + SIZE), all(64);
  for (int i = 0; i < SIZE; ++i)
    values[before + i] = element<T>(i);
  for (int i = 0; i < 64; ++i)
    all[i] = element<T>(i);
  CHECK_CUDA(cudaMemcpyToSymbol(fixed<T>, all.data(), all.size() * sizeof(T)));
  DeviceBuffer<T> table(values), out(COUNT);
  DeviceBuffer<unsigned> places(keys);
  lookUp<T, SIZE><<<7, THREADS>>>(out.data(), places.data(), table.data() + before, COUNT);
  const std::vector<T> found = out.download();
  for (int i = 0; i < COUNT; ++i)
    CHECK_EQ(found[i], (expected<T, SIZE>(keys[i], i)));
}

template <class T> void testAll(const std::vector<unsigned> &keys) {
  for (const int before : {0, 3, int(4096 / sizeof(T)) - 5}) {
    test<T, 8>(keys, before);
    test<T, 16>(keys, before);
    test<T, 32>(keys, before);
    test<T, 64>(keys, before);
  }
  // Up to the end of the last page.
  test<T, 8>(keys, int((4 << 20) / sizeof(T)) - 8);
  test<T, 16>(keys, int((4 << 20) / sizeof(T)) - 16);
}

int main() {
  std::vector<unsigned> keys(COUNT);
  for (int i = 0; i < COUNT; ++i)
    keys[i] = unsigned(i) * 2654435761u >> 7;
  testAll<int>(keys);
  testAll<float>(keys);
  testAll<double>(keys);
  RETURN_RESULT();
}
