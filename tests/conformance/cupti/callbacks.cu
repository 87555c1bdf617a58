// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcupti -lcuda
// CUPTI's callbacks: around calls of both APIs, with what belongs to them, for contexts and
// streams, and for waits; and launches of graphs in records.
#include "records.h"

#include <cuda.h>

using namespace records;

__global__ void setTo(int *data, int value) { data[threadIdx.x] = value; }

struct Seen {
  CUpti_CallbackDomain domain;
  CUpti_CallbackId id;
  CUpti_ApiCallbackSite site;
  std::string function, symbol;
  uint32_t correlation;
  uint64_t data;
  int result;
  dim3 grid, block;
  bool has_context;
};
static std::vector<Seen> seen;
static std::vector<CUpti_CallbackId> resources, synchronized;
static CUstream made_stream, waited_stream;

static void callback(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                     const void *data) {
  CHECK_EQ(*static_cast<int *>(user), 17);
  if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
    resources.push_back(id);
    if (id == CUPTI_CBID_RESOURCE_STREAM_CREATED)
      made_stream = static_cast<const CUpti_ResourceData *>(data)->resourceHandle.stream;
    return;
  }
  if (domain == CUPTI_CB_DOMAIN_SYNCHRONIZE) {
    synchronized.push_back(id);
    waited_stream = static_cast<const CUpti_SynchronizeData *>(data)->stream;
    return;
  }
  const auto *call = static_cast<const CUpti_CallbackData *>(data);
  Seen now{domain,
           id,
           call->callbackSite,
           call->functionName,
           call->symbolName ? call->symbolName : "",
           call->correlationId,
           *call->correlationData,
           call->functionReturnValue ? *static_cast<const int *>(call->functionReturnValue) : -1,
           {},
           {},
           call->context != nullptr};
  if (id == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000 &&
      domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
    const auto *launch = static_cast<const cudaLaunchKernel_v7000_params *>(call->functionParams);
    now.grid = launch->gridDim;
    now.block = launch->blockDim;
  }
  if (call->callbackSite == CUPTI_API_ENTER)
    *call->correlationData = 1000 + seen.size();
  seen.push_back(now);
}

static void checkLaunch(CUpti_SubscriberHandle subscriber, int *device) {
  CHECK_CUPTI(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API,
                                  CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000));
  uint32_t enabled = 0;
  CHECK_CUPTI(cuptiGetCallbackState(&enabled, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API,
                                    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000));
  CHECK_EQ(enabled, 1u);
  setTo<<<2, 32>>>(device, 3);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(seen.size(), size_t(2)); // not the other calls
  if (seen.size() != 2)
    return;
  const Seen &enter = seen[0], &exit = seen[1];
  CHECK_EQ(int(enter.site), int(CUPTI_API_ENTER));
  CHECK_EQ(int(exit.site), int(CUPTI_API_EXIT));
  CHECK(enter.function == "cudaLaunchKernel");
  CHECK(enter.symbol == "_Z5setToPii");
  CHECK(exit.symbol == "_Z5setToPii");
  CHECK_EQ(enter.grid.x, 2u);
  CHECK_EQ(enter.block.x, 32u);
  CHECK_EQ(enter.correlation, exit.correlation);
  CHECK_EQ(exit.data, uint64_t(1000));
  CHECK_EQ(enter.result, -1);
  CHECK_EQ(exit.result, 0);
  CHECK(enter.has_context);
}

