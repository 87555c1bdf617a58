// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bit-counting and bit-moving intrinsics on 32 and 64 bits: __popc, __clz, __ffs, __brev,
// __byte_perm, funnel shifts, also at 0 and at all ones.
#include "check.h"

__global__ void evaluate(unsigned x, unsigned long long y, long long *out) {
  out[0] = __popc(x);
  out[1] = __popcll(y);
  out[2] = __clz(x);
  out[3] = __clzll(y);
  out[4] = __ffs(x);
  out[5] = __ffsll(y);
  out[6] = __brev(x);
  out[7] = (long long)__brevll(y);
  out[8] = __byte_perm(x, 0x8899aabb, 0x7531);
  out[9] = __byte_perm(x, 0x8899aabb, 0x0246);
  out[10] = __funnelshift_l(x, 0x12345678, 8);
  out[11] = __funnelshift_r(x, 0x12345678, 8);
  out[12] = __funnelshift_l(x, 0x12345678, 40);  // the amount wraps at 32
  out[13] = __funnelshift_lc(x, 0x12345678, 40); // the amount is clamped to 32
  out[14] = __funnelshift_rc(x, 0x12345678, 40);
}

static void checkValues(unsigned x, unsigned long long y) {
  DeviceBuffer<long long> out(15);
  evaluate<<<1, 1>>>(x, y, out);
  const std::vector<long long> r = out.download();
  unsigned reversed = 0;
  unsigned long long reversedWide = 0;
  for (int i = 0; i < 32; ++i)
    reversed |= (x >> i & 1) << (31 - i);
  for (int i = 0; i < 64; ++i)
    reversedWide |= (y >> i & 1) << (63 - i);
  CHECK_EQ(r[0], __builtin_popcount(x));
  CHECK_EQ(r[1], __builtin_popcountll(y));
  CHECK_EQ(r[2], x ? __builtin_clz(x) : 32);
  CHECK_EQ(r[3], y ? __builtin_clzll(y) : 64);
  CHECK_EQ(r[4], __builtin_ffs(int(x)));
  CHECK_EQ(r[5], __builtin_ffsll((long long)y));
  CHECK_EQ(r[6], reversed);
  CHECK_EQ(r[7], (long long)reversedWide);
  const unsigned long long bytes = 0x8899aabbull << 32 | x;
  unsigned first = 0, second = 0;
  const unsigned selectors[2] = {0x7531, 0x0246};
  for (int i = 0; i < 4; ++i) {
    first |= unsigned(bytes >> 8 * (selectors[0] >> 4 * i & 7) & 0xff) << 8 * i;
    second |= unsigned(bytes >> 8 * (selectors[1] >> 4 * i & 7) & 0xff) << 8 * i;
  }
  CHECK_EQ(r[8], first);
  CHECK_EQ(r[9], second);
  const unsigned long long both = 0x12345678ull << 32 | x;
  CHECK_EQ(r[10], unsigned(both << 8 >> 32));
  CHECK_EQ(r[11], unsigned(both >> 8));
  CHECK_EQ(r[12], unsigned(both << 8 >> 32));
  CHECK_EQ(r[13], x);
  CHECK_EQ(r[14], 0x12345678);
}

int main() {
  checkValues(0, 0);
  checkValues(~0u, ~0ull);
  checkValues(1, 1);
  checkValues(0x80000000u, 1ull << 63);
  checkValues(0x00f0a5c3, 0x0000123400f0a5c3ull);
  RETURN_RESULT();
}
