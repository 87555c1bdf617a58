// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures by value as kernel parameters: small, nested, with arrays and padding, between
// scalars of other sizes; each arrives at the right offset.
#include "check.h"

struct Inner {
  char tag;
  double value;
};
struct Nested {
  short id;
  Inner parts[3];
  float3 position;
};
struct Empty {};
struct alignas(16) Aligned {
  int a, b;
};

__global__ void receive(char c, Nested nested, bool flag, Inner inner, short s, Aligned aligned,
                        Empty, uchar3 bytes, long long big, const double *pointer, double *out) {
  out[0] = c;
  out[1] = nested.id;
  out[2] = nested.parts[2].value + nested.parts[0].tag;
  out[3] = nested.position.z;
  out[4] = flag;
  out[5] = inner.value + inner.tag;
  out[6] = s;
  out[7] = aligned.a * 10 + aligned.b;
  out[8] = bytes.x + bytes.y * 2 + bytes.z * 4;
  out[9] = double(big);
  out[10] = *pointer;
  nested.parts[1].value = threadIdx.x; // a parameter is a copy of each thread's own
  __syncthreads();
  if (threadIdx.x == 1)
    out[11] = nested.parts[1].value;
}

int main() {
  DeviceBuffer<double> pointed(std::vector<double>{6.5}), out(12);
  const Nested nested = {-3, {{'a', 1}, {'b', 2}, {'c', 3.5}}, make_float3(7, 8, 9)};
  receive<<<1, 2>>>('x', nested, true, Inner{'y', 0.25}, short(-9), Aligned{4, 2}, Empty(),
                    make_uchar3(1, 2, 3), 1LL << 50, pointed, out);
  const double expected[12] = {'x', -3, 3.5 + 'a',         9,   1, 0.25 + 'y', -9,
                               42,  17, double(1LL << 50), 6.5, 1};
  const std::vector<double> result = out.download();
  for (int i = 0; i < 12; ++i)
    CHECK_EQ(result[i], expected[i]);
  RETURN_RESULT();
}
