// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch for each level. A thread takes a vertex of the last level, and puts those of its
// neighbours that it is the first to reach into the next level's queue.
#include "common/cuda.h"
#include "problem.h"
#include <utility>

__global__ void begin(int *levels, int *queue, int source, int vertices) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < vertices)
    levels[v] = v == source ? 0 : bfs::unreached;
  if (v == 0)
    queue[0] = source;
}

__global__ void expand(int *levels, int *next, int *next_count, const int *queue, int count,
                       const int *row_starts, const int *neighbours, int level) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const int v = queue[i];
  for (int k = row_starts[v]; k < row_starts[v + 1]; ++k) {
    const int to = neighbours[k];
    if (levels[to] == bfs::unreached &&
        atomicCAS(&levels[to], bfs::unreached, level) == bfs::unreached)
      next[atomicAdd(next_count, 1)] = to;
  }
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const bfs::Problem problem(options);
  const int vertices = int(problem.graph.vertices);
  const int *row_starts = bench::toDevice(problem.graph.row_starts);
  const int *neighbours = bench::toDevice(problem.graph.neighbours);
  int *levels = bench::onDevice<int>(vertices), *next_count = bench::onDevice<int>(1);
  int *queue = bench::onDevice<int>(vertices), *next = bench::onDevice<int>(vertices);

  const auto run = [&] {
    begin<<<(vertices + 255) / 256, 256>>>(levels, queue, problem.source, vertices);
    int count = 1;
    for (int level = 1; count > 0; ++level) {
      CHECK(cudaMemset(next_count, 0, sizeof(int)));
      expand<<<(count + 255) / 256, 256>>>(levels, next, next_count, queue, count, row_starts,
                                           neighbours, level);
      CHECK(cudaMemcpy(&count, next_count, sizeof(int), cudaMemcpyDeviceToHost));
      std::swap(queue, next);
    }
    bench::finish();
  };
  return bench::measure(options, bfs::name, problem.bytes(), problem.flops(), run,
                        [&] { return problem.check(bench::toHost(levels, vertices)); });
}
