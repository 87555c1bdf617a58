// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUDA 12.8 to 13.3 added: copies and prefetches in batches, pools of a place, and what there
// is to ask of streams, links and graphs. The runtime's under the driver's names.
#include "driver/entry.h"

using namespace heddle;
using namespace heddle::driver;

namespace {

/// Device pointers in place of the runtime's.
void **pointers(CUdeviceptr *list) { return reinterpret_cast<void **>(list); }

cudaMemcpyAttributes *runtimeAttributes(CUmemcpyAttributes *attributes) {
  return as<cudaMemcpyAttributes>(attributes);
}

template <class Function, class... Values> CUresult pass(Function function, Values... values) {
  return call([&] { return function(values...); });
}

} // namespace

// ---- Copies -------------------------------------------------------------------------------------

HEDDLE_DRIVER_STREAM_CALL(cuMemcpyBatchAsync,
                          (CUdeviceptr * dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                           CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
                           size_t *failIdx, CUstream stream),
                          callContext([&] {
                            return cudaMemcpyBatchAsync(pointers(dsts), pointers(srcs), sizes,
                                                        count, runtimeAttributes(attrs), attrsIdxs,
                                                        numAttrs, failIdx, stream);
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuMemcpyBatchAsync_v2,
                          (CUdeviceptr * dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                           CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
                           CUstream stream),
                          callContext([&] {
                            return cudaMemcpyBatchAsync(pointers(dsts), pointers(srcs), sizes,
                                                        count, runtimeAttributes(attrs), attrsIdxs,
                                                        numAttrs, nullptr, stream);
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuMemcpy3DBatchAsync,
                          (size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, size_t *failIdx,
                           unsigned long long flags, CUstream stream),
                          callContext([&] {
                            return cudaMemcpy3DBatchAsync(numOps, as<cudaMemcpy3DBatchOp>(opList),
                                                          failIdx, flags, stream);
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuMemcpy3DBatchAsync_v2,
                          (size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, unsigned long long flags,
                           CUstream stream),
                          callContext([&] {
                            return cudaMemcpy3DBatchAsync(numOps, as<cudaMemcpy3DBatchOp>(opList),
                                                          nullptr, flags, stream);
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuMemcpyWithAttributesAsync,
                          (CUdeviceptr dst, CUdeviceptr src, size_t size, CUmemcpyAttributes *attr,
                           CUstream stream),
                          callContext([&] {
                            return cudaMemcpyWithAttributesAsync(at(dst), at(src), size,
                                                                 runtimeAttributes(attr), stream);
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuMemcpy3DWithAttributesAsync,
                          (CUDA_MEMCPY3D_BATCH_OP * op, unsigned long long flags, CUstream stream),
                          callContext([&] {
                            return cudaMemcpy3DWithAttributesAsync(as<cudaMemcpy3DBatchOp>(op),
                                                                   flags, stream);
                          }))

// ---- Managed memory and pools -------------------------------------------------------------------

HEDDLE_DRIVER_STREAM_CALL(cuMemPrefetchBatchAsync,
                          (CUdeviceptr * dptrs, size_t *sizes, size_t count,
                           CUmemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                           size_t numPrefetchLocs, unsigned long long flags, CUstream stream),
                          callContext([&] {
                            return cudaMemPrefetchBatchAsync(
                                pointers(dptrs), sizes, count, as<cudaMemLocation>(prefetchLocs),
                                prefetchLocIdxs, numPrefetchLocs, flags, stream);
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuMemDiscardBatchAsync,
                          (CUdeviceptr * dptrs, size_t *sizes, size_t count,
                           unsigned long long flags, CUstream stream),
                          callContext([&] {
                            return cudaMemDiscardBatchAsync(pointers(dptrs), sizes, count, flags,
                                                            stream);
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuMemDiscardAndPrefetchBatchAsync,
                          (CUdeviceptr * dptrs, size_t *sizes, size_t count,
                           CUmemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                           size_t numPrefetchLocs, unsigned long long flags, CUstream stream),
                          callContext([&] {
                            return cudaMemDiscardAndPrefetchBatchAsync(
                                pointers(dptrs), sizes, count, as<cudaMemLocation>(prefetchLocs),
                                prefetchLocIdxs, numPrefetchLocs, flags, stream);
                          }))

CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *location,
                                CUmemAllocationType type) {
  return pass(cudaMemGetDefaultMemPool, pool, as<cudaMemLocation>(location),
              cudaMemAllocationType(type));
}
CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type) {
  return pass(cudaMemGetMemPool, pool, as<cudaMemLocation>(location), cudaMemAllocationType(type));
}
CUresult cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool) {
  return pass(cudaMemSetMemPool, as<cudaMemLocation>(location), cudaMemAllocationType(type), pool);
}

// ---- Streams and links --------------------------------------------------------------------------

HEDDLE_DRIVER_STREAM_CALL(cuStreamGetDevice, (CUstream stream, CUdevice *device),
                          callContext([&] { return cudaStreamGetDevice(stream, device); }))
HEDDLE_DRIVER_STREAM_CALL(cuLaunchHostFunc_v2,
                          (CUstream stream, CUhostFn function, void *userData, unsigned syncMode),
                          callContext([&] {
                            return cudaLaunchHostFunc_v2(stream, function, userData, syncMode);
                          }))

CUresult cuDeviceGetHostAtomicCapabilities(unsigned *capabilities,
                                           const CUatomicOperation *operations, unsigned count,
                                           CUdevice device) {
  return pass(cudaDeviceGetHostAtomicCapabilities, capabilities,
              as<const cudaAtomicOperation>(operations), count, device);
}
CUresult cuDeviceGetP2PAtomicCapabilities(unsigned *capabilities,
                                          const CUatomicOperation *operations, unsigned count,
                                          CUdevice source, CUdevice destination) {
  return pass(cudaDeviceGetP2PAtomicCapabilities, capabilities,
              as<const cudaAtomicOperation>(operations), count, source, destination);
}

// ---- Graphs -------------------------------------------------------------------------------------

CUresult cuGraphGetId(CUgraph graph, unsigned *id) { return pass(cudaGraphGetId, graph, id); }
CUresult cuGraphExecGetId(CUgraphExec executable, unsigned *id) {
  return pass(cudaGraphExecGetId, executable, id);
}
CUresult cuGraphNodeGetContainingGraph(CUgraphNode node, CUgraph *graph) {
  return pass(cudaGraphNodeGetContainingGraph, node, graph);
}
CUresult cuGraphNodeGetLocalId(CUgraphNode node, unsigned *id) {
  return pass(cudaGraphNodeGetLocalId, node, id);
}
CUresult cuGraphNodeGetToolsId(CUgraphNode node, unsigned long long *id) {
  return pass(cudaGraphNodeGetToolsId, node, id);
}

CUresult cuGraphNodeGetParams(CUgraphNode node, CUgraphNodeParams *parameters) {
  return call([&]() -> CUresult {
    CUgraphNodeType type;
    CUgraphNodeParams found{};
    if (!parameters)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = cuGraphNodeGetType(node, &type))
      return error;
    CUresult error = CUDA_SUCCESS;
    if (type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
      error = cuGraphBatchMemOpNodeGetParams(node, as<CUDA_BATCH_MEM_OP_NODE_PARAMS>(&found.memOp));
    else if (type == CU_GRAPH_NODE_TYPE_KERNEL)
      error = cuGraphKernelNodeGetParams(node, as<CUDA_KERNEL_NODE_PARAMS>(&found.kernel));
    else if (type == CU_GRAPH_NODE_TYPE_MEMCPY)
      error = cuGraphMemcpyNodeGetParams(node, &found.memcpy.copyParams);
    else // the same layout
      error = result(cudaGraphNodeGetParams(node, as<cudaGraphNodeParams>(&found)));
    found.type = type;
    if (!error)
      *parameters = found;
    return error;
  });
}

// ---- Logs ---------------------------------------------------------------------------------------

CUresult cuLogsRegisterCallback(CUlogsCallback callback, void *userData,
                                CUlogsCallbackHandle *handle) {
  return pass(cudaLogsRegisterCallback, reinterpret_cast<cudaLogsCallback_t>(callback), userData,
              handle);
}
CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle handle) {
  return pass(cudaLogsUnregisterCallback, handle);
}
CUresult cuLogsCurrent(CUlogIterator *iterator, unsigned flags) {
  return pass(cudaLogsCurrent, iterator, flags);
}
CUresult cuLogsDumpToFile(CUlogIterator *iterator, const char *pathToFile, unsigned flags) {
  return pass(cudaLogsDumpToFile, iterator, pathToFile, flags);
}
CUresult cuLogsDumpToMemory(CUlogIterator *iterator, char *buffer, size_t *size, unsigned flags) {
  return pass(cudaLogsDumpToMemory, iterator, buffer, size, flags);
}
