// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unions read as another member, anonymous unions, and bit-fields of several widths, signed and
// unsigned.
#include "check.h"

union Bits {
  float f;
  unsigned u;
  unsigned char bytes[4];
};

struct Fields {
  unsigned low : 5;
  unsigned middle : 20;
  int high : 7;
  unsigned long long wide : 40;
  bool flag : 1;
};

struct Variant {
  int kind;
  union {
    int integer;
    double real;
  };
};

__global__ void useFields(long long *out, Fields given) {
  Bits bits;
  bits.f = -1.5f;
  out[0] = bits.u;
  out[1] = bits.bytes[3] * 256 + bits.bytes[2];
  Fields fields = {};
  fields.low = 33; // keeps 5 bits: 1
  fields.middle = (1u << 20) - 1;
  fields.high = -64;
  fields.wide = 0x123456789aull;
  fields.flag = true;
  out[2] = fields.low;
  out[3] = fields.middle;
  out[4] = fields.high;
  out[5] = (long long)fields.wide;
  out[6] = fields.flag;
  ++fields.middle; // wraps without touching its neighbours
  out[7] = fields.middle * 1000 + fields.low + fields.high;
  Variant variant;
  variant.kind = 1;
  variant.real = 2.5;
  out[8] = variant.kind + (long long)(variant.real * 2);
  out[9] = given.low + given.middle + given.high + (long long)given.wide + given.flag;
}

int main() {
  DeviceBuffer<long long> out(10);
  useFields<<<1, 1>>>(out, Fields{7, 1000, -5, 1ull << 39, true});
  const long long expected[10] = {0xbfc00000, 0xbfc0, 1, (1 << 20) - 1,     -64, 0x123456789all,
                                  1,          -63,    6, 1003 + (1LL << 39)};
  const std::vector<long long> result = out.download();
  for (int i = 0; i < 10; ++i)
    CHECK_EQ(result[i], expected[i]);
  RETURN_RESULT();
}
