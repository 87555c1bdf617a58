// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch syntax as formatters leave it: spaces inside <<< and >>>, line breaks, 1 to 4
// arguments, dim3 and int, a template and a function pointer.
#include "check.h"

__global__ void add(int *out, int amount) { atomicAdd(out, amount); }
template <class T, int n> __global__ void addTemplate(T *out) { atomicAdd(out, T(n)); }

// clang-format off
int main() {
  DeviceBuffer<int> out(1);
  dim3 g(2), b = 3;
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaDeviceSynchronize());
  add <<<1, 1>>> (out, 1);
  add<<<g, b>>>(out, 10);
  add << < 1, 1 >> > (out, 3);
  add<< <dim3(1), 1>> >(out, 4);
  add <<< g, b >>> (out, 100);
  add
      <<<
          dim3(1, 2, 1),
          dim3(1)
      >>>
      (out, 1000);
  add<<<1, 2, 0>>>(out, 10000);
  CHECK_CUDA(cudaDeviceSynchronize());
  add<<<1, 1, 16 * sizeof(int), stream>>>(out, 100000);
  CHECK_CUDA(cudaStreamSynchronize(stream));
  addTemplate<int, 1000000><<<1, 1>>>(out.data());
  void (*pointer)(int *, int) = add;
  pointer<<<1, 1>>>(out, 10000000);
  (*pointer)<<<1, 1>>>(out, 10000000);
  CHECK_EQ(out.download()[0], 21122668);
  CHECK_CUDA(cudaStreamDestroy(stream));
  RETURN_RESULT();
}
