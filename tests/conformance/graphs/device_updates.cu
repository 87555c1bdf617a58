// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel nodes that kernels change: their arguments, their grid, whether they run; in a graph that
// is launched next, and in the same one; made by an attribute of the node and by a captured launch.
#include "check.h"

struct Pair {
  int a;
  double b;
};

struct Seen {
  int blocks, value, a, b, grid_x, grid_y;
};

__global__ void work(Seen *seen, int value, Pair pair) {
  if (threadIdx.x)
    return;
  atomicAdd(&seen->blocks, 1);
  seen->value = value;
  seen->a = pair.a;
  seen->b = int(pair.b);
  seen->grid_x = gridDim.x;
  seen->grid_y = gridDim.y;
}

// Where the kernel's parameters lie.
constexpr size_t value_offset = 8, pair_offset = 16;

__global__ void change(cudaGraphDeviceNode_t node, int value, int *errors) {
  const Pair pair = {value + 1, value + 2.0};
  errors[0] = cudaGraphKernelNodeSetParam(node, value_offset, value);
  errors[1] = cudaGraphKernelNodeSetParam(node, pair_offset, &pair, sizeof pair);
  errors[2] = cudaGraphKernelNodeSetGridDim(node, dim3(3, 2));
}

__global__ void enable(cudaGraphDeviceNode_t node, bool on, int *errors) {
  errors[0] = cudaGraphKernelNodeSetEnabled(node, on);
}

// Zeros. nvcc cannot make them (error: the default constructor of the union in them is deleted).
struct Updates {
  alignas(cudaGraphKernelNodeUpdate) unsigned char room[2 * sizeof(cudaGraphKernelNodeUpdate)] = {};
  __device__ cudaGraphKernelNodeUpdate *get() {
    return reinterpret_cast<cudaGraphKernelNodeUpdate *>(room);
  }
};

__global__ void changeAtOnce(cudaGraphDeviceNode_t node, int value, int *errors) {
  Updates made;
  cudaGraphKernelNodeUpdate *updates = made.get();
  updates[0].node = updates[1].node = node;
  updates[0].field = cudaGraphKernelNodeFieldGridDim;
  updates[0].updateData.gridDim = dim3(5);
  updates[1].field = cudaGraphKernelNodeFieldParam;
  updates[1].updateData.param.pValue = &value;
  updates[1].updateData.param.offset = value_offset;
  updates[1].updateData.param.size = sizeof value;
  errors[0] = cudaGraphKernelNodeUpdatesApply(updates, 2);
}

struct Program {
  DeviceBuffer<Seen> seen{1};
  DeviceBuffer<int> errors{8};
  cudaStream_t stream = nullptr;

  Program() { CHECK_CUDA(cudaStreamCreate(&stream)); }
  ~Program() { CHECK_CUDA(cudaStreamDestroy(stream)); }

  cudaGraph_t makeGraph(cudaGraphNode_t &node) {
    cudaGraph_t graph = nullptr;
    CHECK_CUDA(cudaGraphCreate(&graph, 0));
    Seen *to = seen;
    int value = 1;
    Pair pair = {2, 3};
    void *arguments[] = {&to, &value, &pair};
    cudaKernelNodeParams kernel = {};
    kernel.func = reinterpret_cast<void *>(work);
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(32);
    kernel.kernelParams = arguments;
    CHECK_CUDA(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
    return graph;
  }

  void checkRun(cudaGraphExec_t graph, const Seen &expected) {
    CHECK_CUDA(cudaMemset(seen, 0, sizeof(Seen)));
    CHECK_CUDA(cudaGraphLaunch(graph, stream));
    const Seen now = seen.download()[0];
    CHECK_EQ(now.blocks, expected.blocks);
    CHECK_EQ(now.value, expected.value);
    CHECK_EQ(now.a, expected.a);
    CHECK_EQ(now.b, expected.b);
    CHECK_EQ(now.grid_x, expected.grid_x);
    CHECK_EQ(now.grid_y, expected.grid_y);
  }

  void checkErrors(int count) {
    const std::vector<int> now = errors.download();
    for (int i = 0; i < count; ++i)
      CHECK_EQ(now[i], int(cudaSuccess));
    CHECK_CUDA(cudaMemset(errors, 0xff, 8 * sizeof(int)));
  }
};

cudaGraphDeviceNode_t makeUpdatable(cudaGraphNode_t node) {
  cudaLaunchAttributeValue value = {};
  value.deviceUpdatableKernelNode.deviceUpdatable = 1;
  CHECK_CUDA(
      cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value));
  value = {};
  CHECK_CUDA(
      cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value));
  CHECK_EQ(value.deviceUpdatableKernelNode.deviceUpdatable, 1);
  CHECK(value.deviceUpdatableKernelNode.devNode != nullptr);
  return value.deviceUpdatableKernelNode.devNode;
}

