// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's own array of structures of 16 bytes that are aligned so, by index at run time, a
// vector of 16 bytes at a time: each lane's access is aligned, wherever its elements lie.
#include "check.h"

constexpr int packets = 8, threads = 200;

template <typename T> struct alignas(16) Packet {
  T v[16 / sizeof(T)];
};

__host__ __device__ uint4 mix(uint4 w, unsigned by) {
  return make_uint4(w.x + by, w.y ^ (by * 5), w.z - w.x, w.w * 3 + by);
}

template <typename T> __host__ __device__ void walk(T *own, unsigned turn, unsigned by) {
  for (unsigned i = 0; i < packets; ++i) {
    const uint4 w = *reinterpret_cast<uint4 *>(&own[(i + turn) % packets]);
    *reinterpret_cast<uint4 *>(&own[i]) = mix(w, by + i);
  }
}

template <typename T> __host__ __device__ unsigned run(unsigned thread, unsigned turn) {
  T own[packets];
  for (unsigned i = 0; i < packets; ++i)
    *reinterpret_cast<uint4 *>(&own[i]) = make_uint4(thread, i, thread * i, thread ^ i);
  walk(own, turn + thread, thread);
  walk(own, turn, 7);
  const uint4 last = *reinterpret_cast<uint4 *>(&own[thread % packets]);
  return last.x ^ last.y * 3 ^ last.z * 5 ^ last.w * 7;
}

template <typename T> __global__ void kernel(unsigned *results, unsigned turn) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  results[thread] = run<Packet<T>>(thread, turn);
}

// The host's own array is of vectors: C++ lets it look at memory as one type only.
template <typename T> void compare() {
  DeviceBuffer<unsigned> results(2 * threads);
  for (unsigned turn : {0u, 1u, 5u}) {
    kernel<T><<<2, threads>>>(results, turn);
    const std::vector<unsigned> got = results.download();
    for (unsigned thread = 0; thread < got.size(); ++thread)
      CHECK_EQ(got[thread], run<uint4>(thread, turn));
  }
}

int main() {
  compare<float>();
  compare<unsigned>();
  compare<unsigned short>();
  compare<unsigned char>();
  compare<double>();
  RETURN_RESULT();
}
