// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device printf of integers in every size, base, width and flag: the text is what the host's
// printf writes.
// stdout: -42 17 4000000000
// stdout: -5 250 -30000
// stdout: -5 -30000 65535
// stdout: -5 5 -9000000000 18446744073709551615
// stdout: ff ABCDEF 10 0xff 010
// stdout: 123456789abcdef 4
// stdout: [   42] [42   ] [00042] [+42] [ 42]
// stdout: [     007] [] [beef    ]
// stdout: 2147483647 -2147483648
// stdout: 100%
// stdout: 1 8
#include "check.h"

// clang-format off
__global__ void show() {
  const signed char c = -5;
  const unsigned char u = 250;
  const short s = -30000;
  printf("%d %i %u\n", -42, 17, 4000000000u);
  printf("%d %d %d\n", c, u, s);
  printf("%hd %hd %hu\n", c, s, (unsigned short)65535);
  printf("%ld %lu %lld %llu\n", -5l, 5ul, -9000000000ll, 18446744073709551615ull);
  printf("%x %X %o %#x %#o\n", 255, 0xabcdef, 8, 255, 8);
  printf("%llx %lu\n", 0x123456789abcdefull, sizeof(int));
  printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42);
  printf("[%8.3d] [%.0d] [%-8x]\n", 7, 0, 0xbeef);
  printf("%d %d\n", 2147483647, -2147483647 - 1);
  printf("%d%%\n", 100);
  printf("%d %d\n", true, (int)sizeof(void *));
}
// clang-format on

int main() {
  show<<<1, 1>>>();
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  RETURN_RESULT();
}
