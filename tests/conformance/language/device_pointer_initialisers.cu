// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device pointers initialised statically with the addresses of other device variables, array
// elements and strings.
#include "check.h"

struct Node {
  int value;
  Node *next;
};

__device__ int target = 42;
__device__ int array[4] = {1, 2, 3, 4};
__device__ int *toTarget = &target;
__device__ int *toElement = &array[2];
__device__ int *pointers[2] = {array + 1, &target};
__device__ const char *const words[3] = {"one", "three", "eleven"};
__device__ Node last = {30, nullptr};
__device__ Node middle = {20, &last};
__device__ Node first = {10, &middle};

__global__ void follow(int *out) {
  out[0] = *toTarget;
  out[1] = *toElement + toElement[1];
  *pointers[1] += *pointers[0];
  out[2] = target;
  int sum = 0;
  for (const Node *node = &first; node; node = node->next)
    sum += node->value;
  out[3] = sum;
  for (int i = 0; i < 3; ++i) {
    int length = 0;
    while (words[i][length])
      ++length;
    out[4 + i] = length;
  }
}

int main() {
  DeviceBuffer<int> out(7);
  follow<<<1, 1>>>(out);
  const int expected[7] = {42, 7, 44, 60, 3, 5, 6};
  const std::vector<int> result = out.download();
  for (int i = 0; i < 7; ++i)
    CHECK_EQ(result[i], expected[i]);
  RETURN_RESULT();
}
