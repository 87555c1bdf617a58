// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Casts and implicit conversions between all arithmetic types: truncation, sign, bool, char, and
// the bit casts __float_as_int and friends.
#include "check.h"

__global__ void convert(float f, double d, int i, long long *out) {
  out[0] = int(f);
  out[1] = (long long)d;
  out[2] = (unsigned)(i);
  out[3] = (unsigned char)i;
  out[4] = (signed char)i;
  out[5] = (short)(i * 1000);
  out[6] = bool(f);
  out[7] = bool(0.0f);
  out[8] = (int)(float)16777217;
  out[9] = (long long)(f * i);
  out[10] = (unsigned short)d;
  out[11] = char(65.9f);
  out[12] = __float_as_int(f);
  out[13] = __double_as_longlong(d);
  out[14] = (long long)__int_as_float(0x40490fdb);
  out[15] = __float_as_uint(-0.0f);
  out[16] = (long long)__uint_as_float(0x4b800000u);
  out[17] = (long long)__longlong_as_double(0x4059000000000000LL);
  out[18] = __double2hiint(d);
  out[19] = (unsigned)__double2loint(d);
  out[20] = (long long)__hiloint2double(0x40590000, 0);
}

int main() {
  DeviceBuffer<long long> out(21);
  convert<<<1, 1>>>(-3.99f, 54321.75, -200, out);
  const double d = 54321.75;
  const float f = -3.99f;
  int floatBits;
  long long doubleBits;
  memcpy(&floatBits, &f, sizeof f);
  memcpy(&doubleBits, &d, sizeof d);
  const long long expected[21] = {-3,
                                  54321,
                                  4294967096LL,
                                  56,
                                  56,
                                  (short)-200000,
                                  1,
                                  0,
                                  16777216,
                                  798,
                                  54321,
                                  'A',
                                  floatBits,
                                  doubleBits,
                                  3,
                                  0x80000000LL,
                                  16777216,
                                  100,
                                  doubleBits >> 32,
                                  doubleBits & 0xffffffffLL,
                                  100};
  const std::vector<long long> result = out.download();
  for (int i = 0; i < 21; ++i)
    CHECK_EQ(result[i], expected[i]);
  RETURN_RESULT();
}
