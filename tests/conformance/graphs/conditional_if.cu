// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true
// An IF node runs its graph if a kernel before it has set the condition, or if that is the default.
#include "conditional.h"

__global__ void decide(cudaGraphConditionalHandle handle, const int *value) {
  cudaGraphSetConditional(handle, *value > 10);
}

int main() {
  DeviceBuffer<int> value(1), sum(1);
  cudaGraph_t graph = newGraph();
  cudaGraphConditionalHandle handle = newCondition(graph);
  cudaGraphNode_t first = addKernel(graph, {}, decide, handle, value.data());
  cudaGraph_t body = addConditional(graph, {first}, handle, cudaGraphCondTypeIf);
  addKernel(body, {}, addTo, sum.data(), 1);
  Executable exec(graph);
  exec.run();
  CHECK_EQ(sum.download()[0], 0);
  value.upload({11});
  exec.run();
  exec.run();
  CHECK_EQ(sum.download()[0], 2);
  value.upload({3});
  exec.run();
  CHECK_EQ(sum.download()[0], 2);

  // A default counts only with the flag.
  for (unsigned flags : {0u, unsigned(cudaGraphCondAssignDefault)}) {
    DeviceBuffer<int> runs(1);
    cudaGraph_t other = newGraph();
    cudaGraph_t inner =
        addConditional(other, {}, newCondition(other, 1, flags), cudaGraphCondTypeIf);
    addKernel(inner, {}, addTo, runs.data(), 1);
    Executable with(other);
    with.run();
    CHECK_EQ(runs.download()[0], int(flags));
  }
  RETURN_RESULT();
}
