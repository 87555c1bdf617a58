// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device new and delete: objects with constructors, arrays, memory that stays valid for later
// kernels, and placement new.
#include "check.h"
#include <new>

struct Item {
  int id;
  double payload[4];
  __device__ Item() : id(-1) {}
  __device__ explicit Item(int id) : id(id) {
    for (int i = 0; i < 4; ++i)
      payload[i] = id + 0.25 * i;
  }
};

__global__ void create(Item **items, int **arrays) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  items[t] = new Item(t);
  arrays[t] = new int[t + 1];
  for (int i = 0; i <= t; ++i)
    arrays[t][i] = i;
}

__global__ void readAndDelete(Item **items, int **arrays, double *out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int other = gridDim.x * blockDim.x - 1 - t;
  double sum = items[other]->id + items[other]->payload[3];
  for (int i = 0; i <= other; ++i)
    sum += arrays[other][i];
  out[t] = sum;
  delete items[other];
  delete[] arrays[other];
}

__global__ void placement(double *out) {
  alignas(Item) unsigned char bytes[sizeof(Item)];
  Item *item = new (bytes) Item(9);
  out[0] = item->payload[2];
  Item *many = new Item[3];
  out[1] = many[0].id + many[2].id;
  delete[] many;
}

int main() {
  const int n = 96;
  DeviceBuffer<Item *> items(n);
  DeviceBuffer<int *> arrays(n);
  DeviceBuffer<double> out(n), more(2);
  create<<<3, n / 3>>>(items, arrays);
  readAndDelete<<<3, n / 3>>>(items, arrays, out);
  placement<<<1, 1>>>(more);
  const std::vector<double> result = out.download();
  for (int t = 0; t < n; ++t) {
    const int other = n - 1 - t;
    CHECK_EQ(result[t], 2 * other + 0.75 + other * (other + 1) / 2);
  }
  CHECK_EQ(more.download()[0], 9.5);
  CHECK_EQ(more.download()[1], -2);
  RETURN_RESULT();
}
