// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// A kernel of a graph launches kernels and graphs, into tails and elsewhere, in every order of
// three: each runs once, and what goes into a tail runs behind what that tail waits for.
#include "device_launch.h"
#include <algorithm>
#include <memory>

enum Kind {
  tail_graph,
  fired_graph,
  sibling_graph,
  tail_kernel,
  fired_kernel,
  block_kernel,
  kinds
};
constexpr int launches = 3, orders = kinds * kinds * kinds, rounds = 50;
constexpr int begin = 90, next = 91;

// What a launch notes: its place among the three, and its kind.
__host__ __device__ constexpr int noteOf(int place, int kind) { return 10 * place + kind; }

struct Graphs {
  cudaGraphExec_t of[launches][3]; // by place and kind
};

__global__ void launchAll(Graphs graphs, Log *log, int order, cudaError_t *errors) {
  note(log, begin);
  for (int i = 0; i < launches; ++i, order /= kinds) {
    const int kind = order % kinds, what = noteOf(i, kind);
    errors[i] = cudaSuccess;
    if (kind == tail_graph)
      errors[i] = cudaGraphLaunch(graphs.of[i][kind], cudaStreamGraphTailLaunch);
    else if (kind == fired_graph)
      errors[i] = cudaGraphLaunch(graphs.of[i][kind], cudaStreamGraphFireAndForget);
    else if (kind == sibling_graph)
      errors[i] = cudaGraphLaunch(graphs.of[i][kind], cudaStreamGraphFireAndForgetAsSibling);
    else if (kind == tail_kernel)
      noteKernel<<<1, 1, 0, cudaStreamTailLaunch>>>(log, what);
    else if (kind == fired_kernel)
      noteKernel<<<1, 1, 0, cudaStreamFireAndForget>>>(log, what);
    else
      noteKernel<<<1, 1>>>(log, what);
    if (!errors[i])
      errors[i] = cudaGetLastError();
  }
}

int placeOf(const Log &log, int what) {
  for (int i = 0; i < log.count; ++i)
    if (log.entries[i] == what)
      return i;
  return -1;
}

void checkOrder(const Log &log, int order) {
  CHECK_EQ(log.count, launches + 2);
  CHECK_EQ(log.entries[0], begin);
  std::vector<int> places[kinds];
  for (int i = 0; i < launches; ++i, order /= kinds) {
    const int kind = order % kinds;
    places[kind].push_back(placeOf(log, noteOf(i, kind)));
    CHECK(places[kind].back() > 0);
  }
  // Tails run in the order of their launches, behind all that they wait for.
  CHECK(std::is_sorted(places[tail_graph].begin(), places[tail_graph].end()));
  CHECK(std::is_sorted(places[tail_kernel].begin(), places[tail_kernel].end()));
  CHECK(std::is_sorted(places[block_kernel].begin(), places[block_kernel].end()));
  const int behind = placeOf(log, next); // the node behind
  for (int kind : {fired_kernel, block_kernel})
    for (int place : places[kind])
      CHECK(place < behind && (places[tail_kernel].empty() || place < places[tail_kernel].front()));
  for (int place : places[tail_kernel])
    CHECK(place < behind);
  for (int place : places[tail_graph])
    CHECK(place > behind);
  for (int place : places[fired_graph])
    CHECK(places[tail_graph].empty() || place < places[tail_graph].front());
}

int main() {
  DeviceBuffer<Log> log(1);
  DeviceBuffer<cudaError_t> errors(launches);
  std::vector<std::unique_ptr<Launchable>> made;
  Graphs graphs;
  for (int i = 0; i < launches; ++i)
    for (int kind = 0; kind < 3; ++kind) {
      made.push_back(std::make_unique<Launchable>(noteGraph(log, noteOf(i, kind))));
      graphs.of[i][kind] = *made.back();
    }
  for (int order = 0; order < orders; ++order) {
    cudaGraph_t graph = newGraph();
    cudaGraphNode_t first =
        addKernel(graph, {}, launchAll, graphs, log.data(), order, errors.data());
    addKernel(graph, {first}, noteKernel, log.data(), next);
    Executable executable(graph);
    for (int round = 0; round < rounds; ++round) {
      CHECK_CUDA(cudaMemset(log, 0, sizeof(Log)));
      executable.run();
      for (cudaError_t error : errors.download())
        CHECK_EQ(error, cudaSuccess);
      checkOrder(log.download()[0], order);
    }
    CHECK_CUDA(cudaGraphDestroy(graph));
  }
  RETURN_RESULT();
}
