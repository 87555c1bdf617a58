// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: built, asked about, instantiated, launched. The runtime's.
#include "driver/entry.h"

using namespace heddle;
using namespace heddle::driver;

namespace {

/// Calls the runtime's function of the same purpose, which needs no context.
template <class Function, class... Values> CUresult pass(Function function, Values... values) {
  return call([&] { return function(values...); });
}
/// The same for what needs one.
template <class Function, class... Values>
CUresult passContext(Function function, Values... values) {
  return callContext([&] { return function(values...); });
}

const cudaGraphEdgeData *edges(const CUgraphEdgeData *data) {
  return as<const cudaGraphEdgeData>(data);
}
cudaGraphEdgeData *edges(CUgraphEdgeData *data) { return as<cudaGraphEdgeData>(data); }

} // namespace

CUresult cuGraphCreate(CUgraph *graph, unsigned flags) {
  return pass(cudaGraphCreate, graph, flags);
}
CUresult cuGraphClone(CUgraph *clone, CUgraph original) {
  return pass(cudaGraphClone, clone, original);
}
CUresult cuGraphDestroy(CUgraph graph) { return pass(cudaGraphDestroy, graph); }
CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone) {
  return pass(cudaGraphNodeFindInClone, node, original, clone);
}
CUresult cuGraphDestroyNode(CUgraphNode node) { return pass(cudaGraphDestroyNode, node); }
CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned flags) {
  return pass(cudaGraphDebugDotPrint, graph, path, flags);
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph,
                                        CUcontext context, unsigned defaultLaunchValue,
                                        unsigned flags) {
  return call([&]() -> CUresult {
    if (!Context::handles().find(context))
      return CUDA_ERROR_INVALID_CONTEXT;
    return result(cudaGraphConditionalHandleCreate(as<cudaGraphConditionalHandle>(handle), graph,
                                                   defaultLaunchValue, flags));
  });
}

// ---- Edges and traversal ------------------------------------------------------------------------

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type) {
  return pass(cudaGraphNodeGetType, node, as<cudaGraphNodeType>(type));
}
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  return pass(cudaGraphGetNodes, graph, nodes, count);
}
CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  return pass(cudaGraphGetRootNodes, graph, nodes, count);
}
CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count) {
  return pass(cudaGraphGetEdges, graph, from, to, count);
}
CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                            CUgraphEdgeData *data, size_t *count) {
  return pass(cudaGraphGetEdges_v2, graph, from, to, edges(data), count);
}
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *dependencies, size_t *count) {
  return pass(cudaGraphNodeGetDependencies, node, dependencies, count);
}
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *dependencies,
                                       CUgraphEdgeData *data, size_t *count) {
  return pass(cudaGraphNodeGetDependencies_v2, node, dependencies, edges(data), count);
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *count) {
  return pass(cudaGraphNodeGetDependentNodes, node, nodes, count);
}
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes,
                                         CUgraphEdgeData *data, size_t *count) {
  return pass(cudaGraphNodeGetDependentNodes_v2, node, nodes, edges(data), count);
}
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                size_t count) {
  return pass(cudaGraphAddDependencies, graph, from, to, count);
}
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *data, size_t count) {
  return pass(cudaGraphAddDependencies_v2, graph, from, to, edges(data), count);
}
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   size_t count) {
  return pass(cudaGraphRemoveDependencies, graph, from, to, count);
}
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      const CUgraphEdgeData *data, size_t count) {
  return pass(cudaGraphRemoveDependencies_v2, graph, from, to, edges(data), count);
}

// ---- Instantiating and launching ----------------------------------------------------------------

CUresult cuGraphInstantiate(CUgraphExec *executable, CUgraph graph, unsigned long long flags) {
  return passContext(cudaGraphInstantiateWithFlags, executable, graph, flags);
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *executable, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *parameters) {
  return passContext(cudaGraphInstantiateWithParams, executable, graph,
                     as<cudaGraphInstantiateParams>(parameters));
}
extern "C" HEDDLE_EXPORT CUresult cuGraphInstantiateWithParams_ptsz(
    CUgraphExec *executable, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *parameters) {
  if (parameters && !parameters->hUploadStream)
    parameters->hUploadStream = CU_STREAM_PER_THREAD;
  return cuGraphInstantiateWithParams(executable, graph, parameters);
}

