// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointer differences, comparisons, negative indices, pointers to pointers and 64-bit offsets
// beyond 4 GB of address space.
#include "check.h"

__global__ void usePointers(int *data, int **pointers, long long *out, int n) {
  int *end = data + n, *middle = data + n / 2;
  out[0] = end - data;
  out[1] = middle[-1] + *(middle + 1) + (end - 1)[0];
  out[2] = (data < middle) + 2 * (end > middle) + 4 * (middle == &data[n / 2]);
  pointers[0] = middle;
  pointers[1] = end - 1;
  out[3] = **pointers + *pointers[1];
  const long long far = 5LL << 32; // there and back again
  const int *distant = data + far;
  out[4] = distant[-far + 3];
  out[5] = distant - data == far;
  const char *bytes = reinterpret_cast<const char *>(data);
  out[6] = *reinterpret_cast<const int *>(bytes + 8);
  int *walker = data;
  int sum = 0;
  while (walker != end)
    sum += *walker++;
  out[7] = sum;
}

int main() {
  const int n = 100;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = i * 3;
  DeviceBuffer<int> data(values);
  DeviceBuffer<int *> pointers(2);
  DeviceBuffer<long long> out(8);
  usePointers<<<1, 1>>>(data, pointers, out, n);
  const long long expected[8] = {100, 147 + 153 + 297, 7, 150 + 297, 9, 1, 6, 14850};
  const std::vector<long long> result = out.download();
  for (int i = 0; i < 8; ++i)
    CHECK_EQ(result[i], expected[i]);
  CHECK(pointers.download()[0] == data + n / 2);
  RETURN_RESULT();
}
