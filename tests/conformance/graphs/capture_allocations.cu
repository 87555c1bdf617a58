// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMallocAsync and cudaFreeAsync in a capture are nodes; memory from outside cannot be freed
// there.
#include "memory.h"

int main() {
  Stream stream;
  DeviceBuffer<int> outside(4), sum(1);
  int *memory = nullptr;
  beginCapture(stream);
  CHECK_CUDA(cudaMallocAsync(reinterpret_cast<void **>(&memory), 1000, stream));
  CHECK_CUDA(cudaMemsetAsync(memory, 0, 1000, stream));
  addTo<<<1, 1, 0, stream>>>(memory, 5);
  CHECK_CUDA(cudaMemcpyAsync(sum, memory, 4, cudaMemcpyDeviceToDevice, stream));
  CHECK_CUDA(cudaFreeAsync(memory, stream));
  CHECK_EQ(taken(cudaFreeAsync(outside, stream)), cudaErrorInvalidValue);
  cudaGraph_t graph = endCapture(stream);
  Nodes nodes = nodesOf(graph);
  CHECK_EQ(nodes.size(), size_t(5));
  CHECK_EQ(int(typeOf(nodes[0])), int(cudaGraphNodeTypeMemAlloc));
  CHECK_EQ(int(typeOf(nodes[4])), int(cudaGraphNodeTypeMemFree));
  Executable exec(graph);
  exec.run(stream);
  exec.run(stream);
  CHECK_EQ(sum.download()[0], 5);
  RETURN_RESULT();
}
