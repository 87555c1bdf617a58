// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue for each level, filled from what each thread has found.
#include "problem.h"
#include <algorithm>

/// Puts the neighbours of the queue's vertices that have no level yet into `next`. Returns how
/// many.
static int expand(const bfs::Graph &graph, int *levels, int level, const int *queue, int count,
                  int *next) {
  int next_count = 0;
#pragma omp parallel if (count > 64)
  {
    std::vector<int> found;
#pragma omp for schedule(dynamic, 64) nowait
    for (int i = 0; i < count; ++i) {
      const int v = queue[i];
      for (int k = graph.row_starts[v]; k < graph.row_starts[v + 1]; ++k) {
        const int to = graph.neighbours[k];
        int expected = bfs::unreached;
        if (__atomic_load_n(&levels[to], __ATOMIC_RELAXED) == bfs::unreached &&
            __atomic_compare_exchange_n(&levels[to], &expected, level, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
          found.push_back(to);
      }
    }
    const int size = int(found.size());
    int first;
#pragma omp atomic capture
    {
      first = next_count;
      next_count += size;
    }
    std::copy(found.begin(), found.end(), next + first);
  }
  return next_count;
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const bfs::Problem problem(options);
  const bfs::Graph &graph = problem.graph;
  bench::Buffer<int> levels(graph.vertices);
  std::vector<int> queue(graph.vertices), next(graph.vertices);

  const auto run = [&] {
#pragma omp parallel for simd
    for (std::size_t v = 0; v < graph.vertices; ++v)
      levels[v] = bfs::unreached;
    levels[problem.source] = 0;
    queue[0] = problem.source;
    for (int level = 1, count = 1; count > 0; ++level) {
      count = expand(graph, levels.data(), level, queue.data(), count, next.data());
      queue.swap(next);
    }
  };
  return bench::measure(options, bfs::name, problem.bytes(), problem.flops(), run,
                        [&] { return problem.check(levels); });
}
