// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcupti -lcuda
// CUPTI's records of kernels, copies, fills, calls, events and waits: what they say, and that they
// belong together.
#include "records.h"

#include <atomic>
#include <thread>

using namespace records;

__global__ void addOne(int *data, int count) {
  extern __shared__ int unused[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    data[i] += 1;
}

static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                           CUPTI_ACTIVITY_KIND_MEMCPY,
                                           CUPTI_ACTIVITY_KIND_MEMSET,
                                           CUPTI_ACTIVITY_KIND_RUNTIME,
                                           CUPTI_ACTIVITY_KIND_DRIVER,
                                           CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
                                           CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
                                           CUPTI_ACTIVITY_KIND_CUDA_EVENT};

static void enable(bool on) {
  for (const CUpti_ActivityKind kind : kinds)
    CHECK_CUPTI(on ? cuptiActivityEnable(kind) : cuptiActivityDisable(kind));
}

static void work(cudaStream_t stream, cudaEvent_t event) {
  constexpr int count = 1000;
  int *device, *pinned;
  std::vector<int> pageable(count, 1);
  CHECK_CUDA(cudaMalloc(&device, count * sizeof(int)));
  CHECK_CUDA(cudaMallocHost(&pinned, count * sizeof(int)));
  CHECK_CUDA(cudaMemset(device, 5, count * sizeof(int)));
  CHECK_CUDA(cudaMemcpy(device, pageable.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  CHECK_CUPTI(cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, 11));
  CHECK_CUPTI(cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, 42));
  addOne<<<dim3(8), dim3(128), 64, stream>>>(device, count);
  uint64_t last = 0;
  CHECK_CUPTI(
      cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last));
  CHECK_EQ(last, uint64_t(42));
  CHECK_CUDA(cudaEventRecord(event, stream));
  CHECK_CUPTI(
      cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last));
  CHECK_EQ(
      int(cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last)),
      int(CUPTI_ERROR_QUEUE_EMPTY));
  CHECK_CUDA(cudaStreamWaitEvent(nullptr, event));
  CHECK_CUDA(cudaMemcpyAsync(pinned, device, count * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(pinned[999], 2);
  CHECK_EQ(int(cudaMemcpy(pinned, device, 4, cudaMemcpyKind(77))),
           int(cudaErrorInvalidMemcpyDirection));
  cudaGetLastError();
  CHECK_CUDA(cudaFreeHost(pinned));
  CHECK_CUDA(cudaFree(device));
}

static void checkKernel(uint32_t stream_id) {
  CHECK_EQ(kernels.size(), size_t(1));
  if (kernels.empty())
    return;
  const CUpti_ActivityKernel9 kernel = kernels.front();
  CHECK_EQ(std::string(kernel.name) == "_Z6addOnePii", true);
  CHECK_EQ(kernel.gridX, 8);
  CHECK_EQ(kernel.gridY, 1);
  CHECK_EQ(kernel.blockX, 128);
  CHECK_EQ(kernel.dynamicSharedMemory, 64);
  CHECK_EQ(kernel.streamId, stream_id);
  CHECK_EQ(kernel.deviceId, 0u);
  CHECK(kernel.registersPerThread > 0);
  CHECK(kernel.start < kernel.end);
  const CUpti_ActivityAPI *call = callOf(kernel.correlationId);
  CHECK(nameOf(call) == "cudaLaunchKernel_v7000");
  CHECK(call && call->start <= kernel.start);
  // Of the ids that were pushed, the last one that was not popped yet.
  uint64_t external_id = 0;
  for (const auto &each : external)
    if (each.correlationId == kernel.correlationId) {
      CHECK_EQ(int(each.externalKind), int(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0));
      external_id = each.externalId;
    }
  CHECK_EQ(external_id, uint64_t(42));
  CHECK_EQ(external.size(), size_t(2)); // the launch, and the record of the event
}

static void checkCopies() {
  CHECK_EQ(copies.size(), size_t(2));
  if (copies.size() != 2)
    return;
  CHECK_EQ(int(copies[0].copyKind), int(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD));
  CHECK_EQ(int(copies[0].srcKind), int(CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE));
  CHECK_EQ(int(copies[0].dstKind), int(CUPTI_ACTIVITY_MEMORY_KIND_DEVICE));
  CHECK_EQ(int(copies[0].flags), 0);
  CHECK_EQ(copies[0].bytes, uint64_t(4000));
  CHECK_EQ(copies[0].streamId, 7u);
  CHECK(nameOf(callOf(copies[0].correlationId)) == "cudaMemcpy_v3020");
  CHECK_EQ(int(copies[1].copyKind), int(CUPTI_ACTIVITY_MEMCPY_KIND_DTOH));
  CHECK_EQ(int(copies[1].dstKind), int(CUPTI_ACTIVITY_MEMORY_KIND_PINNED));
  CHECK_EQ(int(copies[1].flags), int(CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC));
  CHECK(nameOf(callOf(copies[1].correlationId)) == "cudaMemcpyAsync_v3020");
  CHECK(copies[0].end <= copies[1].start);
  CHECK_EQ(fills.size(), size_t(1));
  if (fills.size() == 1) {
    CHECK_EQ(fills[0].bytes, uint64_t(4000));
    CHECK_EQ(fills[0].value, 5u);
    CHECK_EQ(int(fills[0].memoryKind), int(CUPTI_ACTIVITY_MEMORY_KIND_DEVICE));
  }
}

static void checkWaits(uint32_t stream_id) {
  CHECK_EQ(events.size(), size_t(1));
  CHECK_EQ(waits.size(), size_t(3));
  if (events.size() != 1 || waits.size() != 3)
    return;
  CHECK_EQ(events[0].streamId, stream_id);
  CHECK_EQ(int(waits[0].type), int(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT));
  CHECK_EQ(waits[0].cudaEventId, events[0].eventId);
  CHECK_EQ(waits[0].cudaEventSyncId, events[0].cudaEventSyncId);
  CHECK_EQ(waits[0].streamId, 7u);
  CHECK_EQ(int(waits[1].type), int(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE));
  CHECK_EQ(waits[1].streamId, stream_id);
  CHECK_EQ(waits[1].cudaEventId, CUPTI_SYNCHRONIZATION_INVALID_VALUE);
  CHECK_EQ(int(waits[2].type), int(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE));
  CHECK(nameOf(callOf(waits[2].correlationId)) == "cudaDeviceSynchronize_v3020");
}

static void checkResults() {
  int failed = 0;
  for (const CUpti_ActivityAPI &call : calls) {
    CHECK(call.start <= call.end);
    if (call.returnValue) {
      ++failed;
      CHECK(nameOf(&call) == "cudaMemcpy_v3020");
      CHECK_EQ(call.returnValue, uint32_t(cudaErrorInvalidMemcpyDirection));
    }
  }
  CHECK_EQ(failed, 1);
}

// What is not enabled leaves no record; one function's calls can be.
static void checkChoices(cudaStream_t stream, cudaEvent_t event) {
  enable(false);
  clear();
  CHECK_CUPTI(cuptiActivityEnableRuntimeApi(CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020, 1));
  work(stream, event);
  CHECK_CUPTI(cuptiActivityEnableRuntimeApi(CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020, 0));
  work(stream, event);
  CHECK_CUPTI(cuptiActivityFlushAll(0));
  CHECK_EQ(calls.size(), size_t(1));
  CHECK(!calls.empty() && nameOf(&calls[0]) == "cudaMalloc_v3020");
  CHECK(kernels.empty() && copies.empty() && external.empty() && waits.empty());
}

static uint64_t ticks() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

// Buffers that hold few records, many threads, and the program's own clock.
static void checkBuffers() {
  clear();
  buffer_bytes = 3 * sizeof(CUpti_ActivityAPI) + 8;
  CHECK_CUPTI(cuptiActivityRegisterTimestampCallback(ticks));
  CHECK_CUPTI(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME));
  constexpr int threads = 4, each = 50;
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i)
    running.emplace_back([] {
      for (int k = 0; k < each; ++k) {
        int device = -1;
        cudaGetDevice(&device);
      }
    });
  for (std::thread &thread : running)
    thread.join();
  CHECK_CUPTI(cuptiActivityDisable(CUPTI_ACTIVITY_KIND_RUNTIME));
  CHECK_CUPTI(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
  CHECK_CUPTI(cuptiActivityRegisterTimestampCallback(nullptr));
  CHECK_EQ(calls.size(), size_t(threads * each));
  CHECK_EQ(completed, requested);
  for (const CUpti_ActivityAPI &call : calls)
    CHECK(call.end < 10000 && call.start < call.end);
  size_t dropped = 99;
  CHECK_CUPTI(cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped));
  CHECK_EQ(dropped, size_t(0));
  // A buffer that holds no record of this kind.
  buffer_bytes = 8;
  CHECK_CUPTI(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUPTI(cuptiActivityDisable(CUPTI_ACTIVITY_KIND_RUNTIME));
  CHECK_CUPTI(cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped));
  CHECK_EQ(dropped, size_t(1));
}

