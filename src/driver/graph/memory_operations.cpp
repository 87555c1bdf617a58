// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuStreamWaitValue and its relatives, on streams and in graphs.
#include "driver/graph/memory_operations.h"
#include "api/graph/entry.h"

using namespace heddle;
using namespace heddle::driver;

namespace {

constexpr unsigned most_operations = 256; // in one batch

/// Memory that kernels can reach, of which all the number's bytes are there.
bool accessible(const Device &device, CUdeviceptr address, unsigned bytes) {
  const std::optional<Allocation> found = device.memory.find(at(address));
  return address % bytes == 0 && found && found->holds(at(address), bytes);
}

cudaError_t convert(const Device &device, const CUstreamBatchMemOpParams &from,
                    std::vector<MemoryOperation> &list) {
  switch (from.operation) {
  case CU_STREAM_MEM_OP_WAIT_VALUE_32:
  case CU_STREAM_MEM_OP_WAIT_VALUE_64: {
    const auto &wait = from.waitValue;
    const unsigned bytes = from.operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 ? 4 : 8;
    const unsigned condition = wait.flags & ~unsigned(CU_STREAM_WAIT_VALUE_FLUSH);
    if (condition > CU_STREAM_WAIT_VALUE_NOR || !accessible(device, wait.address, bytes))
      return cudaErrorInvalidValue;
    if (wait.flags & CU_STREAM_WAIT_VALUE_FLUSH && !device.gpu.can_flush_remote_writes)
      return cudaErrorNotSupported;
    list.push_back(WaitForValue{at(wait.address), bytes == 4 ? wait.value : wait.value64, bytes,
                                WaitForValue::Condition(condition)});
    return cudaSuccess;
  }
  case CU_STREAM_MEM_OP_WRITE_VALUE_32:
  case CU_STREAM_MEM_OP_WRITE_VALUE_64: {
    const auto &write = from.writeValue;
    const unsigned bytes = from.operation == CU_STREAM_MEM_OP_WRITE_VALUE_32 ? 4 : 8;
    if (write.flags & ~unsigned(CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) ||
        !accessible(device, write.address, bytes))
      return cudaErrorInvalidValue;
    list.push_back(WriteValue{at(write.address), bytes == 4 ? write.value : write.value64, bytes});
    return cudaSuccess;
  }
  case CU_STREAM_MEM_OP_BARRIER:
    if (from.memoryBarrier.flags > CU_STREAM_MEMORY_BARRIER_TYPE_GPU)
      return cudaErrorInvalidValue;
    list.push_back(MemoryBarrier{});
    return cudaSuccess;
  case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
    if (!device.gpu.can_flush_remote_writes)
      return cudaErrorNotSupported;
    list.push_back(MemoryBarrier{});
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

CUresult putOn(CUstream handle, const CUstreamBatchMemOpParams *list, unsigned count,
               unsigned flags) {
  return callContext([&](Context &) {
    return api::callStream(handle, [&](DeviceStream &stream) {
      std::shared_ptr<MemoryOperations> operation;
      if (flags != 0)
        return cudaErrorInvalidValue;
      if (count == 0)
        return cudaSuccess;
      if (cudaError_t error = makeMemoryOperations(*stream.device, list, count, operation))
        return error;
      return put(stream, std::move(operation));
    });
  });
}

CUresult waitFor(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr address,
                 cuuint64_t value, unsigned flags) {
  CUstreamBatchMemOpParams one = {};
  one.waitValue.operation = type;
  one.waitValue.address = address;
  one.waitValue.value64 = value;
  one.waitValue.flags = flags;
  return putOn(stream, &one, 1, 0);
}

CUresult write(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr address, cuuint64_t value,
               unsigned flags) {
  CUstreamBatchMemOpParams one = {};
  one.writeValue.operation = type;
  one.writeValue.address = address;
  one.writeValue.value64 = value;
  one.writeValue.flags = flags;
  return putOn(stream, &one, 1, 0);
}

} // namespace

cudaError_t heddle::driver::makeMemoryOperations(Device &device,
                                                 const CUstreamBatchMemOpParams *list,
                                                 unsigned count,
                                                 std::shared_ptr<MemoryOperations> &operation) {
  if (!list || count == 0 || count > most_operations)
    return cudaErrorInvalidValue;
  std::vector<MemoryOperation> operations;
  for (unsigned i = 0; i < count; ++i)
    if (cudaError_t error = convert(device, list[i], operations))
      return error;
  const auto *bytes = reinterpret_cast<const char *>(list);
  operation = std::make_shared<MemoryOperations>(
      device, std::move(operations), std::vector<char>(bytes, bytes + count * sizeof *list));
  return cudaSuccess;
}

HEDDLE_DRIVER_STREAM_CALL(cuStreamWaitValue32_v2,
                          (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags),
                          waitFor(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, address, value, flags))
HEDDLE_DRIVER_STREAM_CALL(cuStreamWaitValue64_v2,
                          (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags),
                          waitFor(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, address, value, flags))
HEDDLE_DRIVER_STREAM_CALL(cuStreamWriteValue32_v2,
                          (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags),
                          write(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, address, value, flags))
HEDDLE_DRIVER_STREAM_CALL(cuStreamWriteValue64_v2,
                          (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags),
                          write(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, address, value, flags))
HEDDLE_DRIVER_STREAM_CALL(cuStreamBatchMemOp_v2,
                          (CUstream stream, unsigned count, CUstreamBatchMemOpParams *list,
                           unsigned flags),
                          putOn(stream, list, count, flags))
#define HEDDLE_OLDER_OPERATION(name)                                                               \
  HEDDLE_OLDER_NAME(name, name "_v2") HEDDLE_OLDER_NAME(name "_ptsz", name "_v2_ptsz")
HEDDLE_OLDER_OPERATION("cuStreamWaitValue32")
HEDDLE_OLDER_OPERATION("cuStreamWaitValue64")
HEDDLE_OLDER_OPERATION("cuStreamWriteValue32")
HEDDLE_OLDER_OPERATION("cuStreamWriteValue64")
HEDDLE_OLDER_OPERATION("cuStreamBatchMemOp")

// ---- In graphs ----------------------------------------------------------------------------------

namespace {

template <class Parameters>
cudaError_t make(Device &device, const Parameters *parameters,
                 std::shared_ptr<MemoryOperations> &operation) {
  if (!parameters || parameters->flags != 0)
    return cudaErrorInvalidValue;
  return makeMemoryOperations(device, parameters->paramArray, parameters->count, operation);
}

/// Runs a body with a node of this kind and its operations.
template <class Body> CUresult callNode(CUgraphNode handle, Body body) {
  return call([&] {
    return api::callNode(handle, [&](Node &node) {
      return node.type() == node_type_memory_operations
                 ? body(node, static_cast<const MemoryOperations &>(*node.operation))
                 : cudaErrorInvalidValue;
    });
  });
}

} // namespace

CUresult cuGraphAddBatchMemOpNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                  size_t numDependencies,
                                  const CUDA_BATCH_MEM_OP_NODE_PARAMS *parameters) {
  return callContext([&](Context &context) {
    return api::callGraph(graph, [&](Graph &graph) {
      std::vector<Edge> before;
      std::shared_ptr<MemoryOperations> operation;
      NodePointer made;
      if (!node)
        return cudaErrorInvalidValue;
      if (cudaError_t error = api::findEdges(dependencies, nullptr, numDependencies, before))
        return error;
      if (cudaError_t error = make(context.device, parameters, operation))
        return error;
      if (cudaError_t error = graph.add(std::move(operation), before, made))
        return error;
      *node = api::handleOf(made.get());
      return cudaSuccess;
    });
  });
}

CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode node,
                                        CUDA_BATCH_MEM_OP_NODE_PARAMS *parameters) {
  return callNode(node, [&](Node &, const MemoryOperations &operations) {
    if (!parameters)
      return cudaErrorInvalidValue;
    // The program may read the array as long as the node has these operations.
    const auto *list = reinterpret_cast<const CUstreamBatchMemOpParams *>(operations.told.data());
    *parameters = {driver::handleOf(Context::current().get()), unsigned(operations.list.size()),
                   const_cast<CUstreamBatchMemOpParams *>(list), 0};
    return cudaSuccess;
  });
}

CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode node,
                                        const CUDA_BATCH_MEM_OP_NODE_PARAMS *parameters) {
  return callNode(node, [&](Node &node, const MemoryOperations &before) {
    std::shared_ptr<MemoryOperations> operation;
    const cudaError_t error = make(before.device, parameters, operation);
    if (!error)
      node.operation = std::move(operation);
    return error;
  });
}

CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS *parameters) {
  return callNode(node, [&](Node &node, const MemoryOperations &before) {
    return api::callExecutable(executable, [&](Executable &found) {
      Node *const own = found.find(node);
      std::shared_ptr<MemoryOperations> operation;
      if (!own)
        return cudaErrorInvalidValue;
      if (cudaError_t error = make(before.device, parameters, operation))
        return error;
      found.replace(*own, std::move(operation));
      return cudaSuccess;
    });
  });
}
