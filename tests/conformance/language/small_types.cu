// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 8- and 16-bit integers: wrap-around, sign extension, comparison and promotion, in registers
// and in memory.
#include "check.h"

enum class Colour : unsigned char { red = 1, green = 200 };
enum Plain { small = -1, large = 70000 };

__global__ void useSmall(int *out, signed char s8, unsigned char u8, short s16,
                         unsigned short u16) {
  s8 += 1;
  u8 -= 1;
  s16 *= 2;
  u16 = u16 + 1;
  out[0] = s8;
  out[1] = u8;
  out[2] = s16;
  out[3] = u16;
  out[4] = (signed char)(200);
  out[5] = (unsigned char)(-1) > (signed char)(-1);
  out[6] = s8 >> 1;
  out[7] = u8 >> 1;
  out[8] = (unsigned char)~u8;
  out[9] = int(Colour::green) + int(sizeof(Colour));
  out[10] = small + large;
  out[11] = char(-1) < 0; // char is signed on the device, as on x86
  bool flag = out[0];
  flag += 5;
  out[12] = flag;
  __shared__ signed char bytes[4];
  bytes[threadIdx.x] = -128;
  out[13] = -bytes[threadIdx.x];
}

int main() {
  DeviceBuffer<int> out(14);
  useSmall<<<1, 1>>>(out, 127, 0, 20000, 65535);
  const int expected[14] = {-128, 255, -25536, 0, -56, 1, -64, 127, 0, 201, 69999, 1, 1, 128};
  const std::vector<int> result = out.download();
  for (int i = 0; i < 14; ++i)
    CHECK_EQ(result[i], expected[i]);
  RETURN_RESULT();
}
