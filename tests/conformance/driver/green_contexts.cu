// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcuda
// Green contexts: parts of a device's multiprocessors, and streams that belong to them.
#include "driver.h"

__global__ void square(int *data) { data[threadIdx.x] *= data[threadIdx.x]; }

struct Parts {
  CUdevResource groups[2], remaining;
  unsigned count = 2;
};

CUdevResource multiprocessors(CUdevice device) {
  CUdevResource all = {};
  int expected = 0;
  CHECK_DRIVER(cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM));
  CHECK_DRIVER(cuDeviceGetAttribute(&expected, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
  CHECK_EQ(all.type, CU_DEV_RESOURCE_TYPE_SM);
  CHECK_EQ(int(all.sm.smCount), expected);
  return all;
}

Parts checkSplit(const CUdevResource &all) {
  unsigned possible = 0;
  CHECK_DRIVER(cuDevSmResourceSplitByCount(nullptr, &possible, &all, nullptr, 0, 8));
  CHECK(possible >= 2 && possible <= all.sm.smCount / 8);
  Parts parts;
  CHECK_DRIVER(
      cuDevSmResourceSplitByCount(parts.groups, &parts.count, &all, &parts.remaining, 0, 8));
  CHECK_EQ(parts.count, 2u);
  CHECK(parts.groups[0].sm.smCount >= 8);
  CHECK_EQ(parts.groups[0].sm.smCount, parts.groups[1].sm.smCount);
  CHECK_EQ(parts.remaining.sm.smCount, all.sm.smCount - 2 * parts.groups[0].sm.smCount);
  return parts;
}

void checkContext(CUdevice device, CUdevResource &part) {
  CUdevResourceDesc description;
  CUgreenCtx green = nullptr, found = nullptr;
  CHECK_DRIVER(cuDevResourceGenerateDesc(&description, &part, 1));
  CHECK_CODE(cuGreenCtxCreate(&green, description, device, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(cuGreenCtxCreate(&green, description, device, CU_GREEN_CTX_DEFAULT_STREAM));
  CUdevResource own = {};
  CHECK_DRIVER(cuGreenCtxGetDevResource(green, &own, CU_DEV_RESOURCE_TYPE_SM));
  CHECK_EQ(own.sm.smCount, part.sm.smCount);

  CUstream stream = nullptr, other = nullptr;
  CHECK_CODE(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_DEFAULT, 0),
             CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0));
  CHECK_DRIVER(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  CHECK_DRIVER(cuStreamGetGreenCtx(stream, &found));
  CHECK_EQ(found, green);
  CHECK_DRIVER(cuStreamGetGreenCtx(other, &found));
  CHECK(found == nullptr);
#if CUDA_VERSION >= 12050
  CUcontext of_stream = nullptr, current = nullptr;
  CHECK_DRIVER(cuCtxGetCurrent(&current)); // the primary one
  CHECK_DRIVER(cuStreamGetCtx_v2(stream, &of_stream, &found));
  CHECK(found == green && of_stream == current);
  CHECK_DRIVER(cuStreamGetCtx_v2(other, &of_stream, &found));
  CHECK(found == nullptr && of_stream == current);
#endif

  // Another stream's work comes after that of the context, and this after that.
  CUevent event;
  CHECK_DRIVER(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  DeviceBuffer<int> numbers(std::vector<int>{2, 3, 4});
  square<<<1, 3, 0, stream>>>(numbers.data());
  CHECK_DRIVER(cuGreenCtxRecordEvent(green, event));
  CHECK_DRIVER(cuStreamWaitEvent(other, event, 0));
  square<<<1, 3, 0, other>>>(numbers.data());
  CHECK_DRIVER(cuEventRecord(event, other));
  CHECK_DRIVER(cuGreenCtxWaitEvent(green, event));
  square<<<1, 3, 0, stream>>>(numbers.data());
  CHECK_DRIVER(cuStreamSynchronize(stream));
  CHECK(numbers.download() == (std::vector<int>{256, 6561, 65536}));

  // As a context it is the same device's.
  CUcontext before = nullptr, context = nullptr;
  CUdevice of_context = -1;
  CHECK_DRIVER(cuCtxGetCurrent(&before));
  CHECK_DRIVER(cuCtxFromGreenCtx(&context, green));
  CHECK_DRIVER(cuCtxSetCurrent(context));
  CHECK_DRIVER(cuCtxGetDevice(&of_context));
  CHECK_EQ(of_context, device);
  CHECK_DRIVER(cuCtxGetDevResource(context, &own, CU_DEV_RESOURCE_TYPE_SM));
  CHECK_EQ(own.sm.smCount, part.sm.smCount);
  CHECK_DRIVER(cuCtxSetCurrent(before));

  CHECK_DRIVER(cuStreamDestroy(stream));
  CHECK_DRIVER(cuStreamDestroy(other));
  CHECK_DRIVER(cuEventDestroy(event));
  CHECK_DRIVER(cuGreenCtxDestroy(green));
}

void checkRefusals(const CUdevResource &all, CUdevResource &group) {
  unsigned count = 1;
  CUdevResource result, made_up = {};
  CHECK_CODE(cuDevSmResourceSplitByCount(&result, nullptr, &all, nullptr, 0, 8),
             CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE(cuDevSmResourceSplitByCount(&result, &count, nullptr, nullptr, 0, 8),
             CUDA_ERROR_INVALID_VALUE);
  CHECK(cuDevSmResourceSplitByCount(&result, &count, &all, nullptr, 0, all.sm.smCount + 1) !=
        CUDA_SUCCESS);
  CHECK(cuDevSmResourceSplitByCount(&result, &count, &made_up, nullptr, 0, 8) != CUDA_SUCCESS);
#ifdef __clang__ // driver 580.159 ends by a signal
  CUdevResourceDesc description;
  CHECK_CODE(cuDevResourceGenerateDesc(&description, &group, 0), CUDA_ERROR_INVALID_VALUE);
#else
  (void)group;
#endif
}

int main() {
  CHECK_CUDA(cudaFree(nullptr));
  CUdevice device = 0;
  const CUdevResource all = multiprocessors(device);
  Parts parts = checkSplit(all);
  checkContext(device, parts.groups[1]);
  checkRefusals(all, parts.groups[0]);
  RETURN_RESULT();
}
