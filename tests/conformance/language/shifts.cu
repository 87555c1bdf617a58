// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shifts by the width and more, by way of the funnel-shift intrinsics and inline PTX shl and
// shr, which clamp their amounts (PTX ISA, shl and shr).
#include "check.h"

__global__ void shift(unsigned value, unsigned amount, unsigned *out) {
  asm("shl.b32 %0, %1, %2;" : "=r"(out[0]) : "r"(value), "r"(amount));
  asm("shr.u32 %0, %1, %2;" : "=r"(out[1]) : "r"(value), "r"(amount));
  asm("shr.s32 %0, %1, %2;" : "=r"(out[2]) : "r"(value), "r"(amount));
  out[3] = __funnelshift_lc(0, value, amount);
}

int main() {
  for (unsigned value : {0x80000001u, 0x7fffffffu, 5u})
    for (unsigned amount : {0u, 1u, 31u, 32u, 33u, 64u, 0xffffffffu}) {
      DeviceBuffer<unsigned> out(4);
      shift<<<1, 1>>>(value, amount, out);
      const std::vector<unsigned> result = out.download();
      const unsigned sign = int(value) < 0 ? ~0u : 0;
      CHECK_EQ(result[0], amount > 31 ? 0 : value << amount);
      CHECK_EQ(result[1], amount > 31 ? 0 : value >> amount);
      CHECK_EQ(result[2], amount > 31 ? sign : unsigned(int(value) >> amount));
      CHECK_EQ(result[3], amount > 31 ? 0 : value << amount);
    }
  RETURN_RESULT();
}
