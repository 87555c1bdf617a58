// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
//
// Contexts: primary ones, others, each thread's stack; what the runtime API has in common with
// them. A C file calls as CUDA 13 declares.
// also: parts/cuda13.c
#include "driver.h"

#include <thread>

using namespace driver;

extern "C" int useCuda13FromC(int device);

__global__ void store(int *to, int value) { *to = value; }

CUcontext current() {
  CUcontext found = nullptr;
  CHECK_DRIVER(cuCtxGetCurrent(&found));
  return found;
}

CUresult createContext(CUcontext *context, unsigned flags) {
#if CUDA_VERSION >= 13000
  return cuCtxCreate(context, nullptr, flags, 0);
#else
  return cuCtxCreate(context, flags, 0);
#endif
}

void beforeInit() {
  int count = 0;
  CUcontext context;
  CHECK_CODE(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_CODE(cuCtxGetCurrent(&context), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_CODE(cuInit(1), CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(cuInit(0));
  CHECK_EQ(current(), CUcontext(nullptr));
}

void withoutContext() {
  CUdeviceptr pointer;
  CUdevice device;
  CUstream stream;
  CUevent event;
  CHECK_CODE(cuMemAlloc(&pointer, 4), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_CODE(cuCtxGetDevice(&device), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_CODE(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_CODE(cuStreamCreate(&stream, 0), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_CODE(cuEventCreate(&event, 0), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_CODE(cuCtxPopCurrent(nullptr), CUDA_ERROR_INVALID_CONTEXT);
}

void primary() {
  CUcontext first, second;
  unsigned flags = 99;
  int active = 99;
  CHECK_DRIVER(cuDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK_EQ(active, 0);
  CHECK_DRIVER(cuDevicePrimaryCtxRetain(&first, 0));
  CHECK_DRIVER(cuDevicePrimaryCtxRetain(&second, 0));
  CHECK_EQ(first, second);
  CHECK_DRIVER(cuDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK_EQ(active, 1);
  CHECK_EQ(current(), CUcontext(nullptr)); // it does not become current
  CHECK_DRIVER(cuCtxSetCurrent(first));
  CHECK_EQ(current(), first);
  CHECK_CODE(cuCtxDestroy(first), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_DRIVER(cuCtxSetCurrent(first));
  CHECK_DRIVER(cuDevicePrimaryCtxRelease(0));
  int device = -1;
  CHECK_CUDA(cudaGetDevice(&device));
  CHECK_EQ(device, 0);
}

void stack() {
  CUcontext before = current(), made, popped;
  CUdevice device = -1;
  unsigned version = 0, flags = 0;
  CHECK_DRIVER(createContext(&made, CU_CTX_SCHED_YIELD));
  CHECK_EQ(current(), made);
  CHECK(made != before);
  CHECK_DRIVER(cuCtxGetDevice(&device));
  CHECK_EQ(device, 0);
  CHECK_DRIVER(cuCtxGetApiVersion(made, &version));
  CHECK(version >= 3020);
  CHECK_DRIVER(cuCtxGetFlags(&flags));
  CHECK_EQ(flags & CU_CTX_SCHED_MASK, unsigned(CU_CTX_SCHED_YIELD));
  CHECK_DRIVER(cuCtxPopCurrent(&popped));
  CHECK_EQ(popped, made);
  CHECK_EQ(current(), before);
  CHECK_DRIVER(cuCtxPushCurrent(made));
  std::thread([&] {
    CHECK_EQ(current(), CUcontext(nullptr)); // each thread has a stack of its own
    CHECK_DRIVER(cuCtxSetCurrent(made));
    CHECK_DRIVER(cuCtxSynchronize());
  }).join();
  CHECK_DRIVER(cuCtxDestroy(made));
  CHECK_EQ(current(), before);
#ifdef __clang__ // Heddle; an H100 takes any address, and nothing works in what is no context
  CHECK_CODE(cuCtxSetCurrent(reinterpret_cast<CUcontext>(&device)), CUDA_ERROR_INVALID_CONTEXT);
#endif
  CHECK_CODE(createContext(&made, 0xff00), CUDA_ERROR_INVALID_VALUE);
}

// The runtime works in the context that is current, whichever API has made what it uses.
void shared() {
  CUdeviceptr pointer;
  CUstream stream;
  CUevent event;
  cudaEvent_t other;
  int value = 0;
  float milliseconds = -1;
  CHECK_DRIVER(cuMemAlloc(&pointer, sizeof(int)));
  CHECK_DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK_DRIVER(cuEventCreate(&event, CU_EVENT_DEFAULT));
  CHECK_CUDA(cudaEventCreate(&other));
  CHECK_DRIVER(cuEventRecord(event, stream));
  store<<<1, 1, 0, stream>>>(reinterpret_cast<int *>(pointer), 42);
  CHECK_CUDA(cudaEventRecord(other, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_DRIVER(cuEventElapsedTime(&milliseconds, event, other));
  CHECK(milliseconds >= 0);
  CHECK_CUDA(
      cudaMemcpy(&value, reinterpret_cast<void *>(pointer), sizeof value, cudaMemcpyDefault));
  CHECK_EQ(value, 42);
  CUcontext of = nullptr;
  CHECK_DRIVER(cuStreamGetCtx(stream, &of));
  CHECK_EQ(of, current());
  CHECK_CUDA(cudaFree(reinterpret_cast<void *>(pointer)));
  CHECK_DRIVER(cuEventDestroy(other));
  CHECK_CUDA(cudaEventDestroy(event));
  CHECK_CUDA(cudaStreamDestroy(stream));
  // Errors of one API are not the other's last error.
  CHECK_CODE(cuMemFree(1), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cudaPeekAtLastError(), cudaSuccess);
}

void runtimeBinds() {
  CHECK_DRIVER(cuCtxSetCurrent(nullptr));
  CHECK_EQ(current(), CUcontext(nullptr));
  CHECK_CUDA(cudaSetDevice(0));
  CUcontext primary;
  CHECK_DRIVER(cuDevicePrimaryCtxRetain(&primary, 0));
  CHECK_EQ(current(), primary);
  CHECK_DRIVER(cuDevicePrimaryCtxRelease(0));
}

void limits() {
  size_t value = 0;
  int least = 9, most = 9;
  CHECK_DRIVER(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  CHECK_DRIVER(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  CHECK(value >= 4096);
  CHECK_CODE(cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE), CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(cuCtxGetStreamPriorityRange(&least, &most));
  CHECK(least >= most);
}

int main() {
  beforeInit();
  withoutContext();
  primary();
  stack();
  shared();
  runtimeBinds();
  limits();
  CHECK_EQ(useCuda13FromC(0), 0);
  RETURN_RESULT();
}
