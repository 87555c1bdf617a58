// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What there is to ask of streams, functions and links since CUDA 12.8.
// hardware: skip needs CUDA 13.3
#include "check.h"

__global__ void takes(int *, float, char) {}
__global__ void nothing() {}

int main() {
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  int device = -1;
  CHECK_CUDA(cudaStreamGetDevice(stream, &device));
  CHECK_EQ(device, 0);
  CHECK_CUDA(cudaStreamGetDevice(nullptr, &device));
  CHECK_EQ(cudaStreamGetDevice(stream, nullptr), cudaErrorInvalidValue);

  size_t count = 9;
  CHECK_CUDA(cudaFuncGetParamCount((const void *)takes, &count));
  CHECK_EQ(count, size_t(3));
  CHECK_CUDA(cudaFuncGetParamCount((const void *)nothing, &count));
  CHECK_EQ(count, size_t(0));

  int called = 0;
  const cudaHostFn_t note = [](void *data) { *static_cast<int *>(data) = 5; };
  CHECK_CUDA(cudaLaunchHostFunc_v2(stream, note, &called, cudaHostTaskSpinWait));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(called, 5);
  CHECK_EQ(cudaLaunchHostFunc_v2(stream, note, &called, 7), cudaErrorInvalidValue);

  const cudaAtomicOperation operations[] = {cudaAtomicOperationIntegerAdd, cudaAtomicOperationCAS};
  unsigned capabilities[2] = {77, 77};
  int native = -1;
  CHECK_CUDA(cudaDeviceGetAttribute(&native, cudaDevAttrHostNativeAtomicSupported, 0));
  CHECK_CUDA(cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 2, 0));
  CHECK_EQ((capabilities[0] & cudaAtomicCapabilityScalar32) != 0, native != 0);
  CHECK_EQ(cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 2, 99),
           cudaErrorInvalidDevice);
  CHECK_EQ(cudaDeviceGetHostAtomicCapabilities(nullptr, operations, 2, 0), cudaErrorInvalidValue);

  cudaGetLastError(); // of what was refused

  // One copy with the attributes of those in batches.
  DeviceBuffer<int> to(4), from(std::vector<int>{1, 2, 3, 4});
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  CHECK_CUDA(cudaMemcpyWithAttributesAsync(to.data(), from.data(), 16, &attributes, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(to.download()[3], 4);
  CHECK_CUDA(cudaStreamDestroy(stream));
  RETURN_RESULT();
}
