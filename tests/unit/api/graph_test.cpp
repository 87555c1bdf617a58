// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of random form: what comes before what.
#include "program.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <random>
#include <vector>

using namespace program;
using namespace heddle;

namespace {

using Nodes = std::vector<cudaGraphNode_t>;

/// The kernel `store` notes its second argument.
class GraphTest : public program::Test {
protected:
  void SetUp() override {
    program::Test::SetUp();
    fake::define("store", [this](const engine::Launch &launch) -> std::optional<engine::Fault> {
      std::lock_guard lock(mutex);
      log.push_back(fake::parameter<int>(launch, 1));
      return std::nullopt;
    });
  }

  static cudaGraphNode_t add(cudaGraph_t graph, int number, const Nodes &before) {
    int *address = nullptr;
    void *arguments[] = {&address, &number};
    cudaKernelNodeParams params = {};
    params.func = &store;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, before.data(), before.size(), &params),
              cudaSuccess);
    return node;
  }

  /// Launches the graph; where in the order each number came.
  std::vector<size_t> places(cudaGraph_t graph, int count) {
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    log.clear();
    EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    EXPECT_EQ(log.size(), size_t(count));
    std::vector<size_t> places(count);
    for (size_t i = 0; i < log.size(); ++i)
      places[log[i]] = i;
    return places;
  }

  std::mutex mutex;
  std::vector<int> log;
  std::mt19937 random{1};
  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random); }
};

TEST_F(GraphTest, RunsNodesBehindThoseTheyDependOn) {
  for (int round = 0; round < 100; ++round) {
    const int count = 1 + below(30);
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    Nodes nodes;
    for (int i = 0; i < count; ++i)
      nodes.push_back(add(graph, i, {}));
    std::vector<int> rank(count);
    for (int i = 0; i < count; ++i)
      rank[i] = i;
    std::shuffle(rank.begin(), rank.end(), random);
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i < 2 * count; ++i) {
      int a = below(count), b = below(count);
      if (rank[a] >= rank[b] || std::count(edges.begin(), edges.end(), std::pair(a, b)))
        continue;
      ASSERT_EQ(cudaGraphAddDependencies(graph, &nodes[a], &nodes[b], 1), cudaSuccess);
      edges.push_back({a, b});
    }
    std::vector<size_t> place = places(graph, count);
    for (auto [a, b] : edges)
      EXPECT_LT(place[a], place[b]);
    cudaGraph_t clone = nullptr;
    ASSERT_EQ(cudaGraphClone(&clone, graph), cudaSuccess);
    EXPECT_EQ(places(clone, count), place);
    EXPECT_EQ(cudaGraphDestroy(clone), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  }
}

TEST_F(GraphTest, FindsANodeOfACycle) {
  for (int length = 2; length < 12; ++length) {
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    Nodes ring, others;
    for (int i = 0; i < length; ++i)
      ring.push_back(add(graph, i, ring.empty() ? Nodes{} : Nodes{ring.back()}));
    others.push_back(add(graph, 0, {}));
    others.push_back(add(graph, 0, {ring[length / 2], others[0]}));
    others.push_back(add(graph, 0, {others[1]}));
    ASSERT_EQ(cudaGraphAddDependencies(graph, &ring.back(), &ring.front(), 1), cudaSuccess);
    cudaGraphExec_t exec = nullptr;
    cudaGraphInstantiateParams params = {};
    EXPECT_EQ(cudaGraphInstantiateWithParams(&exec, graph, &params), cudaErrorInvalidValue);
    EXPECT_EQ(params.result_out, cudaGraphInstantiateInvalidStructure);
    EXPECT_TRUE(std::count(ring.begin(), ring.end(), params.errNode_out));
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  }
}

// Random launches, forks and joins among streams; the model notes for each launch which it must
// come behind.
TEST_F(GraphTest, CapturesTheOrderOfStreams) {
  constexpr int streams = 4;
  cudaStream_t stream[streams];
  for (cudaStream_t &s : stream)
    ASSERT_EQ(cudaStreamCreate(&s), cudaSuccess);
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::vector<int>> before; // of each launch: launches, directly
    std::vector<int> ends[streams];
    auto wait = [&](int from, int to) {
      ASSERT_EQ(cudaEventRecord(event, stream[from]), cudaSuccess);
      ASSERT_EQ(cudaStreamWaitEvent(stream[to], event, 0), cudaSuccess);
      ends[to].insert(ends[to].end(), ends[from].begin(), ends[from].end());
    };
    ASSERT_EQ(cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeGlobal), cudaSuccess);
    for (int i = 1; i < streams; ++i)
      wait(0, i);
    for (int i = 0; i < 40; ++i) {
      int a = below(streams), b = below(streams);
      if (a != b && below(2)) {
        wait(a, b);
      } else {
        ASSERT_EQ(launchStore(nullptr, int(before.size()), stream[a]), cudaSuccess);
        before.push_back(ends[a]);
        ends[a] = {int(before.size()) - 1};
      }
    }
    for (int i = 1; i < streams; ++i)
      wait(i, 0);
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream[0], &graph), cudaSuccess);
    std::vector<size_t> place = places(graph, int(before.size()));
    for (size_t i = 0; i < before.size(); ++i)
      for (int earlier : before[i])
        EXPECT_LT(place[earlier], place[i]);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  }
}

TEST_F(GraphTest, LaunchesOfOneExecutableDoNotOverlap) {
  std::atomic<int> running = 0, most = 0;
  fake::define("store", [&](const engine::Launch &) -> std::optional<engine::Fault> {
    most = std::max(most.load(), ++running);
    for (int i = 0; i < 1000; ++i)
      asm volatile("");
    --running;
    return std::nullopt;
  });
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  add(graph, 0, {});
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  cudaStream_t stream[3];
  for (cudaStream_t &s : stream)
    ASSERT_EQ(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), cudaSuccess);
  for (int i = 0; i < 300; ++i)
    ASSERT_EQ(cudaGraphLaunch(exec, stream[i % 3]), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(most, 1);
}

} // namespace