void betweenLaunches(Program &program) {
  cudaGraphNode_t node = nullptr;
  cudaGraph_t graph = program.makeGraph(node);
  const cudaGraphDeviceNode_t device_node = makeUpdatable(node);
  cudaGraphExec_t executable = nullptr;
  CHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_CUDA(cudaGraphUpload(executable, program.stream));
  CHECK_CUDA(cudaStreamSynchronize(program.stream));
  program.checkRun(executable, {1, 1, 2, 3, 1, 1});
  change<<<1, 1>>>(device_node, 10, program.errors);
  program.checkErrors(3);
  program.checkRun(executable, {6, 10, 11, 12, 3, 2});
  program.checkRun(executable, {6, 10, 11, 12, 3, 2});
  enable<<<1, 1>>>(device_node, false, program.errors);
  program.checkErrors(1);
  program.checkRun(executable, {});
  enable<<<1, 1>>>(device_node, true, program.errors);
  program.checkErrors(1);
  changeAtOnce<<<1, 1>>>(device_node, 20, program.errors);
  program.checkErrors(1);
  program.checkRun(executable, {5, 20, 11, 12, 5, 1});
  CHECK_CUDA(cudaGraphExecDestroy(executable));
  CHECK_CUDA(cudaGraphDestroy(graph));
}

/// The host's own update takes the place of the kernels'.
void byTheHost(Program &program) {
  cudaGraphNode_t node = nullptr;
  cudaGraph_t graph = program.makeGraph(node);
  const cudaGraphDeviceNode_t device_node = makeUpdatable(node);
  cudaGraphExec_t executable = nullptr;
  CHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_CUDA(cudaGraphUpload(executable, program.stream));
  CHECK_CUDA(cudaStreamSynchronize(program.stream));
  change<<<1, 1>>>(device_node, 10, program.errors);
  program.checkErrors(3);
  Seen *to = program.seen;
  int value = 100;
  Pair pair = {101, 102};
  void *arguments[] = {&to, &value, &pair};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void *>(work);
  kernel.gridDim = dim3(7);
  kernel.blockDim = dim3(32);
  kernel.kernelParams = arguments;
  CHECK_CUDA(cudaGraphExecKernelNodeSetParams(executable, node, &kernel));
  CHECK_CUDA(cudaGraphUpload(executable, program.stream));
  program.checkRun(executable, {7, 100, 101, 102, 7, 1});
  CHECK_CUDA(cudaGraphExecDestroy(executable));
  CHECK_CUDA(cudaGraphDestroy(graph));
}

/// A kernel changes a node behind it.
void withinOneGraph(Program &program) {
  cudaGraphNode_t node = nullptr, changer = nullptr;
  cudaGraph_t graph = program.makeGraph(node);
  cudaGraphDeviceNode_t device_node = makeUpdatable(node);
  int value = 55, *errors = program.errors;
  void *arguments[] = {&device_node, &value, &errors};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void *>(change);
  kernel.gridDim = kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  CHECK_CUDA(cudaGraphAddKernelNode(&changer, graph, nullptr, 0, &kernel));
#if CUDART_VERSION >= 13000
  CHECK_CUDA(cudaGraphAddDependencies(graph, &changer, &node, nullptr, 1));
#else
  CHECK_CUDA(cudaGraphAddDependencies(graph, &changer, &node, 1));
#endif
  cudaGraphExec_t executable = nullptr;
  CHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_CUDA(cudaGraphUpload(executable, program.stream));
  program.checkRun(executable, {6, 55, 56, 57, 3, 2});
  program.checkErrors(3);
  CHECK_CUDA(cudaGraphExecDestroy(executable));
  CHECK_CUDA(cudaGraphDestroy(graph));
}

