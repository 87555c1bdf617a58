// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __align__ and alignas on structures in global, shared, local and parameter memory: addresses,
// sizes and vector loads.
#include "check.h"

struct __align__(8) Pair {
  float a, b;
};
struct alignas(16) Four {
  int a, b, c;
};
struct Mixed {
  char c;
  Four four;
  char d;
  Pair pair;
};

__global__ void useAligned(Mixed parameter, Mixed *global, int *out) {
  __shared__ char odd[3];
  __shared__ Four shared[2];
  Mixed local = parameter;
  const size_t addresses = reinterpret_cast<size_t>(&global[1].four) |
                           reinterpret_cast<size_t>(&shared[1]) |
                           reinterpret_cast<size_t>(&local.four);
  odd[threadIdx.x] = 1;
  shared[1] = local.four;
  global[1] = local;
  out[0] = int(addresses % 16);
  out[1] = sizeof(Pair) * 10000 + sizeof(Four) * 100 + sizeof(Mixed);
  out[2] = shared[1].c + odd[0];
  const float2 vector = *reinterpret_cast<const float2 *>(&local.pair);
  out[3] = int(vector.x + vector.y);
}

int main() {
  const Mixed mixed = {'a', {1, 2, 3}, 'b', {4.0f, 5.0f}};
  DeviceBuffer<Mixed> global(2);
  DeviceBuffer<int> out(4);
  useAligned<<<1, 1>>>(mixed, global, out);
  const std::vector<int> result = out.download();
  CHECK_EQ(result[0], 0);
  CHECK_EQ(result[1], 8 * 10000 + 16 * 100 + int(sizeof(Mixed)));
  CHECK_EQ(result[2], 4);
  CHECK_EQ(result[3], 9);
  const Mixed back = global.download()[1];
  CHECK(back.c == 'a' && back.four.b == 2 && back.d == 'b' && back.pair.b == 5);
  RETURN_RESULT();
}
