// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
// A kernel that is PTX text sets the condition of the loop that it is in, as XLA's loops do: the
// function that it calls is the driver's.
#include "conditional.h"

#include <cuda.h>

const char *const text = R"(
.version 7.8
.target sm_70
.address_size 64

.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);

.visible .entry countDown(.param .u64 condition, .param .u64 left)
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [condition];
	ld.param.u64 %rd2, [left];
	cvta.to.global.u64 %rd3, %rd2;
	ld.global.u32 %r1, [%rd3];
	add.s32 %r2, %r1, -1;
	st.global.u32 [%rd3], %r2;
	setp.gt.s32 %p1, %r2, 0;
	selp.u32 %r3, 1, 0, %p1;
	{
	.param .b64 param0;
	.param .b32 param1;
	st.param.b64 [param0+0], %rd1;
	st.param.b32 [param1+0], %r3;
	call.uni cudaGraphSetConditional, (param0, param1);
	}
	ret;
}
)";

int main() {
  DeviceBuffer<int> left(std::vector<int>{5}), sum(1);
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  CHECK_EQ(int(cuModuleLoadData(&module, text)), int(CUDA_SUCCESS));
  CHECK_EQ(int(cuModuleGetFunction(&kernel, module, "countDown")), int(CUDA_SUCCESS));
  cudaGraph_t graph = newGraph();
  cudaGraphConditionalHandle condition = newCondition(graph, 1, cudaGraphCondAssignDefault);
  cudaGraph_t body = addConditional(graph, {}, condition, cudaGraphCondTypeWhile);
  CUgraphNode add = addKernel(body, {}, addTo, sum.data(), 1), last = nullptr;
  int *place = left.data();
  void *arguments[] = {&condition, &place};
  CUDA_KERNEL_NODE_PARAMS params = {};
  params.func = kernel;
  params.gridDimX = params.gridDimY = params.gridDimZ = 1;
  params.blockDimX = params.blockDimY = params.blockDimZ = 1;
  params.kernelParams = arguments;
  CHECK_EQ(int(cuGraphAddKernelNode(&last, body, &add, 1, &params)), int(CUDA_SUCCESS));
  Executable exec(graph);
  exec.run();
  CHECK_EQ(sum.download()[0], 5);
  CHECK_EQ(left.download()[0], 0);
  RETURN_RESULT();
}
