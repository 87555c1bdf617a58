// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memcpy and memset in device code between global, shared and local memory, of constant and of
// run-time sizes, at odd offsets.
#include "check.h"

struct Block {
  int head;
  char text[21];
};

__global__ void copyAll(const unsigned char *in, unsigned char *out, int n) {
  __shared__ unsigned char shared[256];
  unsigned char local[64];
  memset(local, 0xab, sizeof local);
  if (threadIdx.x == 0)
    memcpy(shared, in, n);
  __syncthreads();
  memcpy(local + 3, shared + 5, 7 + n % 10);
  if (threadIdx.x == 0) {
    memcpy(out, local, sizeof local);
    memset(out + 64, 0, 3);
    memset(out + 67, n, n);
    Block a = {77, "twenty characters ok"}, b;
    memcpy(&b, &a, sizeof a);
    float f = 1.0f;
    unsigned bits;
    memcpy(&bits, &f, sizeof bits);
    out[200] = b.head;
    out[201] = b.text[19];
    out[202] = bits >> 24;
  }
}

int main() {
  const int n = 101;
  std::vector<unsigned char> values(n), expected(256, 0);
  for (int i = 0; i < n; ++i)
    values[i] = i + 1;
  for (int i = 0; i < 64; ++i)
    expected[i] = i >= 3 && i < 11 ? values[i + 2] : 0xab;
  for (int i = 0; i < n; ++i)
    expected[67 + i] = n;
  expected[200] = 77;
  expected[201] = 'k';
  expected[202] = 0x3f;
  DeviceBuffer<unsigned char> in(values), out(256);
  copyAll<<<1, 32>>>(in, out, n);
  const std::vector<unsigned char> result = out.download();
  for (int i = 0; i < 256; ++i)
    CHECK_EQ(result[i], expected[i]);
  RETURN_RESULT();
}
