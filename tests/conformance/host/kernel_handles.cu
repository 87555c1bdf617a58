// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles of kernels: launched and asked like the kernel itself.
#include "check.h"

__global__ void __launch_bounds__(96) store(int *to, int value) { to[threadIdx.x] = value; }
static void noKernel() {}

int main() {
  cudaKernel_t kernel = nullptr;
  CHECK_CUDA(cudaGetKernel(&kernel, reinterpret_cast<const void *>(&store)));
  DeviceBuffer<int> out(32);
  int *pointer = out;
  int value = 17;
  void *arguments[] = {&pointer, &value};
  CHECK_CUDA(cudaLaunchKernel(reinterpret_cast<const void *>(kernel), dim3(1), dim3(32), arguments,
                              0, nullptr));
  CHECK_EQ(out.download()[31], 17);
  cudaFuncAttributes attributes;
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void *>(kernel)));
  CHECK_EQ(attributes.maxThreadsPerBlock, 96);

  cudaFunction_t function = nullptr;
  CHECK_CUDA(cudaGetFuncBySymbol(&function, reinterpret_cast<const void *>(&store)));
  CHECK_EQ(function != nullptr, true);
  CHECK_EQ(cudaGetFuncBySymbol(&function, reinterpret_cast<const void *>(&noKernel)),
           cudaErrorInvalidDeviceFunction);
  CHECK_EQ(cudaGetKernel(&kernel, reinterpret_cast<const void *>(&noKernel)),
           cudaErrorInvalidDeviceFunction);
  cudaGetLastError();
  RETURN_RESULT();
}
