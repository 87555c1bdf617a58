// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function calls, loops and returns inside divergent branches nested four deep: every lane gets
// its own result.
#include "check.h"

__host__ __device__ int leaf(int a, int b) {
  if (a > b)
    return a - b;
  for (int i = 0; i < a % 4; ++i)
    b += i * a;
  return b;
}

__host__ __device__ int nested(int t) {
  int result = 0;
  if (t % 2) {
    if (t % 3) {
      for (int i = 0; i < t % 5; ++i) {
        if (i == 3)
          return leaf(t, i) + 1000;
        result += leaf(i, t);
      }
    } else if (t % 5) {
      result = leaf(t * 2, t);
    } else {
      return -t;
    }
    result += 7;
  } else {
    int i = t;
    while (i > 3) {
      i -= t % 7 == 0 ? 2 : 3;
      if (leaf(i, 10) % 6 == 5)
        break;
      result += i;
    }
    result *= 2;
  }
  return result + leaf(result, 50);
}

__global__ void callAll(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = nested(blockIdx.x * blockDim.x + threadIdx.x);
}

int main() {
  DeviceBuffer<int> out(512);
  callAll<<<4, 128>>>(out);
  const std::vector<int> result = out.download();
  for (int t = 0; t < 512; ++t)
    CHECK_EQ(result[t], nested(t));
  RETURN_RESULT();
}
