// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true
// An IF node with two graphs runs the second if the condition is 0; a SWITCH node the one with the
// condition's number (both from CUDA 12.8 on).
#include "conditional.h"

__global__ void set(cudaGraphConditionalHandle handle, const int *value) {
  cudaGraphSetConditional(handle, *value);
}

const auto switch_type = cudaGraphConditionalNodeType(2); // cudaGraphCondTypeSwitch

std::vector<int> runs(cudaGraphConditionalNodeType type, unsigned size, int value) {
  DeviceBuffer<int> chosen(std::vector<int>{value}), counts(size);
  cudaGraph_t graph = newGraph();
  cudaGraphConditionalHandle handle = newCondition(graph);
  cudaGraphNode_t first = addKernel(graph, {}, set, handle, chosen.data()), node = nullptr;
  cudaGraphNodeParams params = conditionalParams(handle, type);
  params.conditional.size = size;
  CHECK_CUDA(addNode(&node, graph, {first}, &params));
  for (unsigned i = 0; i < size; ++i)
    addKernel(params.conditional.phGraph_out[i], {}, addTo, counts.data() + i, 1);
  Executable exec(graph);
  exec.run();
  return counts.download();
}

int main() {
  CHECK(runs(cudaGraphCondTypeIf, 2, 1) == (std::vector<int>{1, 0}));
  CHECK(runs(cudaGraphCondTypeIf, 2, 0) == (std::vector<int>{0, 1}));
  CHECK(runs(switch_type, 3, 0) == (std::vector<int>{1, 0, 0}));
  CHECK(runs(switch_type, 3, 2) == (std::vector<int>{0, 0, 1}));
  CHECK(runs(switch_type, 3, 3) == (std::vector<int>{0, 0, 0}));
  RETURN_RESULT();
}
