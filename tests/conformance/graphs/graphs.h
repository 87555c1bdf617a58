// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building and running graphs in few lines. Some functions took other arguments before CUDA 13:
// addEdge and others hide that.
#pragma once

#include "check.h"
#include "stream.h"

#include <tuple>

using Nodes = std::vector<cudaGraphNode_t>;

/// *digits gets another decimal digit: shows the order of kernels that run one after another.
__global__ void appendDigit(long long *digits, int digit) { *digits = *digits * 10 + digit; }
__global__ void addTo(int *sum, int value) { atomicAdd(sum, value); }

inline cudaGraph_t newGraph() {
  cudaGraph_t graph = nullptr;
  CHECK_CUDA(cudaGraphCreate(&graph, 0));
  return graph;
}

template <class... Parameters>
cudaKernelNodeParams kernelParams(void (*kernel)(Parameters...), void **arguments, dim3 grid = 1,
                                  dim3 block = 1) {
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void *>(kernel);
  params.gridDim = grid;
  params.blockDim = block;
  params.kernelParams = arguments;
  return params;
}

/// A node that launches one thread.
template <class... Parameters, class... Arguments>
cudaGraphNode_t addKernel(cudaGraph_t graph, const Nodes &before, void (*kernel)(Parameters...),
                          Arguments... arguments) {
  std::tuple<Parameters...> converted(arguments...);
  return std::apply(
      [&](auto &...values) {
        void *addresses[] = {&values..., nullptr};
        cudaKernelNodeParams params = kernelParams(kernel, addresses);
        cudaGraphNode_t node = nullptr;
        CHECK_CUDA(cudaGraphAddKernelNode(&node, graph, before.data(), before.size(), &params));
        return node;
      },
      converted);
}

inline cudaGraphNode_t addEmpty(cudaGraph_t graph, const Nodes &before = {}) {
  cudaGraphNode_t node = nullptr;
  CHECK_CUDA(cudaGraphAddEmptyNode(&node, graph, before.data(), before.size()));
  return node;
}

inline cudaGraphNode_t addCopy(cudaGraph_t graph, const Nodes &before, void *to, const void *from,
                               size_t bytes, cudaMemcpyKind kind = cudaMemcpyDefault) {
  cudaGraphNode_t node = nullptr;
  CHECK_CUDA(
      cudaGraphAddMemcpyNode1D(&node, graph, before.data(), before.size(), to, from, bytes, kind));
  return node;
}

inline cudaGraphNode_t addChild(cudaGraph_t graph, const Nodes &before, cudaGraph_t child) {
  cudaGraphNode_t node = nullptr;
  CHECK_CUDA(cudaGraphAddChildGraphNode(&node, graph, before.data(), before.size(), child));
  return node;
}

inline cudaGraphNode_t addHost(cudaGraph_t graph, const Nodes &before, cudaHostFn_t function,
                               void *data) {
  cudaHostNodeParams params = {};
  params.fn = function;
  params.userData = data;
  cudaGraphNode_t node = nullptr;
  CHECK_CUDA(cudaGraphAddHostNode(&node, graph, before.data(), before.size(), &params));
  return node;
}

inline cudaError_t addEdge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
#if CUDART_VERSION >= 13000
  return cudaGraphAddDependencies(graph, &from, &to, nullptr, 1);
#else
  return cudaGraphAddDependencies(graph, &from, &to, 1);
#endif
}

inline cudaError_t removeEdge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
#if CUDART_VERSION >= 13000
  return cudaGraphRemoveDependencies(graph, &from, &to, nullptr, 1);
#else
  return cudaGraphRemoveDependencies(graph, &from, &to, 1);
#endif
}

inline cudaError_t addNode(cudaGraphNode_t *node, cudaGraph_t graph, const Nodes &before,
                           cudaGraphNodeParams *params) {
#if CUDART_VERSION >= 13000
  return cudaGraphAddNode(node, graph, before.data(), nullptr, before.size(), params);
#else
  return cudaGraphAddNode(node, graph, before.data(), before.size(), params);
#endif
}

inline Nodes nodesOf(cudaGraph_t graph) {
  size_t count = 0;
  CHECK_CUDA(cudaGraphGetNodes(graph, nullptr, &count));
  Nodes nodes(count);
  if (count)
    CHECK_CUDA(cudaGraphGetNodes(graph, nodes.data(), &count));
  return nodes;
}

/// The edges, as pairs one behind the other.
inline Nodes edgesOf(cudaGraph_t graph) {
  size_t count = 0;
#if CUDART_VERSION >= 13000
  CHECK_CUDA(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
#else
  CHECK_CUDA(cudaGraphGetEdges(graph, nullptr, nullptr, &count));
#endif
  Nodes from(count), to(count), all;
  if (count) {
#if CUDART_VERSION >= 13000
    CHECK_CUDA(cudaGraphGetEdges(graph, from.data(), to.data(), nullptr, &count));
#else
    CHECK_CUDA(cudaGraphGetEdges(graph, from.data(), to.data(), &count));
#endif
  }
  for (size_t i = 0; i < count; ++i) {
    all.push_back(from[i]);
    all.push_back(to[i]);
  }
  return all;
}

inline Nodes dependenciesOf(cudaGraphNode_t node) {
  size_t count = 0;
#if CUDART_VERSION >= 13000
  CHECK_CUDA(cudaGraphNodeGetDependencies(node, nullptr, nullptr, &count));
#else
  CHECK_CUDA(cudaGraphNodeGetDependencies(node, nullptr, &count));
#endif
  Nodes nodes(count);
  if (count) {
#if CUDART_VERSION >= 13000
    CHECK_CUDA(cudaGraphNodeGetDependencies(node, nodes.data(), nullptr, &count));
#else
    CHECK_CUDA(cudaGraphNodeGetDependencies(node, nodes.data(), &count));
#endif
  }
  return nodes;
}

inline cudaGraphNodeType typeOf(cudaGraphNode_t node) {
  cudaGraphNodeType type = cudaGraphNodeTypeCount;
  CHECK_CUDA(cudaGraphNodeGetType(node, &type));
  return type;
}

/// An executable that ends itself.
class Executable {
public:
  explicit Executable(cudaGraph_t graph, unsigned long long flags = 0) {
    CHECK_CUDA(cudaGraphInstantiate(&exec, graph, flags));
  }
  Executable(const Executable &) = delete;
  Executable &operator=(const Executable &) = delete;
  ~Executable() { CHECK_CUDA(cudaGraphExecDestroy(exec)); }
  operator cudaGraphExec_t() const { return exec; }
  /// Launches and waits.
  void run(cudaStream_t stream = nullptr) const {
    CHECK_CUDA(cudaGraphLaunch(exec, stream));
    CHECK_CUDA(cudaStreamSynchronize(stream));
  }

private:
  cudaGraphExec_t exec = nullptr;
};

class Event {
public:
  Event() { CHECK_CUDA(cudaEventCreate(&event)); }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;
  ~Event() { CHECK_CUDA(cudaEventDestroy(event)); }
  operator cudaEvent_t() const { return event; }

private:
  cudaEvent_t event = nullptr;
};

inline void beginCapture(cudaStream_t stream,
                         cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  CHECK_CUDA(cudaStreamBeginCapture(stream, mode));
}

inline cudaGraph_t endCapture(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  return graph;
}

/// The error of a call that fails; the next cudaGetLastError does not see it.
inline cudaError_t taken(cudaError_t error) {
  cudaGetLastError();
  return error;
}
