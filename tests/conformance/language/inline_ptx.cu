// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX with register, immediate and memory operands: add, mad, cvt, setp with selp, vector
// moves, predicates and special registers.
#include "check.h"

__global__ void evaluate(int a, int b, float f, double d, unsigned long long *out) {
  int sum, chosen;
  asm("add.s32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
  out[0] = sum;
  int product;
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(product) : "r"(a), "r"(b), "n"(7));
  out[1] = product;
  asm("{\n\t"
      ".reg .pred p;\n\t"
      "setp.lt.s32 p, %1, %2;\n\t"
      "selp.s32 %0, 100, 200, p;\n\t"
      "}"
      : "=r"(chosen)
      : "r"(a), "r"(b));
  out[2] = chosen;
  float root;
  asm("sqrt.rn.f32 %0, %1;" : "=f"(root) : "f"(f));
  out[3] = (unsigned long long)(root * 1000);
  double fused;
  asm("fma.rn.f64 %0, %1, %1, %2;" : "=d"(fused) : "d"(d), "d"(0.5));
  out[4] = (unsigned long long)(fused * 1000);
  unsigned long long wide;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(0xffffffffu), "r"(0xffffffffu));
  out[5] = wide;
  unsigned lane, ofThread;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(ofThread));
  if (threadIdx.x == 37)
    out[6] = lane * 100 + ofThread;
  unsigned bits;
  asm("bfe.u32 %0, %1, 4, 8;" : "=r"(bits) : "r"(0x12345678));
  out[7] = bits;
  int incremented = a;
  asm("add.s32 %0, %0, 1;" : "+r"(incremented));
  out[8] = incremented;
}

int main() {
  DeviceBuffer<unsigned long long> out(9);
  evaluate<<<1, 64>>>(6, 9, 2.25f, 1.5, out);
  const unsigned long long expected[9] = {
      15, 61, 100, 1500, 2750, 0xfffffffe00000001ull, 5 * 100 + 37, 0x67, 7};
  const std::vector<unsigned long long> result = out.download();
  for (int i = 0; i < 9; ++i)
    CHECK_EQ(result[i], expected[i]);
  RETURN_RESULT();
}
