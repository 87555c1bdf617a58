// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of cuDNN's backend API: descriptors, tensors in memory, and plans by the heuristics.
#pragma once

#include "cudnn_check.h"

#include <cstring>
#include <functional>
#include <map>

namespace {

cudnnHandle_t handle;

/// A backend descriptor.
struct Node {
  cudnnBackendDescriptor_t d = nullptr;
  explicit Node(cudnnBackendDescriptorType_t type) { OK(cudnnBackendCreateDescriptor(type, &d)); }
  Node(const Node &) = delete;
  Node(Node &&other) : d(other.d) { other.d = nullptr; }
  ~Node() {
    if (d)
      OK(cudnnBackendDestroyDescriptor(d));
  }
  template <class T>
  Node &set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
            const std::vector<T> &values) {
    OK(cudnnBackendSetAttribute(d, name, type, int64_t(values.size()), values.data()));
    return *this;
  }
  template <class T>
  Node &set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, T value) {
    return set(name, type, std::vector<T>{value});
  }
  Node &set(cudnnBackendAttributeName_t name, const Node &other) {
    return set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, other.d);
  }
  Node &flag(cudnnBackendAttributeName_t name) {
    const bool yes = true;
    OK(cudnnBackendSetAttribute(d, name, CUDNN_TYPE_BOOLEAN, 1, &yes));
    return *this;
  }
  Node &finalize() {
    OK(cudnnBackendFinalize(d));
    return *this;
  }
};

int64_t next_id = 1;
struct Tensor {
  int64_t id = next_id++;
  std::vector<int64_t> dims;
  Node node{CUDNN_BACKEND_TENSOR_DESCRIPTOR};
  Array<float> data;
  explicit Tensor(std::vector<int64_t> d, int seed = -1, bool is_virtual = false,
                  cudnnDataType_t type = CUDNN_DATA_FLOAT, std::vector<int64_t> strides = {})
      : dims(d), data(count(d), seed) {
    if (strides.empty()) {
      strides.assign(d.size(), 1);
      for (size_t i = d.size() - 1; i > 0; --i)
        strides[i - 1] = strides[i] * d[i];
    }
    node.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, type)
        .set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, d)
        .set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, strides)
        .set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, id)
        .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, int64_t(4));
    if (is_virtual)
      node.flag(CUDNN_ATTR_TENSOR_IS_VIRTUAL);
    node.finalize();
  }
  static size_t count(const std::vector<int64_t> &d) {
    size_t n = 1;
    for (int64_t v : d)
      n *= size_t(v);
    return n;
  }
};

/// Builds a plan for the operations by the heuristics and runs it.
void execute(const std::vector<const Node *> &operations, const std::vector<Tensor *> &tensors) {
  std::vector<cudnnBackendDescriptor_t> ops;
  for (const Node *n : operations)
    ops.push_back(n->d);
  Node graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, ops)
      .set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, handle)
      .finalize();
  Node heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR), config(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph)
      .set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, CUDNN_HEUR_MODE_INSTANT)
      .finalize();
  int64_t count = 0;
  OK(cudnnBackendGetAttribute(heuristics.d, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                              CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count, &config.d));
  CHECK(count >= 1);
  Node plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR), pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, handle)
      .set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config)
      .finalize();
  int64_t bytes = -1;
  OK(cudnnBackendGetAttribute(plan.d, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1,
                              &count, &bytes));
  CHECK(bytes >= 0);
  Array<char> workspace(static_cast<size_t>(bytes));
  std::vector<int64_t> ids;
  std::vector<void *> pointers;
  for (Tensor *t : tensors) {
    ids.push_back(t->id);
    pointers.push_back(t->data.data);
  }
  pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, ids)
      .set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, pointers)
      .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR,
           static_cast<void *>(workspace.data))
      .finalize();
  OK(cudnnBackendExecute(handle, plan.d, pack.d));
  CHECK_CUDA(cudaDeviceSynchronize());
}

Node pointwiseMode(cudnnPointwiseMode_t mode) {
  Node n(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  n.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode)
      .set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT)
      .finalize();
  return n;
}
Node pointwise(cudnnPointwiseMode_t mode, const Tensor &x, const Tensor *b, const Tensor &y) {
  const bool backward = mode >= CUDNN_POINTWISE_RELU_BWD && mode < CUDNN_POINTWISE_CMP_EQ;
  Node n(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  const Node m = pointwiseMode(mode);
  n.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, m)
      .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x.node)
      .set(backward ? CUDNN_ATTR_OPERATION_POINTWISE_DXDESC : CUDNN_ATTR_OPERATION_POINTWISE_YDESC,
           y.node);
  if (b)
    n.set(backward ? CUDNN_ATTR_OPERATION_POINTWISE_DYDESC : CUDNN_ATTR_OPERATION_POINTWISE_BDESC,
          b->node);
  n.finalize();
  return n;
}

} // namespace
