// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host constants in device code where only their values are needed: in lists that initialise a
// variable, by reference where a constant is computed, and where constants of class types are
// copied. CUDA C++ guide, "Const-qualified Variables", "constexpr Variables".
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

struct Bits {
  unsigned short bits;
  constexpr __host__ __device__ explicit Bits(unsigned short value) : bits(value) {}
};
template <class T> struct Pattern {
  static constexpr Bits value{0x7e00};
};
template <class T> inline constexpr Bits low_bits{sizeof(T)};

struct Wrapper {
  unsigned value;
  __device__ Wrapper(Bits of) : value(of.bits) {}
};
template <class T> __device__ Wrapper convertedPattern() { return Pattern<T>::value; }

__global__ void copy(unsigned *out) {
  constexpr Bits low = low_bits<double>;
  out[4] = convertedPattern<int>().value + low.bits;
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
  CHECK_CUDA(cudaMallocManaged(&out, 5 * sizeof *out));
  read<<<1, 1>>>(out);
  copy<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(out[0] == 0x7eff7effu && out[1] == 0x7eff);
  CHECK(out[2] == 0x7eff7effu + 0x7eff);
  CHECK(out[3] == 8);
  CHECK(out[4] == 0x7e08);
  RETURN_RESULT();
}
