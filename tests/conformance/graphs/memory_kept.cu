// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a graph does not free is the program's to free, in a stream, at once or in another graph;
// until then the graph cannot be launched again, unless it frees it itself first.
#include "memory.h"

int main() {
  Stream stream;
  int value = 0;
  cudaGraph_t graph = newGraph();
  Allocated memory = addAllocation(graph, {}, 4096);
  addKernel(graph, {memory.node}, appendDigit, reinterpret_cast<long long *>(memory.pointer), 0);
  cudaMemsetParams params = {};
  params.dst = memory.pointer;
  params.value = 42;
  params.elementSize = 4;
  params.width = 16;
  params.height = 1;
  cudaGraphNode_t fill = nullptr;
  Nodes before = {nodesOf(graph)[1]};
  CHECK_CUDA(cudaGraphAddMemsetNode(&fill, graph, before.data(), 1, &params));
  cudaGraph_t freeing = newGraph();
  addFree(freeing, {}, memory.pointer);
  {
    Executable exec(graph), frees(freeing);
    auto look = [&] {
      value = 0;
      CHECK_CUDA(cudaMemcpyAsync(&value, memory.pointer + 3, 4, cudaMemcpyDeviceToHost, stream));
      CHECK_CUDA(cudaStreamSynchronize(stream));
      return value;
    };
    CHECK_EQ(taken(cudaGraphLaunch(frees, stream)), cudaErrorInvalidValue);
    exec.run(stream);
    CHECK_EQ(look(), 42);
    CHECK_EQ(taken(cudaGraphLaunch(exec, stream)), cudaErrorInvalidValue);
    CHECK_CUDA(cudaFreeAsync(memory.pointer, stream));
    exec.run(stream);
    CHECK_EQ(look(), 42);
    CHECK_CUDA(cudaFree(memory.pointer));
    exec.run(stream);
    CHECK_EQ(look(), 42);
    CHECK_CUDA(cudaGraphLaunch(frees, stream));
    exec.run(stream);
    CHECK_EQ(look(), 42);
    frees.run(stream);
  }
  {
    Executable automatic(graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
    for (int i = 0; i < 3; ++i)
      CHECK_CUDA(cudaGraphLaunch(automatic, stream));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    CHECK_CUDA(cudaFreeAsync(memory.pointer, stream));
  }
  CHECK_CUDA(cudaStreamSynchronize(stream));
  RETURN_RESULT();
}
