// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true
// A WHILE node runs its graph until a kernel there says that it is enough; one in another.
#include "conditional.h"

__global__ void countDown(cudaGraphConditionalHandle handle, int *left) {
  *left -= 1;
  cudaGraphSetConditional(handle, *left > 0);
}
__global__ void refill(cudaGraphConditionalHandle inner, int *left) {
  *left = 3;
  cudaGraphSetConditional(inner, 1);
}

int main() {
  DeviceBuffer<int> outer_left(std::vector<int>{5}), inner_left(1), sum(1);
  cudaGraph_t graph = newGraph();
  cudaGraphConditionalHandle outer = newCondition(graph, 1, cudaGraphCondAssignDefault);
  cudaGraph_t body = addConditional(graph, {}, outer, cudaGraphCondTypeWhile);
  cudaGraphConditionalHandle inner = newCondition(body);
  cudaGraphNode_t fill = addKernel(body, {}, refill, inner, inner_left.data());
  cudaGraph_t inside = addConditional(body, {fill}, inner, cudaGraphCondTypeWhile);
  cudaGraphNode_t add = addKernel(inside, {}, addTo, sum.data(), 1);
  addKernel(inside, {add}, countDown, inner, inner_left.data());
  addKernel(body, {fill}, countDown, outer, outer_left.data());
  Executable exec(graph);
  exec.run();
  CHECK_EQ(sum.download()[0], 15);
  outer_left.upload({2});
  exec.run();
  CHECK_EQ(sum.download()[0], 21);
  RETURN_RESULT();
}
