// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUDA 12.8 to 13.3 added to say of streams, functions, links between processors and graphs.
#include "api/graph/entry.h"

using namespace heddle;
using namespace heddle::api;

extern "C" cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t function,
                                               void *data);

namespace {

cudaError_t deviceOf(cudaStream_t handle, int *device) {
  return callStream(handle, [&](DeviceStream &stream) {
    if (!device)
      return cudaErrorInvalidValue;
    *device = stream.device->ordinal;
    return cudaSuccess;
  });
}

/// All that the atomic operation has in a kernel.
unsigned capabilitiesOf(cudaAtomicOperation operation) {
  constexpr unsigned words = cudaAtomicCapabilityScalar32 | cudaAtomicCapabilityScalar64;
  constexpr unsigned integer =
      cudaAtomicCapabilitySigned | cudaAtomicCapabilityUnsigned | cudaAtomicCapabilityReduction;
  switch (operation) {
  case cudaAtomicOperationIntegerAdd:
  case cudaAtomicOperationIntegerMin:
  case cudaAtomicOperationIntegerMax:
    return integer | words;
  case cudaAtomicOperationIntegerIncrement:
  case cudaAtomicOperationIntegerDecrement:
    return cudaAtomicCapabilityUnsigned | cudaAtomicCapabilityReduction |
           cudaAtomicCapabilityScalar32;
  case cudaAtomicOperationAnd:
  case cudaAtomicOperationOr:
  case cudaAtomicOperationXOR:
    return cudaAtomicCapabilityUnsigned | cudaAtomicCapabilityReduction | words;
  case cudaAtomicOperationExchange:
  case cudaAtomicOperationCAS:
    return cudaAtomicCapabilityUnsigned | words | cudaAtomicCapabilityScalar128;
  case cudaAtomicOperationFloatAdd:
    return cudaAtomicCapabilitySigned | cudaAtomicCapabilityReduction | words;
  case cudaAtomicOperationFloatMin:
  case cudaAtomicOperationFloatMax:
    return 0; // there are none in CUDA C++
  }
  return 0;
}

cudaError_t tellAtomics(unsigned *capabilities, const cudaAtomicOperation *operations,
                        unsigned count, bool native) {
  if (!capabilities || !operations || count == 0)
    return cudaErrorInvalidValue;
  for (unsigned i = 0; i < count; ++i)
    if (operations[i] < cudaAtomicOperationIntegerAdd ||
        operations[i] > cudaAtomicOperationFloatMax)
      return cudaErrorInvalidValue;
  for (unsigned i = 0; i < count; ++i)
    capabilities[i] = native ? capabilitiesOf(operations[i]) : 0;
  return cudaSuccess;
}

/// How the host waits is the operating system's here, whatever is asked for.
bool isSyncMode(unsigned mode) {
  return mode == cudaHostTaskBlocking || mode == cudaHostTaskSpinWait;
}

/// A number as a handle's answer.
template <class Number, class Value> cudaError_t tell(Number *number, Value value) {
  if (!number)
    return cudaErrorInvalidValue;
  *number = Number(value);
  return cudaSuccess;
}

} // namespace

HEDDLE_STREAM_CALL(cudaStreamGetDevice, (cudaStream_t stream, int *device),
                   deviceOf(stream, device))

cudaError_t cudaLaunchHostFunc_v2(cudaStream_t stream, cudaHostFn_t fn, void *userData,
                                  unsigned syncMode) {
  return isSyncMode(syncMode) ? cudaLaunchHostFunc(stream, fn, userData)
                              : call([] { return cudaErrorInvalidValue; });
}
extern "C" HEDDLE_EXPORT cudaError_t cudaLaunchHostFunc_v2_ptsz(cudaStream_t stream,
                                                                cudaHostFn_t fn, void *userData,
                                                                unsigned syncMode) {
  return isSyncMode(syncMode) ? cudaLaunchHostFunc_ptsz(stream, fn, userData)
                              : call([] { return cudaErrorInvalidValue; });
}

// ---- Links --------------------------------------------------------------------------------------

cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned *capabilities,
                                                const cudaAtomicOperation *operations,
                                                unsigned count, int device) {
  return callPlatform([&](Platform &platform) {
    if (device < 0 || device >= platform.deviceCount())
      return cudaErrorInvalidDevice;
    return tellAtomics(capabilities, operations, count,
                       platform.device(device).gpu.host_native_atomics);
  });
}

cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned *capabilities,
                                               const cudaAtomicOperation *operations,
                                               unsigned count, int srcDevice, int dstDevice) {
  return callPlatform([&](Platform &) {
    int native = 0;
    const cudaError_t error = cudaDeviceGetP2PAttribute(
        &native, cudaDevP2PAttrNativeAtomicSupported, srcDevice, dstDevice);
    return error ? error : tellAtomics(capabilities, operations, count, native);
  });
}

// ---- Graphs -------------------------------------------------------------------------------------

cudaError_t cudaGraphGetId(cudaGraph_t hGraph, unsigned *graphID) {
  return callGraph(hGraph, [&](Graph &graph) { return tell(graphID, graph.id()); });
}

cudaError_t cudaGraphExecGetId(cudaGraphExec_t hGraphExec, unsigned *graphID) {
  return callExecutable(hGraphExec,
                        [&](Executable &executable) { return tell(graphID, executable.id()); });
}

cudaError_t cudaGraphNodeGetContainingGraph(cudaGraphNode_t hNode, cudaGraph_t *phGraph) {
  return callNode(hNode, [&](Node &node) {
    if (!phGraph)
      return cudaErrorInvalidValue;
    *phGraph = handleOf(&node.graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetLocalId(cudaGraphNode_t hNode, unsigned *nodeId) {
  return callNode(hNode, [&](Node &node) { return tell(nodeId, node.local_id); });
}

cudaError_t cudaGraphNodeGetToolsId(cudaGraphNode_t hNode, unsigned long long *toolsNodeId) {
  return callNode(hNode, [&](Node &node) {
    return tell(toolsNodeId, (unsigned long long)node.graph.id() << 32 | node.local_id);
  });
}
