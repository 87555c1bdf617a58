// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breadth-first search in a large graph: how many edges each vertex is away from the first one.
// Loops of very different lengths side by side, and atomics.
#pragma once

#include "common/data.h"
#include "common/measure.h"
#include <vector>

namespace bfs {

constexpr const char *name = "bfs";
constexpr int unreached = -1; // the level of vertices that cannot be reached

/// An undirected graph; the neighbours of v are neighbours[row_starts[v]] up to, but without,
/// neighbours[row_starts[v + 1]].
struct Graph {
  std::size_t vertices;
  bench::Buffer<int> row_starts;
  bench::Buffer<int> neighbours;

  /// A few vertices have thousands of neighbours, most less than 16, as in social networks.
  explicit Graph(int log_vertices, int edges_per_vertex = 8)
      : vertices(std::size_t(1) << log_vertices), row_starts(vertices + 1),
        neighbours(2 * edges_per_vertex * vertices) {
    const std::size_t ends = neighbours.size();
    for (std::size_t i = 0; i < ends; ++i)
      ++row_starts[endOfEdge(i) + 1];
    for (std::size_t v = 0; v < vertices; ++v)
      row_starts[v + 1] += row_starts[v];
    std::vector<int> filled(row_starts.begin(), row_starts.end());
    for (std::size_t i = 0; i < ends; ++i)
      neighbours[filled[endOfEdge(i)]++] = int(endOfEdge(i ^ 1));
  }

  int degree(std::size_t v) const { return row_starts[v + 1] - row_starts[v]; }

private:
  /// The vertex at end i; ends 2 e and 2 e + 1 belong to edge e. Squares of random numbers are more
  /// often small than large; the product scatters the frequent ones over all vertices.
  std::size_t endOfEdge(std::size_t i) const {
    const double random = bench::randomBits(i) * 0x1p-32;
    return std::size_t(random * random * double(vertices)) * 0x9E3779B1u % vertices;
  }
};

struct Problem {
  Graph graph;
  int source = 0; // a vertex with few neighbours

  explicit Problem(const bench::Options &options) : graph(options.small ? 13 : 17) {
    while (graph.degree(source) != 8)
      ++source;
  }

  double bytes() const {
    return sizeof(int) * double(graph.neighbours.size() + 2 * graph.vertices);
  }
  double flops() const { return 0; }

  std::string check(const bench::Buffer<int> &levels) const {
    std::vector<int> expected(graph.vertices, unreached), queue{source};
    expected[source] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (int k = graph.row_starts[queue[i]]; k < graph.row_starts[queue[i] + 1]; ++k)
        if (const int to = graph.neighbours[k]; expected[to] == unreached) {
          expected[to] = expected[queue[i]] + 1;
          queue.push_back(to);
        }
    for (std::size_t v = 0; v < graph.vertices; ++v)
      if (levels[v] != expected[v])
        return bench::wrong("the level of vertex " + std::to_string(v), levels[v], expected[v]);
    return "";
  }
};

} // namespace bfs
