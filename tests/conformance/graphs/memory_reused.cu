// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations that follow each other in a graph share addresses, graphs that follow each other
// share memory; trimming gives it back once it is free.
#include "memory.h"

int main() {
  const size_t bytes = size_t(8) << 20;
  Stream stream;
  CHECK_CUDA(cudaDeviceGraphMemTrim(0));
  CHECK_EQ(memoryAttribute(cudaGraphMemAttrReservedMemCurrent), 0ull);
  cudaGraph_t graph = newGraph();
  Allocated a = addAllocation(graph, {}, bytes);
  cudaGraphNode_t a_free = addFree(graph, {a.node}, a.pointer);
  Allocated b = addAllocation(graph, {a_free}, bytes);
  CHECK(b.pointer == a.pointer);
  Allocated c = addAllocation(graph, {}, bytes); // while a and b live
  CHECK(c.pointer != a.pointer);
  addFree(graph, {b.node}, b.pointer);
  addFree(graph, {c.node}, c.pointer);
  cudaGraph_t other = newGraph();
  Allocated d = addAllocation(other, {}, bytes);
  CHECK(d.pointer != a.pointer && d.pointer != c.pointer);
  addKernel(other, {d.node}, addTo, d.pointer, 1);
  addFree(other, {nodesOf(other)[1]}, d.pointer);
  {
    Executable exec(graph), next(other);
    CHECK_EQ(memoryAttribute(cudaGraphMemAttrReservedMemCurrent), 0ull);
    exec.run(stream);
    const unsigned long long reserved = memoryAttribute(cudaGraphMemAttrReservedMemCurrent);
    CHECK(reserved >= 2 * bytes);
    CHECK_EQ(memoryAttribute(cudaGraphMemAttrUsedMemCurrent), reserved); // until trimmed
    CHECK(memoryAttribute(cudaGraphMemAttrUsedMemHigh) >= 2 * bytes);
    next.run(stream);
    exec.run(stream);
    CHECK_EQ(memoryAttribute(cudaGraphMemAttrReservedMemCurrent), reserved);
    CHECK_CUDA(cudaDeviceGraphMemTrim(0));
    CHECK_EQ(memoryAttribute(cudaGraphMemAttrReservedMemCurrent), 0ull);
    exec.run(stream);
    next.run(stream);
  }
  unsigned long long zero = 0;
  CHECK_CUDA(cudaDeviceGraphMemTrim(0));
  CHECK_CUDA(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero));
  CHECK_EQ(memoryAttribute(cudaGraphMemAttrReservedMemHigh), 0ull);
  RETURN_RESULT();
}
