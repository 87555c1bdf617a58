// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SIMD-within-a-word intrinsics on bytes and halfwords (__vadd4, __vsub2, __vmaxs4, __vavgu4,
// __vcmpgts2, __vabsdiffu4, __vadds…), and __dp4a and __dp2a, against plain loops.
#include "check.h"

__global__ void evaluate(unsigned a, unsigned b, unsigned *out) {
  out[0] = __vadd4(a, b);
  out[1] = __vsub4(a, b);
  out[2] = __vaddss4(a, b);
  out[3] = __vaddus4(a, b);
  out[4] = __vmaxs4(a, b);
  out[5] = __vminu4(a, b);
  out[6] = __vavgu4(a, b);
  out[7] = __vabsdiffu4(a, b);
  out[8] = __vcmpgts4(a, b);
  out[9] = __vcmpeq4(a, b);
  out[10] = __vsadu4(a, b);
  out[11] = __vadd2(a, b);
  out[12] = __vsubss2(a, b);
  out[13] = __vmaxu2(a, b);
  out[14] = __vcmpgts2(a, b);
  out[15] = __vabs2(a);
  out[16] = __dp4a(int(a), int(b), 100);
  out[17] = __dp4a(a, b, 100u);
  out[18] = __dp2a_lo(int(a), int(b), 100);
  out[19] = __dp2a_hi(a, b, 100u);
  out[20] = __vneg4(a);
  out[21] = __vsetltu4(a, b);
}

template <class F> static unsigned each(unsigned a, unsigned b, int bits, bool isSigned, F f) {
  unsigned result = 0;
  const unsigned mask = bits == 8 ? 0xff : 0xffff;
  for (int shift = 0; shift < 32; shift += bits) {
    int x = a >> shift & mask, y = b >> shift & mask;
    if (isSigned) {
      x = bits == 8 ? (signed char)x : (short)x;
      y = bits == 8 ? (signed char)y : (short)y;
    }
    result |= (unsigned(f(x, y)) & mask) << shift;
  }
  return result;
}

static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

static void checkValues(unsigned a, unsigned b) {
  DeviceBuffer<unsigned> out(22);
  evaluate<<<1, 1>>>(a, b, out);
  const std::vector<unsigned> r = out.download();
  CHECK_EQ(r[0], each(a, b, 8, false, [](int x, int y) { return x + y; }));
  CHECK_EQ(r[1], each(a, b, 8, false, [](int x, int y) { return x - y; }));
  CHECK_EQ(r[2], each(a, b, 8, true, [](int x, int y) { return clamp(x + y, -128, 127); }));
  CHECK_EQ(r[3], each(a, b, 8, false, [](int x, int y) { return clamp(x + y, 0, 255); }));
  CHECK_EQ(r[4], each(a, b, 8, true, [](int x, int y) { return x > y ? x : y; }));
  CHECK_EQ(r[5], each(a, b, 8, false, [](int x, int y) { return x < y ? x : y; }));
  CHECK_EQ(r[6], each(a, b, 8, false, [](int x, int y) { return (x + y + 1) / 2; }));
  CHECK_EQ(r[7], each(a, b, 8, false, [](int x, int y) { return abs(x - y); }));
  CHECK_EQ(r[8], each(a, b, 8, true, [](int x, int y) { return x > y ? 0xff : 0; }));
  CHECK_EQ(r[9], each(a, b, 8, true, [](int x, int y) { return x == y ? 0xff : 0; }));
  CHECK_EQ(r[11], each(a, b, 16, false, [](int x, int y) { return x + y; }));
  CHECK_EQ(r[12], each(a, b, 16, true, [](int x, int y) { return clamp(x - y, -32768, 32767); }));
  CHECK_EQ(r[13], each(a, b, 16, false, [](int x, int y) { return x > y ? x : y; }));
  CHECK_EQ(r[14], each(a, b, 16, true, [](int x, int y) { return x > y ? 0xffff : 0; }));
  CHECK_EQ(r[15], each(a, b, 16, true, [](int x, int) { return abs(x); }));
  CHECK_EQ(r[20], each(a, b, 8, true, [](int x, int) { return -x; }));
  CHECK_EQ(r[21], each(a, b, 8, false, [](int x, int y) { return x < y; }));
  unsigned differences = 0, productsUnsigned = 100, high = 100;
  int products = 100, low = 100;
  for (int i = 0; i < 4; ++i) {
    const int x = a >> 8 * i & 0xff, y = b >> 8 * i & 0xff;
    differences += abs(x - y);
    products += (signed char)x * (signed char)y;
    productsUnsigned += x * y;
  }
  for (int i = 0; i < 2; ++i) {
    low += (short)(a >> 16 * i) * (signed char)(b >> 8 * i);
    high += (a >> 16 * i & 0xffff) * (b >> (16 + 8 * i) & 0xff);
  }
  CHECK_EQ(r[10], differences);
  CHECK_EQ(r[16], unsigned(products));
  CHECK_EQ(r[17], productsUnsigned);
  CHECK_EQ(r[18], unsigned(low));
  CHECK_EQ(r[19], high);
}

int main() {
  checkValues(0, 0);
  checkValues(0x01020304, 0x10203040);
  checkValues(0x80ff7f01, 0x7f80ff01);
  checkValues(0xffffffff, 0x00000001);
  checkValues(0x80008000, 0x7fff0001);
  checkValues(0xdeadbeef, 0x12345678);
  RETURN_RESULT();
}
