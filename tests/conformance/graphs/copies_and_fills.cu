// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory nodes: fills with elements of 1, 2 and 4 bytes in rows, copies in one and three
// dimensions, to and from variables.
#include "graphs.h"

__device__ int variable[8];

int main() {
  DeviceBuffer<unsigned> filled(64), copied(64);
  std::vector<unsigned> result(64), from_symbol(8);
  std::vector<int> to_symbol = {1, 2, 3, 4, 5, 6, 7, 8};
  cudaGraph_t graph = newGraph();

  auto fill = [&](const Nodes &before, void *to, unsigned value, unsigned element, size_t width,
                  size_t height, size_t pitch) {
    cudaMemsetParams params = {};
    params.dst = to;
    params.value = value;
    params.elementSize = element;
    params.width = width;
    params.height = height;
    params.pitch = pitch;
    cudaGraphNode_t node = nullptr;
    CHECK_CUDA(cudaGraphAddMemsetNode(&node, graph, before.data(), before.size(), &params));
    cudaMemsetParams told = {};
    CHECK_CUDA(cudaGraphMemsetNodeGetParams(node, &told));
    CHECK_EQ(told.value, value);
    CHECK_EQ(told.elementSize, element);
    CHECK_EQ(told.width, width);
    CHECK_EQ(told.height, height);
    return node;
  };
  cudaGraphNode_t words = fill({}, filled.data(), 0x12345678, 4, 64, 1, 0);
  cudaGraphNode_t halves = fill({words}, filled.data() + 8, 0xabcd, 2, 4, 2, 32);
  cudaGraphNode_t bytes = fill({halves}, filled.data() + 32, 0x5a, 1, 3, 1, 0);

  cudaMemcpy3DParms params = {};
  params.srcPtr = make_cudaPitchedPtr(filled.data(), 32, 32, 8);
  params.dstPtr = make_cudaPitchedPtr(copied.data(), 32, 32, 8);
  params.srcPos = make_cudaPos(0, 1, 0);
  params.extent = make_cudaExtent(16, 4, 1);
  params.kind = cudaMemcpyDeviceToDevice;
  cudaGraphNode_t box = nullptr;
  CHECK_CUDA(cudaGraphAddMemcpyNode(&box, graph, &bytes, 1, &params));
  cudaMemcpy3DParms told = {};
  CHECK_CUDA(cudaGraphMemcpyNodeGetParams(box, &told));
  CHECK_EQ(told.extent.height, size_t(4));
  CHECK_EQ(told.srcPtr.ptr, static_cast<void *>(filled.data()));
  cudaGraphNode_t row =
      addCopy(graph, {box}, result.data(), copied.data(), 256, cudaMemcpyDeviceToHost);
  CHECK_CUDA(cudaGraphMemcpyNodeGetParams(row, &told));
  CHECK_EQ(told.extent.width, size_t(256));
  CHECK_EQ(told.extent.height, size_t(1));
  CHECK_EQ(told.srcPtr.pitch, size_t(0));
  CHECK_EQ(int(told.kind), int(cudaMemcpyDeviceToHost));

  cudaGraphNode_t to = nullptr, from = nullptr;
  CHECK_CUDA(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, variable, to_symbol.data(), 16,
                                            8, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, from_symbol.data(), variable,
                                              32, 0, cudaMemcpyDeviceToHost));
  Executable exec(graph);
  to_symbol[0] = 11; // host memory is read at each launch
  exec.run();
  CHECK_EQ(result[0], 0xabcdabcdu);
  CHECK_EQ(result[1], 0xabcdabcdu);
  CHECK_EQ(result[2], 0x12345678u);
  CHECK_EQ(result[8], 0xabcdabcdu);
  CHECK_EQ(result[16], 0x12345678u);
  CHECK_EQ(result[24], 0x125a5a5au);
  CHECK_EQ(result[4], 0u);
  CHECK_EQ(from_symbol[1], 0u);
  CHECK_EQ(from_symbol[2], 11u);
  CHECK_EQ(from_symbol[5], 4u);
  CHECK_EQ(from_symbol[6], 0u);
  RETURN_RESULT();
}
