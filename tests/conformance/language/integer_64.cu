// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 64-bit integer arithmetic: carries, products, shifts, comparisons and conversions that a
// 32-bit path would get wrong.
#include "check.h"

__host__ __device__ void compute(long long a, unsigned long long b, int shift, long long *out) {
  out[0] = a + (long long)b;
  out[1] = (long long)(b * (unsigned long long)a);
  out[2] = a >> shift;
  out[3] = (long long)(b >> shift);
  out[4] = (long long)((unsigned long long)a << shift);
  out[5] = a < (long long)b;
  out[6] = (unsigned long long)a < b;
  out[7] = int(a);
  out[8] = (long long)(unsigned)a;
  out[9] = (long long)float(a >> 41) + (long long)double(a >> 12);
  out[10] = ~a ^ (a & (long long)b);
  out[11] = a == (long long)b ? 1 : a > 0 ? 2 : 3;
}

__global__ void onDevice(long long a, unsigned long long b, int shift, long long *out) {
  compute(a, b, shift, out);
}

int main() {
  const long long values[] = {
      0, 1, -1, 0xffffffffLL, 0x100000000LL, -0x123456789LL, 0x7fffffffffffffffLL};
  for (long long a : values)
    for (long long b : values)
      for (int shift : {0, 1, 31, 32, 33, 63}) {
        long long expected[12];
        compute(a / 2, (unsigned long long)b / 2, shift, expected);
        DeviceBuffer<long long> out(12);
        onDevice<<<1, 1>>>(a / 2, (unsigned long long)b / 2, shift, out);
        const std::vector<long long> result = out.download();
        for (int i = 0; i < 12; ++i)
          CHECK_EQ(result[i], expected[i]);
      }
  RETURN_RESULT();
}
