// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device printf with many arguments of mixed types and with control flow around it: argument
// offsets and alignment.
// stdout: 1 2.500000 c 4 five 6 7.25 8 9 10 11.000000 c
// stdout: a 1.000000 b 2 c d
// stdout: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
// stdout: 0: even
// stdout: 1: odd
// stdout: 2: even
// stdout: 3: odd
// stdout: 4: even
// stdout: value 0 of 3 =  0.00
// stdout: value 2 of 3 =  2.50
#include "check.h"

// clang-format off
__global__ void show() {
  printf("%d %f %c %lld %s %u %g %d %llu %d %f %x\n", 1, 2.5, (int)(unsigned char)99, 4ll, "five", 6u, 7.25,
         8, 9ull, 10, 11.0f, 12);
  printf("%c %f %c %lld %c %s\n", 97, 1.0, 98, 2ll, 99, "d");
  printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", 1,
         2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
         29, 30, 31, 32);
  for (int i = 0; i < 5; ++i)
    printf("%d: %s\n", i, i % 2 ? "odd" : "even");
  for (int i = 0; i < 3; ++i)
    if (i != 1)
      printf("value %d of %d = %5.2f\n", i, 3, i * 1.25);
}
// clang-format on

int main() {
  show<<<1, 1>>>();
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  RETURN_RESULT();
}
