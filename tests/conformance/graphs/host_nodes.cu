// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host functions run in their place, each launch.
#include "graphs.h"

struct State {
  int *device = nullptr;
  int seen = 0, calls = 0;
};

void look(void *data) {
  State &state = *static_cast<State *>(data);
  state.calls += 1 + state.seen;
}

int main() {
  State state;
  DeviceBuffer<int> sum(1);
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t add = addKernel(graph, {}, addTo, sum.data(), 5);
  cudaGraphNode_t copy = addCopy(graph, {add}, &state.seen, sum.data(), sizeof(int));
  cudaGraphNode_t host = addHost(graph, {copy}, look, &state);
  addKernel(graph, {host}, addTo, sum.data(), 100);
  cudaHostNodeParams told = {};
  CHECK_CUDA(cudaGraphHostNodeGetParams(host, &told));
  CHECK(told.fn == look);
  CHECK(told.userData == &state);
  Executable exec(graph);
  exec.run();
  CHECK_EQ(state.calls, 6);
  exec.run();
  CHECK_EQ(state.calls, 6 + 1 + 110);
  CHECK_EQ(sum.download()[0], 210);
  RETURN_RESULT();
}