static void checkDomains(CUpti_SubscriberHandle subscriber) {
  CHECK_CUPTI(cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API));
  CHECK_CUPTI(cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE));
  CHECK_CUPTI(cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_SYNCHRONIZE));
  seen.clear();
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_EQ(reinterpret_cast<cudaStream_t>(made_stream), stream);
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(reinterpret_cast<cudaStream_t>(waited_stream), stream);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_EQ(seen.size(), size_t(0)); // calls of the runtime are not the driver API's
  CUdeviceptr memory;
  CHECK_EQ(int(cuMemAlloc(&memory, 64)), 0);
  CHECK_EQ(int(cuMemFree(memory)), 0);
  CHECK_EQ(int(cuMemFree(12)), int(CUDA_ERROR_INVALID_VALUE));
  CHECK_EQ(seen.size(), size_t(6));
  if (seen.size() == 6) {
    CHECK(seen[0].function == "cuMemAlloc_v2");
    CHECK_EQ(seen[0].id, CUpti_CallbackId(CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2));
    CHECK_EQ(seen[5].result, int(CUDA_ERROR_INVALID_VALUE));
  }
  CUcontext context;
  CHECK_EQ(int(cuCtxCreate(&context, 0, 0)), 0);
  CHECK_EQ(int(cuCtxSynchronize()), 0);
  CHECK_EQ(int(cuCtxDestroy(context)), 0);
  const std::vector<CUpti_CallbackId> expected = {
      CUPTI_CBID_RESOURCE_STREAM_CREATED, CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING,
      CUPTI_CBID_RESOURCE_CONTEXT_CREATED, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING};
  CHECK(resources == expected);
  const std::vector<CUpti_CallbackId> waits_expected = {
      CUPTI_CBID_SYNCHRONIZE_STREAM_SYNCHRONIZED, CUPTI_CBID_SYNCHRONIZE_CONTEXT_SYNCHRONIZED};
  CHECK(synchronized == waits_expected);
}

// Kernels of a graph belong to the call that has launched it, and to its stream.
static void checkGraph(int *device) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  setTo<<<1, 32, 0, stream>>>(device, 8);
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  CHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_CUPTI(cuptiActivityRegisterCallbacks(request, complete));
  CHECK_CUPTI(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_KERNEL));
  CHECK_CUPTI(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME));
  CHECK_CUDA(cudaGraphLaunch(executable, stream));
  CHECK_CUDA(cudaGraphLaunch(executable, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_CUPTI(cuptiActivityFlushAll(0));
  uint32_t stream_id = 0;
  CHECK_CUPTI(cuptiGetStreamId(nullptr, reinterpret_cast<CUstream>(stream), &stream_id));
  CHECK_EQ(kernels.size(), size_t(2));
  for (const CUpti_ActivityKernel9 &kernel : kernels) {
    CHECK(nameOf(callOf(kernel.correlationId)) == "cudaGraphLaunch_v10000");
    CHECK_EQ(kernel.streamId, stream_id);
    CHECK_EQ(int(kernel.kind), int(CUPTI_ACTIVITY_KIND_KERNEL));
  }
  CHECK(kernels.size() == 2 && kernels[0].correlationId != kernels[1].correlationId);
}

int main() {
  int user = 17;
  CUpti_SubscriberHandle subscriber, other;
  CHECK_CUPTI(cuptiSubscribe(&subscriber, callback, &user));
  CHECK_EQ(int(cuptiSubscribe(&other, callback, &user)),
           int(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED));
  CHECK_EQ(int(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, 100000)),
           int(CUPTI_ERROR_INVALID_PARAMETER));
  CHECK_EQ(int(cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_NVTX)),
           int(CUPTI_ERROR_NOT_SUPPORTED));
  int *device;
  CHECK_CUDA(cudaMalloc(&device, 128));
  checkLaunch(subscriber, device);
  checkDomains(subscriber);
  CHECK_CUPTI(cuptiUnsubscribe(subscriber));
  CHECK_EQ(int(cuptiUnsubscribe(subscriber)), int(CUPTI_ERROR_INVALID_PARAMETER));
  seen.clear();
  CHECK_CUDA(cudaFree(device));
  CHECK(seen.empty());
  CHECK_CUDA(cudaMalloc(&device, 128));
  checkGraph(device);
  CHECK_CUPTI(cuptiSubscribe(&subscriber, callback, &user));
  CHECK_CUPTI(cuptiFinalize());
  CHECK_EQ(int(cuptiUnsubscribe(subscriber)), int(CUPTI_ERROR_INVALID_PARAMETER));
  RETURN_RESULT();
}