static void checkErrors() {
  const char *text = nullptr;
  CHECK_CUPTI(cuptiGetResultString(CUPTI_ERROR_INVALID_KIND, &text));
  CHECK(text && std::string(text) == "CUPTI_ERROR_INVALID_KIND");
  CHECK_EQ(int(cuptiGetResultString(CUptiResult(12345), &text)),
           int(CUPTI_ERROR_INVALID_PARAMETER));
  CHECK_EQ(int(cuptiActivityEnable(CUpti_ActivityKind(4711))), int(CUPTI_ERROR_INVALID_KIND));
  CHECK_EQ(int(cuptiGetLastError()), int(CUPTI_ERROR_INVALID_KIND));
  CHECK_EQ(int(cuptiGetLastError()), int(CUPTI_SUCCESS));
  CHECK_EQ(int(cuptiActivityRegisterCallbacks(nullptr, nullptr)),
           int(CUPTI_ERROR_INVALID_PARAMETER));
  size_t size = 1, value = 0;
  CHECK_EQ(int(cuptiActivityGetAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, &size, &value)),
           int(CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT));
  size = sizeof(value);
  value = 123456;
  CHECK_CUPTI(cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, &size, &value));
  value = 0;
  CHECK_CUPTI(cuptiActivityGetAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, &size, &value));
  CHECK_EQ(value, size_t(123456));
}

int main() {
  cudaStream_t stream;
  cudaEvent_t event;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaEventCreate(&event));
  checkErrors();
  CHECK_CUPTI(cuptiActivityRegisterCallbacks(request, complete));
  uint32_t stream_id = 0;
  CHECK_CUPTI(cuptiGetStreamIdEx(nullptr, reinterpret_cast<CUstream>(stream), 0, &stream_id));
  CHECK(stream_id != 7);
  enable(true);
  uint64_t before = 0, after = 0;
  CHECK_CUPTI(cuptiGetTimestamp(&before));
  work(stream, event);
  CHECK_CUPTI(cuptiGetTimestamp(&after));
  CHECK_CUPTI(cuptiActivityFlushAll(0));
  checkKernel(stream_id);
  checkCopies();
  checkWaits(stream_id);
  checkResults();
  for (const CUpti_ActivityAPI &call : calls)
    CHECK(before <= call.start && call.end <= after);
  checkChoices(stream, event);
  checkBuffers();
  RETURN_RESULT();
}
