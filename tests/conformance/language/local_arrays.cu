// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local arrays with dynamic indices, two-dimensional, of structures, and passed by pointer: each
// thread has its own.
#include "check.h"

struct Pair {
  int key;
  double value;
};

__device__ void reverse(int *values, int n) {
  for (int i = 0; i < n / 2; ++i) {
    const int moved = values[i];
    values[i] = values[n - 1 - i];
    values[n - 1 - i] = moved;
  }
}

__global__ void useLocals(const int *order, double *out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  int values[16], matrix[4][5] = {};
  Pair pairs[3] = {{1, 0.5}, {2, 1.5}, {3, 2.5}};
  for (int i = 0; i < 16; ++i)
    values[i] = t + i;
  reverse(values, 10);
  matrix[order[t % 16] % 4][t % 5] = 100;
  pairs[t % 3].value += t;
  int sum = 0;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 5; ++column)
      sum += matrix[row][column] * (row + 1) * (column + 1);
  out[t] = values[order[t % 16]] + sum + pairs[0].value + pairs[1].value + pairs[2].value +
           pairs[order[(t + 1) % 16] % 3].key;
}

int main() {
  const int threads = 128;
  std::vector<int> order(16);
  for (int i = 0; i < 16; ++i)
    order[i] = i * 5 % 16;
  DeviceBuffer<int> deviceOrder(order);
  DeviceBuffer<double> out(threads);
  useLocals<<<2, threads / 2>>>(deviceOrder, out);
  const std::vector<double> result = out.download();
  for (int t = 0; t < threads; ++t) {
    const int index = order[t % 16], value = t + (index < 10 ? 9 - index : index);
    CHECK_EQ(result[t],
             value + 100 * (index % 4 + 1) * (t % 5 + 1) + 4.5 + t + order[(t + 1) % 16] % 3 + 1);
  }
  RETURN_RESULT();
}
