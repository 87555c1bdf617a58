// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// switch with many cases, fall-through, a default in the middle, sparse and negative labels, and
// lanes of a warp in different cases.
#include "check.h"

__host__ __device__ int choose(int value) {
  int result = 0;
  switch (value) {
  case 0:
    result = 1;
    break;
  case 1:
    result = 10; // falls through
  case 2:
    result += 100;
    break;
  default:
    result = -1;
    break;
  case 3:
  case 4:
    return 7;
  case 1000000:
    result = 8;
    break;
  case -5: {
    const int inner = value * value;
    result = inner;
  } break;
  }
  return result * 2;
}

__host__ __device__ int machine(int steps) {
  int state = 0, count = 0;
  while (true) {
    switch (state) {
    case 0:
      state = steps > 3 ? 1 : 2;
      continue;
    case 1:
      steps -= 2;
      state = 0;
      break;
    case 2:
      return count * 10 + steps;
    }
    ++count;
  }
}

__global__ void chooseAll(const int *in, int *out, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    out[i] = choose(in[i]);
    out[n + i] = machine(i);
  }
}

int main() {
  const int n = 40;
  std::vector<int> values(n);
  const int choices[8] = {0, 1, 2, 3, 4, 5, 1000000, -5};
  for (int i = 0; i < n; ++i)
    values[i] = choices[i * 3 % 8];
  DeviceBuffer<int> in(values), out(2 * n);
  chooseAll<<<1, 64>>>(in, out, n);
  const std::vector<int> result = out.download();
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(result[i], choose(values[i]));
    CHECK_EQ(result[n + i], machine(i));
  }
  CHECK_EQ(choose(1), 220);
  RETURN_RESULT();
}
