// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A greedy colouring in which each vertex waits for its neighbours of higher priority, in whatever
// block they are: blocks wait for each other in both directions, and most of them all the time. As
// many blocks as a GPU holds go over all vertices until each has its colour.
#include "check.h"

#include <algorithm>

constexpr int vertices = 20000, degree = 8, blocks = 40, threads = 512;

__host__ __device__ unsigned priority(unsigned v) {
  v = ((v >> 16) ^ v) * 0x45d9f3bu;
  v = ((v >> 16) ^ v) * 0x45d9f3bu;
  return (v >> 16) ^ v;
}

__host__ __device__ bool isBefore(unsigned u, unsigned v) {
  return priority(u) > priority(v) || (priority(u) == priority(v) && u > v);
}

__host__ __device__ int lowestUnused(unsigned long long used) {
  int colour = 0;
  while (used >> colour & 1)
    ++colour;
  return colour;
}

__global__ void colour(const int *first, const int *neighbours, volatile int *colours) {
  const int all = gridDim.x * blockDim.x;
  bool again;
  do {
    again = false;
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < vertices; v += all) {
      if (colours[v] >= 0)
        continue;
      unsigned long long used = 0;
      bool waits = false;
      for (int i = first[v]; i < first[v + 1]; ++i) {
        if (!isBefore(neighbours[i], v))
          continue;
        const int theirs = colours[neighbours[i]];
        if (theirs < 0) {
          waits = true;
          break;
        }
        used |= 1ull << theirs;
      }
      if (waits)
        again = true;
      else
        colours[v] = lowestUnused(used);
    }
  } while (again);
}

int main() {
  std::vector<std::vector<int>> graph(vertices);
  unsigned random = 1;
  for (int v = 0; v < vertices; ++v)
    for (int i = 0; i < degree / 2; ++i) {
      random = random * 1664525u + 1013904223u;
      const int u = int((random >> 8) % vertices);
      if (u == v)
        continue;
      graph[v].push_back(u);
      graph[u].push_back(v);
    }
  std::vector<int> first = {0}, neighbours;
  for (const std::vector<int> &of_vertex : graph) {
    neighbours.insert(neighbours.end(), of_vertex.begin(), of_vertex.end());
    first.push_back(int(neighbours.size()));
  }
  DeviceBuffer<int> device_first(first), device_neighbours(neighbours),
      colours(std::vector<int>(vertices, -1));
  colour<<<blocks, threads>>>(device_first, device_neighbours, colours);
  const std::vector<int> got = colours.download();

  // In order of priority the host finds the same colours.
  std::vector<unsigned> order(vertices);
  for (unsigned v = 0; v < vertices; ++v)
    order[v] = v;
  std::sort(order.begin(), order.end(), isBefore);
  std::vector<int> expected(vertices, -1);
  for (unsigned v : order) {
    unsigned long long used = 0;
    for (int u : graph[v])
      if (expected[u] >= 0)
        used |= 1ull << expected[u];
    expected[v] = lowestUnused(used);
  }
  for (int v = 0; v < vertices; ++v)
    CHECK_EQ(got[v], expected[v]);
  RETURN_RESULT();
}