CUresult cuGraphExecGetFlags(CUgraphExec executable, cuuint64_t *flags) {
  return pass(cudaGraphExecGetFlags, executable, as<unsigned long long>(flags));
}
HEDDLE_DRIVER_STREAM_CALL(cuGraphUpload, (CUgraphExec executable, CUstream stream),
                          pass(cudaGraphUpload, executable, stream))
HEDDLE_DRIVER_STREAM_CALL(cuGraphLaunch, (CUgraphExec executable, CUstream stream),
                          pass(cudaGraphLaunch, executable, stream))
CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return pass(cudaGraphExecDestroy, executable);
}
CUresult cuGraphExecUpdate(CUgraphExec executable, CUgraph graph,
                           CUgraphExecUpdateResultInfo *result) {
  CUgraphExecUpdateResultInfo unused;
  return pass(cudaGraphExecUpdate, executable, graph,
              as<cudaGraphExecUpdateResultInfo>(result ? result : &unused));
}
CUresult cuGraphNodeSetEnabled(CUgraphExec executable, CUgraphNode node, unsigned enabled) {
  return pass(cudaGraphNodeSetEnabled, executable, node, enabled);
}
CUresult cuGraphNodeGetEnabled(CUgraphExec executable, CUgraphNode node, unsigned *enabled) {
  return pass(cudaGraphNodeGetEnabled, executable, node, enabled);
}

// Before CUDA 12: the forms with a node and a text for what is wrong.
#undef cuGraphInstantiate
#undef cuGraphExecUpdate
extern "C" {
HEDDLE_EXPORT CUresult cuGraphInstantiate(CUgraphExec *executable, CUgraph graph,
                                          CUgraphNode *errorNode, char *text, size_t bytes) {
  CUDA_GRAPH_INSTANTIATE_PARAMS parameters = {};
  const CUresult error = cuGraphInstantiateWithParams(executable, graph, &parameters);
  if (errorNode)
    *errorNode = parameters.hErrNode_out;
  if (text && bytes)
    *text = 0;
  return error;
}
HEDDLE_EXPORT CUresult cuGraphExecUpdate(CUgraphExec executable, CUgraph graph,
                                         CUgraphNode *errorNode, CUgraphExecUpdateResult *result) {
  CUgraphExecUpdateResultInfo info = {};
  const CUresult error = cuGraphExecUpdate_v2(executable, graph, &info);
  if (errorNode)
    *errorNode = info.errorNode;
  if (result)
    *result = info.result;
  return error;
}
}
HEDDLE_OLDER_NAME("cuGraphInstantiate_v2", "cuGraphInstantiate")

// ---- Memory and objects that graphs own ---------------------------------------------------------

CUresult cuDeviceGraphMemTrim(CUdevice device) { return pass(cudaDeviceGraphMemTrim, device); }
CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void *value) {
  return pass(cudaDeviceGetGraphMemAttribute, device, cudaGraphMemAttributeType(attribute), value);
}
CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void *value) {
  return pass(cudaDeviceSetGraphMemAttribute, device, cudaGraphMemAttributeType(attribute), value);
}
CUresult cuUserObjectCreate(CUuserObject *object, void *pointer, CUhostFn destroy,
                            unsigned initialCount, unsigned flags) {
  return pass(cudaUserObjectCreate, object, pointer, destroy, initialCount, flags);
}
CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
  return pass(cudaUserObjectRetain, object, count);
}
CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  return pass(cudaUserObjectRelease, object, count);
}
CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count,
                                 unsigned flags) {
  return pass(cudaGraphRetainUserObject, graph, object, count, flags);
}
CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
  return pass(cudaGraphReleaseUserObject, graph, object, count);
}
