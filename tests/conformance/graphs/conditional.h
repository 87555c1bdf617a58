// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditional nodes in few lines.
#pragma once

#include "graphs.h"

inline cudaGraphConditionalHandle newCondition(cudaGraph_t graph, unsigned value = 0,
                                               unsigned flags = 0) {
  cudaGraphConditionalHandle handle = 0;
  CHECK_CUDA(cudaGraphConditionalHandleCreate(&handle, graph, value, flags));
  return handle;
}

inline cudaGraphNodeParams conditionalParams(cudaGraphConditionalHandle handle,
                                             cudaGraphConditionalNodeType type) {
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = 1;
  return params;
}

/// Adds a conditional node and gives its body.
inline cudaGraph_t addConditional(cudaGraph_t graph, const Nodes &before,
                                  cudaGraphConditionalHandle handle,
                                  cudaGraphConditionalNodeType type) {
  cudaGraphNodeParams params = conditionalParams(handle, type);
  cudaGraphNode_t node = nullptr;
  CHECK_CUDA(addNode(&node, graph, before, &params));
  return params.conditional.phGraph_out[0];
}
