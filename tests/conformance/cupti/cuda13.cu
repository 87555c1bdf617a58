// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcupti -lcuda -ldl
// hardware: skip it checks which versions Heddle's libraries have
//
// What programs of CUDA 13 find in CUPTI: its version, its records, which are longer than those of
// CUDA 12 in records.h, and its kinds of records.
#include "records.h"

#include <dlfcn.h>

// As NVIDIA's headers have them.
static_assert(sizeof(CUpti_ActivityKernel9) == 208 && sizeof(CUpti_ActivityKernel13) == 248);
static_assert(sizeof(CUpti_ActivityMemcpy6) == 96 && sizeof(CUpti_ActivityMemcpy7) == 112);
static_assert(sizeof(CUpti_ActivityMemset4) == 88 && sizeof(CUpti_ActivityMemset5) == 104);
static_assert(sizeof(CUpti_ActivityCudaEvent2) == 56 && sizeof(CUpti_ActivityCudaEvent3) == 80);
static_assert(offsetof(CUpti_ActivityKernel13, priority) == 216);
static_assert(offsetof(CUpti_ActivityKernel13, sourceGraphId) == 232);
static_assert(offsetof(CUpti_ActivityMemcpy7, copyCount) == 88);
static_assert(offsetof(CUpti_ActivityMemset5, sourceGraphNodeId) == 96);
static_assert(offsetof(CUpti_ActivityCudaEvent3, graphNodeId) == 56);

static __global__ void nothing() {}

static std::vector<CUpti_ActivityKernel13> newer_kernels;
static std::vector<CUpti_ActivityMemset5> newer_fills;
static std::vector<CUpti_ActivityCudaEvent3> newer_events;

static void complete13(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid) {
  CUpti_Activity *record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      records::take(newer_kernels, record);
    else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET)
      records::take(newer_fills, record);
    else if (record->kind == CUPTI_ACTIVITY_KIND_CUDA_EVENT)
      records::take(newer_events, record);
  std::free(buffer);
}

static uint32_t versionOf(const char *library) {
  uint32_t version = 0;
  void *const loaded = dlopen(library, RTLD_NOW);
  CHECK(loaded != nullptr);
  if (void *const function = loaded ? dlsym(loaded, "cuptiGetVersion") : nullptr)
    CHECK_CUPTI(reinterpret_cast<CUptiResult (*)(uint32_t *)>(function)(&version));
  return version;
}

int main() {
  CHECK_EQ(versionOf("libcupti.so.12"), 26u);
  CHECK_EQ(versionOf("libcupti.so.13"), 130500u);
  int *data;
  cudaEvent_t event;
  CHECK_CUDA(cudaMalloc(&data, 4096));
  CHECK_CUDA(cudaEventCreate(&event));
  CHECK_CUPTI(cuptiActivityRegisterCallbacks(records::request, complete13));
  for (const auto kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMSET,
                          CUPTI_ACTIVITY_KIND_CUDA_EVENT})
    CHECK_CUPTI(cuptiActivityEnable(kind));
  for (int i = 0; i < 3; ++i) {
    nothing<<<i + 1, 32>>>();
    CHECK_CUDA(cudaMemset(data, i, 4096));
    CHECK_CUDA(cudaEventRecord(event));
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUPTI(cuptiActivityFlushAll(0));
  CHECK_EQ(newer_kernels.size(), 3u);
  CHECK_EQ(newer_fills.size(), 3u);
  CHECK_EQ(newer_events.size(), 3u);
  for (size_t i = 0; i < newer_kernels.size(); ++i) {
    CHECK_EQ(newer_kernels[i].gridX, int(i) + 1);
    CHECK_EQ(newer_kernels[i].priority, 0);
    CHECK_EQ(newer_kernels[i].isDeviceLaunched, 0);
    CHECK_EQ(newer_kernels[i].sourceGraphNodeId, 0u);
  }
  for (size_t i = 0; i < newer_fills.size(); ++i)
    CHECK_EQ(newer_fills[i].sourceGraphNodeId + newer_fills[i].sourceGraphId, 0u);
  for (size_t i = 0; i < newer_events.size(); ++i)
    CHECK_EQ(newer_events[i].graphNodeId + newer_events[i].deviceTimestamp, 0u);
  // What there is no record of is said to be.
  CHECK_EQ(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_GREEN_CONTEXT), CUPTI_ERROR_NOT_SUPPORTED);
  CHECK_EQ(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_COUNT), CUPTI_ERROR_INVALID_KIND);
  CHECK_EQ(cuptiActivityEnableCudaEventDeviceTimestamps(1), CUPTI_ERROR_NOT_SUPPORTED);
  CHECK_CUPTI(cuptiActivityEnableCudaEventDeviceTimestamps(0));
  RETURN_RESULT();
}
