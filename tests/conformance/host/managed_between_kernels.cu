// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Managed memory used in turn by kernels and the host: a linked list built by the host, changed by
// a kernel, extended by the host and summed by a kernel.
#include "check.h"

struct Node {
  int value;
  Node *next;
};

__global__ void doubleAll(Node *list) {
  for (Node *node = list; node; node = node->next)
    node->value *= 2;
}

__global__ void sum(const Node *list, int *out) {
  int total = 0;
  for (const Node *node = list; node; node = node->next)
    total += node->value;
  *out = total;
}

static Node *push(Node *list, int value) {
  Node *node;
  CHECK_CUDA(cudaMallocManaged(&node, sizeof(Node)));
  node->value = value;
  node->next = list;
  return node;
}

int main() {
  int *total;
  CHECK_CUDA(cudaMallocManaged(&total, sizeof(int), cudaMemAttachGlobal));
  Node *list = nullptr;
  for (int i = 1; i <= 100; ++i)
    list = push(list, i);
  doubleAll<<<1, 1>>>(list);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(list->value, 200);
  list->value += 1;
  list = push(list, 7);
  sum<<<1, 1>>>(list, total);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*total, 5050 * 2 + 1 + 7);
  // Managed memory may also be copied and set.
  CHECK_CUDA(cudaMemset(total, 0xff, sizeof(int)));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*total, -1);
  while (list) {
    Node *next = list->next;
    CHECK_CUDA(cudaFree(list));
    list = next;
  }
  CHECK_CUDA(cudaFree(total));
  RETURN_RESULT();
}
