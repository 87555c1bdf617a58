// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on bytes is that of int, as C++ says, whatever an engine computes it with: all pairs
// of bytes, and what overflows 8 and 16 bits, wants a sign, or is chosen by a switch. The host
// computes the same functions.
#include "check.h"

#include <cstdint>

struct Results {
  uint8_t average, clamped, chosen, alive;
  int8_t halved;
  int16_t weighted;
  uint16_t product;
  int sum, quotient;
  bool less, more;
};

template <class Byte, class Signed>
__host__ __device__ void compute(Byte a, Byte b, Signed s, int w, Results &r) {
  r.average = (a + b + 1) >> 1;
  const int difference = a - b;
  r.clamped = difference < 0 ? 0 : 3 * difference > 255 ? 255 : 3 * difference;
  switch (a & 7) {
  case 0:
    r.chosen = b;
    break;
  case 2:
    r.chosen = a + b;
    break;
  case 3:
    r.chosen = 9;
    break;
  default:
    r.chosen = 1;
  }
  const int neighbours = (a & 3) + (b & 3) + (a >> 7) + (b >> 7);
  r.alive = neighbours == 3 || (neighbours == 2 && b > a);
  r.halved = (s + s - a) / 2;
  r.weighted = a * w - b * 3 + s;
  r.product = a * b + (a << 8);
  r.sum = a + b + a + b + s + s;
  r.quotient = (a * b + 2) / 9 + (s * 5) % 7;
  r.less = s * s - a < s + b;
  r.more = (a * b >> 8) + 40000 > a * b;
}

__global__ void pairs(Results *results, const uint8_t *bytes, int w) {
  const int a = threadIdx.x, b = blockIdx.x, i = b * 256 + a;
  compute(bytes[a], bytes[b], int8_t(bytes[a] ^ bytes[255 - b]), w, results[i]);
}

int main() {
  std::vector<uint8_t> bytes(256);
  for (int i = 0; i < 256; ++i)
    bytes[i] = i;
  const DeviceBuffer<uint8_t> given(bytes);
  DeviceBuffer<Results> out(65536);
  for (const int w : {-1, 77, 65536}) {
    pairs<<<256, 256>>>(out, given, w);
    const std::vector<Results> results = out.download();
    for (int a = 0; a < 256; ++a)
      for (int b = 0; b < 256; ++b) {
        const Results &r = results[b * 256 + a];
        Results expected;
        compute(uint8_t(a), uint8_t(b), int8_t(a ^ (255 - b)), w, expected);
        CHECK_EQ(r.average, expected.average);
        CHECK_EQ(r.clamped, expected.clamped);
        CHECK_EQ(r.chosen, expected.chosen);
        CHECK_EQ(r.alive, expected.alive);
        CHECK_EQ(r.halved, expected.halved);
        CHECK_EQ(r.weighted, expected.weighted);
        CHECK_EQ(r.product, expected.product);
        CHECK_EQ(r.sum, expected.sum);
        CHECK_EQ(r.quotient, expected.quotient);
        CHECK_EQ(r.less, expected.less);
        CHECK_EQ(r.more, expected.more);
      }
  }
  RETURN_RESULT();
}
