// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Beamer's search in two directions. While the last level is small, its vertices look for new ones
// among their neighbours. Once it is large, the vertices not yet reached look for one of it among
// theirs, and stop at the first: most edges are never read, those that are come in order, and no
// atomics are needed. Sets of vertices are bitmaps, small enough for the inner caches.
#include "problem.h"

using std::size_t, std::uint64_t;
using Bitmap = bench::Buffer<uint64_t>;

constexpr size_t bits = 64;
constexpr double smallPart = 0.05; // of the edges that are left: up to here a level is small

static bool contains(const Bitmap &set, size_t v) { return set[v / bits] >> v % bits & 1; }

/// Calls visit(v) for each vertex v of a word of a bitmap.
template <class Visit> static void forEach(uint64_t word, size_t index, Visit &&visit) {
  for (; word != 0; word &= word - 1)
    visit(index * bits + __builtin_ctzll(word));
}

class Search {
public:
  explicit Search(const bfs::Graph &graph_)
      : graph(graph_), words((graph.vertices + bits - 1) / bits), reached(words), last(words),
        next(words) {}

  void run(int source, int *levels) {
#pragma omp parallel for simd
    for (size_t v = 0; v < graph.vertices; ++v)
      levels[v] = bfs::unreached;
    std::fill(reached.begin(), reached.end(), 0);
    std::fill(last.begin(), last.end(), 0);
    levels[source] = 0;
    reached[source / bits] = last[source / bits] = uint64_t(1) << source % bits;
    size_t edges = graph.degree(source), edges_left = graph.neighbours.size() - edges;
    for (int level = 1; edges > 0; ++level) {
      if (double(edges) < smallPart * double(edges_left))
        fromLast(levels, level);
      else
        fromUnreached(levels, level);
      edges = advance();
      edges_left -= edges;
    }
  }

private:
  /// Puts the unreached neighbours of the last level into the next one.
  void fromLast(int *levels, int level) {
#pragma omp parallel for schedule(dynamic, 64)
    for (size_t i = 0; i < words; ++i)
      forEach(last[i], i, [&](size_t v) {
        for (int k = graph.row_starts[v]; k < graph.row_starts[v + 1]; ++k) {
          const size_t to = graph.neighbours[k];
          const uint64_t bit = uint64_t(1) << to % bits;
          if (contains(reached, to) ||
              __atomic_fetch_or(&next[to / bits], bit, __ATOMIC_RELAXED) & bit)
            continue;
          levels[to] = level; // only the thread that set the bit comes here
        }
      });
  }

  /// Puts the unreached vertices that have a neighbour in the last level into the next one.
  void fromUnreached(int *levels, int level) {
#pragma omp parallel for schedule(dynamic, 64)
    for (size_t i = 0; i < words; ++i) {
      uint64_t found = 0;
      forEach(~reached[i], i, [&](size_t v) {
        if (v >= graph.vertices)
          return;
        for (int k = graph.row_starts[v]; k < graph.row_starts[v + 1]; ++k)
          if (contains(last, graph.neighbours[k])) {
            levels[v] = level;
            found |= uint64_t(1) << v % bits;
            break;
          }
      });
      next[i] = found;
    }
  }

  /// Makes the next level the last. Returns how many edges it has.
  size_t advance() {
    size_t edges = 0;
#pragma omp parallel for reduction(+ : edges)
    for (size_t i = 0; i < words; ++i) {
      last[i] = next[i];
      reached[i] |= next[i];
      next[i] = 0;
      forEach(last[i], i, [&](size_t v) { edges += graph.degree(v); });
    }
    return edges;
  }

  const bfs::Graph &graph;
  size_t words;
  Bitmap reached, last, next;
};

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const bfs::Problem problem(options);
  bench::Buffer<int> levels(problem.graph.vertices);
  Search search(problem.graph);
  return bench::measure(
      options, bfs::name, problem.bytes(), problem.flops(),
      [&] { search.run(problem.source, levels.data()); }, [&] { return problem.check(levels); });
}
