// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMallocManaged: a linked structure built by the host is walked and changed by the device
// through the same pointers.
#include "check.h"

struct Node {
  int value;
  Node *next;
};

__global__ void doubleAll(Node *list) {
  for (Node *node = list; node; node = node->next)
    node->value *= 2;
}

int main() {
  Node *list = nullptr;
  for (int i = 0; i < 10; ++i) {
    Node *node = nullptr;
    CHECK_CUDA(cudaMallocManaged(&node, sizeof(Node)));
    *node = Node{i, list};
    list = node;
  }
  doubleAll<<<1, 1>>>(list);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 9; i >= 0; --i) {
    CHECK_EQ(list->value, 2 * i);
    Node *next = list->next;
    CHECK_CUDA(cudaFree(list));
    list = next;
  }
  CHECK(list == nullptr);
  RETURN_RESULT();
}
