// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host constants in device code where only their values are needed: in lists that initialise a
// variable, and by reference where a constant is computed. CUDA C++ guide, "Const-qualified
// Variables".
#include "check.h"

static const unsigned pattern = 0x7eff;
static const unsigned both = (pattern << 16) | pattern;

template <class T> struct rank {
  static constexpr int value = sizeof(T);
};
template <class T> static constexpr auto rank_v = rank<T>::value;

template <class T> __host__ __device__ constexpr const T &larger(const T &a, const T &b) {
  return a < b ? b : a;
}

template <class A, class B> __device__ int largerRank() {
  constexpr int value = larger(rank_v<A>, rank_v<B>);
  int array[larger(rank_v<A>, rank_v<B>)] = {value};
  static_assert(larger(rank_v<A>, rank_v<B>) == value);
  return array[0];
}

__global__ void read(unsigned *out) {
  static __constant__ uint4 filled = {both, both, both, pattern};
  const uint2 local = {both, pattern};
  out[0] = filled.y;
  out[1] = filled.w;
  out[2] = local.x + local.y;
  out[3] = largerRank<short, double>();
}

int main() {
  unsigned *out;
  CHECK_CUDA(cudaMallocManaged(&out, 4 * sizeof *out));
  read<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(out[0] == 0x7eff7effu && out[1] == 0x7eff);
  CHECK(out[2] == 0x7eff7effu + 0x7eff);
  CHECK(out[3] == 8);
  RETURN_RESULT();
}
