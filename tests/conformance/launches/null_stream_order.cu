// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// What one thread launches into the NULL stream runs in order, each grid after the children of the
// one before.
#include "../check.h"

__global__ void append(int *list, int value) {
  list[1 + list[0]] = value;
  ++list[0];
}

__global__ void twice(int *list, int value) {
  append<<<1, 1>>>(list, value);
  append<<<1, 1>>>(list, value);
}

__global__ void parent(int *list) {
  for (int i = 0; i < 10; ++i)
    twice<<<1, 1>>>(list, i);
}

int main() {
  DeviceBuffer<int> list(32);
  parent<<<1, 1>>>(list);
  const std::vector<int> got = list.download();
  CHECK_EQ(got[0], 20);
  for (int i = 0; i < 20; ++i)
    CHECK_EQ(got[1 + i], i / 2);
  RETURN_RESULT();
}