void captured(Program &program) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeDeviceUpdatableKernelNode;
  attribute.val.deviceUpdatableKernelNode.deviceUpdatable = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  config.stream = program.stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  Seen *const seen = program.seen;
  CHECK(cudaLaunchKernelEx(&config, work, seen, 5, Pair{1, 2}) != cudaSuccess); // not captured
  cudaGetLastError();
  CHECK_CUDA(cudaStreamBeginCapture(program.stream, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaLaunchKernelEx(&config, work, seen, 5, Pair{1, 2}));
  cudaGraph_t graph = nullptr;
  CHECK_CUDA(cudaStreamEndCapture(program.stream, &graph));
  cudaGraphExec_t executable = nullptr;
  CHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_CUDA(cudaGraphUpload(executable, program.stream));
  CHECK_CUDA(cudaStreamSynchronize(program.stream));
  change<<<1, 1>>>(attribute.val.deviceUpdatableKernelNode.devNode, 40, program.errors);
  program.checkErrors(3);
  program.checkRun(executable, {6, 40, 41, 42, 3, 2});
  CHECK_CUDA(cudaGraphExecDestroy(executable));
  CHECK_CUDA(cudaGraphDestroy(graph));
}

__global__ void changeWrongly(cudaGraphDeviceNode_t node, int *errors) {
  const int value = 1;
  errors[0] = cudaGraphKernelNodeSetGridDim(node, dim3(0));
  errors[1] = cudaGraphKernelNodeSetParam(node, 1000, value);
  errors[2] = cudaGraphKernelNodeSetParam(node, 30, value); // partly behind the last
  Updates made;
  made.get()->node = node;
  errors[3] = cudaGraphKernelNodeUpdatesApply(made.get(), 1); // of no field
}

/// Such nodes and their graphs are neither taken apart nor made twice, and keep what they have
/// been.
void refused(Program &program) {
  cudaGraphNode_t node = nullptr, other = nullptr;
  cudaGraph_t graph = program.makeGraph(node), others = program.makeGraph(other), clone = nullptr;
  const cudaGraphDeviceNode_t device_node = makeUpdatable(node);
  cudaLaunchAttributeValue no = {};
  CHECK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &no) !=
        cudaSuccess);
  CHECK(cudaGraphKernelNodeCopyAttributes(other, node) != cudaSuccess);
  CHECK(cudaGraphDestroyNode(node) != cudaSuccess);
  CHECK(cudaGraphClone(&clone, graph) != cudaSuccess);
  cudaGraphExec_t executable = nullptr, second = nullptr;
  CHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphInstantiate(&second, graph, 0) != cudaSuccess);
  cudaGraphExecUpdateResultInfo info = {};
  CHECK(cudaGraphExecUpdate(executable, others, &info) != cudaSuccess);
  cudaGetLastError();
  CHECK_CUDA(cudaGraphUpload(executable, program.stream));
  CHECK_CUDA(cudaStreamSynchronize(program.stream));
  changeWrongly<<<1, 1>>>(device_node, program.errors);
  const std::vector<int> errors = program.errors.download();
  for (int i = 0; i < 4; ++i)
    CHECK(errors[i] != int(cudaSuccess));
  program.checkRun(executable, {1, 1, 2, 3, 1, 1});
  CHECK_CUDA(cudaGraphExecDestroy(executable));
  CHECK_CUDA(cudaGraphDestroy(graph));
  CHECK_CUDA(cudaGraphDestroy(others));
}

int main() {
  Program program;
  betweenLaunches(program);
  byTheHost(program);
  withinOneGraph(program);
  captured(program);
  refused(program);
  RETURN_RESULT();
}
