// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
//
// Streams, events, operations on memory in a stream's order, capture, and graphs built by hand.
#include "driver.h"

#include <atomic>

using namespace driver;

__global__ void add(int *to, int value) { *to += value; }

int read(CUdeviceptr pointer) {
  int value = 0;
  CHECK_DRIVER(cuMemcpyDtoH(&value, pointer, sizeof value));
  return value;
}

// Loading a kernel may wait for everything in the context (Programming Guide, "Lazy Loading"), so
// main() does it before a stream waits for a value that only a later operation writes.
CUfunction function() {
  CUfunction found = nullptr;
  CHECK_CUDA(cudaGetFuncBySymbol(&found, (const void *)add));
  return found;
}

void streams() {
  CUstream stream;
  CUevent event;
  unsigned flags = 9;
  int priority = 9;
  static std::atomic<int> called{0};
  CHECK_CODE(cuStreamCreate(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE(cuStreamCreate(&stream, 99), CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0));
  CHECK_DRIVER(cuStreamGetFlags(stream, &flags));
  CHECK_EQ(flags, unsigned(CU_STREAM_NON_BLOCKING));
  CHECK_DRIVER(cuStreamGetPriority(stream, &priority));
  CHECK_EQ(priority, 0);
  CHECK_DRIVER(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  CHECK_DRIVER(cuLaunchHostFunc(stream, [](void *) { ++called; }, nullptr));
  CHECK_DRIVER(cuStreamAddCallback(
      stream,
      [](CUstream, CUresult status, void *) { called += status == CUDA_SUCCESS ? 10 : 1000; },
      nullptr, 0));
  CHECK_DRIVER(cuEventRecord(event, stream));
  CHECK_DRIVER(cuStreamWaitEvent(nullptr, event, 0));
  CHECK_DRIVER(cuEventSynchronize(event));
  CHECK_DRIVER(cuEventQuery(event));
  CHECK_EQ(int(called), 11);
  CHECK_DRIVER(cuStreamQuery(stream));
  CHECK_DRIVER(cuEventDestroy(event));
  CHECK_DRIVER(cuStreamDestroy(stream));
}

void memoryOperations() {
  CUstream writer, waiter;
  CUdeviceptr flag, result;
  int value = 5;
  CHECK_DRIVER(cuStreamCreate(&writer, CU_STREAM_NON_BLOCKING));
  CHECK_DRIVER(cuStreamCreate(&waiter, CU_STREAM_NON_BLOCKING));
  CHECK_DRIVER(cuMemAlloc(&flag, 8));
  CHECK_DRIVER(cuMemAlloc(&result, 4));
  CHECK_DRIVER(cuMemsetD32(flag, 0, 2));
  CHECK_DRIVER(cuMemsetD32(result, 0, 1));
  CHECK_DRIVER(cuCtxSynchronize()); // the host does not wait for fills, nor do these streams
  CHECK_DRIVER(cuStreamWaitValue32(waiter, flag, 3, CU_STREAM_WAIT_VALUE_GEQ));
  void *arguments[] = {&result, &value};
  CHECK_DRIVER(cuLaunchKernel(function(), 1, 1, 1, 1, 1, 1, 0, waiter, arguments, nullptr));
  CHECK_CODE(cuStreamQuery(waiter), CUDA_ERROR_NOT_READY);
  CHECK_DRIVER(cuStreamWriteValue32(writer, flag, 4, CU_STREAM_WRITE_VALUE_DEFAULT));
  CHECK_DRIVER(cuStreamSynchronize(waiter));
  CHECK_EQ(read(result), 5);
  CUstreamBatchMemOpParams batch[2] = {};
  batch[0].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  batch[0].waitValue.address = flag;
  batch[0].waitValue.value = 4;
  batch[0].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  batch[1].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  batch[1].writeValue.address = flag;
  batch[1].writeValue.value64 = 77;
  CHECK_DRIVER(cuStreamBatchMemOp(writer, 2, batch, 0));
  CHECK_DRIVER(cuStreamSynchronize(writer));
  CHECK_EQ(read(flag), 77);
  CHECK_CODE(cuStreamWriteValue32(writer, flag + 1, 4, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(cuMemFree(flag));
  CHECK_DRIVER(cuMemFree(result));
  CHECK_DRIVER(cuStreamDestroy(writer));
  CHECK_DRIVER(cuStreamDestroy(waiter));
}

void launchTwice(CUgraph graph) {
  CUgraphExec executable;
  CHECK_DRIVER(cuGraphInstantiate(&executable, graph, 0));
  CHECK_DRIVER(cuGraphLaunch(executable, nullptr));
  CHECK_DRIVER(cuGraphLaunch(executable, nullptr));
  CHECK_DRIVER(cuCtxSynchronize());
  CHECK_DRIVER(cuGraphExecDestroy(executable));
}

void captured() {
  CUstream stream;
  CUdeviceptr number;
  CUgraph graph;
  CUstreamCaptureStatus status;
  int value = 3;
  size_t nodes = 0;
  CHECK_DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK_DRIVER(cuMemAlloc(&number, 4));
  CHECK_DRIVER(cuMemsetD32(number, 1, 1));
  CHECK_DRIVER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK_DRIVER(cuStreamIsCapturing(stream, &status));
  CHECK_EQ(int(status), int(CU_STREAM_CAPTURE_STATUS_ACTIVE));
  void *arguments[] = {&number, &value};
  CHECK_DRIVER(cuLaunchKernel(function(), 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  CHECK_DRIVER(cuLaunchKernel(function(), 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  CHECK_DRIVER(cuStreamEndCapture(stream, &graph));
  CHECK_DRIVER(cuGraphGetNodes(graph, nullptr, &nodes));
  CHECK_EQ(nodes, size_t(2));
  launchTwice(graph);
  CHECK_EQ(read(number), 13);
  CHECK_DRIVER(cuGraphDestroy(graph));
  CHECK_DRIVER(cuMemFree(number));
  CHECK_DRIVER(cuStreamDestroy(stream));
}

// A fill, a kernel, a copy; then the kernel does something else in the executable.
void built(CUcontext context) {
  CUgraph graph;
  CUgraphNode filled, added, copied;
  CUdeviceptr number, copy;
  int value = 20;
  CHECK_DRIVER(cuMemAlloc(&number, 4));
  CHECK_DRIVER(cuMemAlloc(&copy, 4));
  CHECK_CODE(cuGraphCreate(&graph, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS fill = {};
  fill.dst = number;
  fill.value = 1;
  fill.elementSize = 4;
  fill.width = fill.height = 1;
  CHECK_DRIVER(cuGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill, context));
  void *arguments[] = {&number, &value};
  CUDA_KERNEL_NODE_PARAMS kernel = {};
  kernel.func = function();
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.kernelParams = arguments;
  CHECK_DRIVER(cuGraphAddKernelNode(&added, graph, &filled, 1, &kernel));
  CUDA_MEMCPY3D move = {};
  move.srcMemoryType = move.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  move.srcDevice = number;
  move.dstDevice = copy;
  move.WidthInBytes = 4;
  move.Height = move.Depth = 1;
  CHECK_DRIVER(cuGraphAddMemcpyNode(&copied, graph, &added, 1, &move, context));
  CUgraphNodeType type;
  CHECK_DRIVER(cuGraphNodeGetType(added, &type));
  CHECK_EQ(int(type), int(CU_GRAPH_NODE_TYPE_KERNEL));
  CUDA_KERNEL_NODE_PARAMS told = {};
  CHECK_DRIVER(cuGraphKernelNodeGetParams(added, &told));
  CHECK_EQ(told.func, kernel.func);
  CHECK_EQ(*static_cast<int *>(told.kernelParams[1]), 20);
  CUDA_MEMSET_NODE_PARAMS told_fill = {};
  CHECK_DRIVER(cuGraphMemsetNodeGetParams(filled, &told_fill));
  CHECK_EQ(told_fill.dst, number);
  launchTwice(graph);
  CHECK_EQ(read(copy), 21);

  CUgraphExec executable;
  CHECK_DRIVER(cuGraphInstantiate(&executable, graph, 0));
  value = 30;
  CHECK_DRIVER(cuGraphExecKernelNodeSetParams(executable, added, &kernel));
  CHECK_DRIVER(cuGraphLaunch(executable, CU_STREAM_PER_THREAD));
  CHECK_DRIVER(cuCtxSynchronize());
  CHECK_EQ(read(copy), 31);
  CHECK_DRIVER(cuGraphExecDestroy(executable));

  CUstreamBatchMemOpParams write = {};
  write.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  write.writeValue.address = copy;
  write.writeValue.value = 99;
  CUDA_BATCH_MEM_OP_NODE_PARAMS batch = {context, 1, &write, 0};
  CUgraphNode written;
  CHECK_DRIVER(cuGraphAddBatchMemOpNode(&written, graph, &copied, 1, &batch));
  launchTwice(graph);
  CHECK_EQ(read(copy), 99);
  CHECK_DRIVER(cuGraphDestroyNode(written));
  CHECK_DRIVER(cuGraphDestroy(graph));
  CHECK_DRIVER(cuMemFree(number));
  CHECK_DRIVER(cuMemFree(copy));
}

int main() {
  CUcontext context = begin();
  CHECK(function() != nullptr);
  streams();
  memoryOperations();
  captured();
  built(context);
  RETURN_RESULT();
}
