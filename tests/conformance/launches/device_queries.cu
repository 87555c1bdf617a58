// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// What kernels can ask about device and kernels: the same as the host is told.
#include "../check.h"

__global__ void __launch_bounds__(64) child(int *out) { *out = 1; }
__global__ void unbounded(int *out) { *out = 1; }

struct Answers {
  int device, count, sms, warp, blocks, max_threads, errors[8];
  size_t pending, heap;
  char name[40], text[40];
};

__device__ void copy(char *to, const char *from) {
  while ((*to++ = *from++))
    ;
}

__global__ void ask(Answers *a) {
  cudaFuncAttributes attributes;
  a->errors[0] = cudaGetDevice(&a->device);
  a->errors[1] = cudaGetDeviceCount(&a->count);
  a->errors[2] = cudaDeviceGetAttribute(&a->sms, cudaDevAttrMultiProcessorCount, 0);
  a->errors[3] = cudaDeviceGetLimit(&a->pending, cudaLimitDevRuntimePendingLaunchCount);
  a->errors[4] = cudaDeviceGetLimit(&a->heap, cudaLimitMallocHeapSize);
  a->errors[5] = cudaFuncGetAttributes(&attributes, child);
  a->errors[6] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a->blocks, unbounded, 256, 0);
  a->errors[7] = cudaDeviceGetAttribute(&a->warp, cudaDevAttrWarpSize, 77);
  a->max_threads = attributes.maxThreadsPerBlock;
  copy(a->name, cudaGetErrorName(cudaErrorInvalidConfiguration));
  copy(a->text, cudaGetErrorString(cudaErrorInvalidConfiguration));
}

int main() {
  DeviceBuffer<Answers> answers(1);
  ask<<<1, 1>>>(answers);
  const Answers got = answers.download()[0];
  int count, sms, blocks;
  size_t heap;
  CHECK_CUDA(cudaGetDeviceCount(&count));
  CHECK_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  CHECK_CUDA(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, unbounded, 256, 0));
  CHECK_EQ(got.device, 0);
  CHECK_EQ(got.count, count);
  CHECK_EQ(got.sms, sms);
  CHECK_EQ(got.blocks, blocks);
  CHECK_EQ(got.max_threads, 64);
  CHECK_EQ(got.pending, size_t(2048));
  CHECK_EQ(got.heap, heap);
  for (int i = 0; i < 7; ++i)
    CHECK_EQ(got.errors[i], cudaSuccess);
  CHECK_EQ(got.errors[7], cudaErrorInvalidDevice);
  CHECK_EQ(strcmp(got.name, "cudaErrorInvalidConfiguration"), 0);
  CHECK_EQ(strcmp(got.text, "invalid configuration argument"), 0);
  RETURN_RESULT();
}
