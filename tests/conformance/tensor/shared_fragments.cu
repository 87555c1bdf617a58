// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices that use the same registers: as factors of several products, as the start of
// several sums, and as a factor and a sum at once. Each must give what it gives of copies.
// flags: -arch=sm_80
// env: HEDDLE_GPU=a100
#include "check.h"

struct Halves {
  unsigned words[2];
};
struct Floats {
  float words[4];
};

__device__ void multiply(Floats &d, const unsigned *a, const unsigned *b, const Floats &c) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
               "{%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
               : "=f"(d.words[0]), "=f"(d.words[1]), "=f"(d.words[2]), "=f"(d.words[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c.words[0]),
                 "f"(c.words[1]), "f"(c.words[2]), "f"(c.words[3]));
}

__device__ void multiply(Halves &d, const unsigned *a, const unsigned *b, const Halves &c) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, "
               "{%6, %7}, {%8, %9};"
               : "=r"(d.words[0]), "=r"(d.words[1])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c.words[0]),
                 "r"(c.words[1]));
}

// A compiler does not see that this is the same value.
__device__ unsigned copyOf(unsigned word) { return __shfl_sync(~0u, word, threadIdx.x % 32); }
__device__ float copyOf(float word) { return __shfl_sync(~0u, word, threadIdx.x % 32); }

template <bool copies, class Sum>
__device__ Sum product(const unsigned *a, const unsigned *b, const Sum &c) {
  Sum d, own = c;
  unsigned own_a[4], own_b[2];
  for (int i = 0; i < 4; ++i)
    own_a[i] = copies ? copyOf(a[i]) : a[i];
  for (int i = 0; i < 2; ++i)
    own_b[i] = copies ? copyOf(b[i]) : b[i];
  for (auto &word : own.words)
    word = copies ? copyOf(word) : word;
  multiply(d, own_a, own_b, own);
  return d;
}

template <bool copies> __global__ void chain(const unsigned *in, unsigned *out) {
  const unsigned *words = in + threadIdx.x * 8;
  unsigned a[4], b[2], other[2];
  for (int i = 0; i < 4; ++i)
    a[i] = words[i];
  for (int i = 0; i < 2; ++i) {
    b[i] = words[4 + i];
    other[i] = words[6 + i];
  }
  Halves halves[6];
  const Halves start = {{b[0], b[1]}}; // a factor and a sum
  halves[0] = product<copies>(a, b, start);
  halves[1] = product<copies>(a, other, start);
  halves[2] = product<copies>(a, b, halves[0]);
  halves[3] = product<copies>(a, halves[0].words, halves[0]);
  halves[4] = product<copies>(a, halves[3].words, halves[2]);
  const unsigned pair[4] = {b[0], b[1], other[0], other[1]};
  halves[5] = product<copies>(pair, other, halves[4]);
  const Floats none = {};
  Floats floats = product<copies>(a, b, none), twice = product<copies>(a, other, none);
  for (int round = 0; round < 3; ++round)
    floats = product<copies>(pair, b, product<copies>(a, other, floats));
  twice = product<copies>(a, b, twice);
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 2; ++k)
      out[(i * 2 + k) * 32 + threadIdx.x] = halves[i].words[k];
  for (int k = 0; k < 4; ++k) {
    out[(12 + k) * 32 + threadIdx.x] = __float_as_uint(floats.words[k]);
    out[(16 + k) * 32 + threadIdx.x] = __float_as_uint(twice.words[k]);
  }
}

int main() {
  std::vector<unsigned> in(32 * 8);
  for (size_t i = 0; i < in.size(); ++i) { // halves between 0.25 and 2, of both signs
    const unsigned random = unsigned(i + 1) * 2654435761u;
    in[i] = (random & 0x83ff83ff) + 0x34003400 + (random >> 3 & 0x04000400);
  }
  DeviceBuffer<unsigned> device_in(in), out(20 * 32), expected(20 * 32);
  chain<false><<<1, 32>>>(device_in, out);
  chain<true><<<1, 32>>>(device_in, expected);
  const std::vector<unsigned> got = out.download(), want = expected.download();
  bool any = false;
  for (size_t i = 0; i < got.size(); ++i) {
    CHECK_EQ(got[i], want[i]);
    any |= want[i] != 0;
  }
  CHECK(any);
  RETURN_RESULT();
}
