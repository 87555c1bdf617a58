// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes, roots, edges, dependencies, types: what a graph tells of itself, also to arrays that are
// too small or too large.
#include "graphs.h"

int main() {
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t a = addEmpty(graph), b = addEmpty(graph, {a}), c = addEmpty(graph, {a, b});
  CHECK(nodesOf(graph) == (Nodes{a, b, c}));
  CHECK_EQ(edgesOf(graph).size(), size_t(6));
  CHECK(dependenciesOf(c) == (Nodes{a, b}));
  CHECK_EQ(int(typeOf(a)), int(cudaGraphNodeTypeEmpty));
  size_t count = 0;
  CHECK_CUDA(cudaGraphGetRootNodes(graph, nullptr, &count));
  CHECK_EQ(count, size_t(1));

  cudaGraphNode_t some[5] = {c, c, c, c, c};
  count = 2;
  CHECK_CUDA(cudaGraphGetNodes(graph, some, &count));
  CHECK_EQ(count, size_t(2));
  CHECK(some[0] == a && some[1] == b && some[2] == c);
  count = 5;
  CHECK_CUDA(cudaGraphGetNodes(graph, some, &count));
  CHECK_EQ(count, size_t(3));
  CHECK(some[2] == c && some[3] == nullptr && some[4] == nullptr);

  CHECK_EQ(removeEdge(graph, a, c), cudaSuccess);
  CHECK(dependenciesOf(c) == (Nodes{b}));
  CHECK_EQ(taken(removeEdge(graph, a, c)), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphDestroyNode(b));
  CHECK(nodesOf(graph) == (Nodes{a, c}));
  CHECK_EQ(edgesOf(graph).size(), size_t(0));
  CHECK_CUDA(cudaGraphDestroy(graph));
  RETURN_RESULT();
}
