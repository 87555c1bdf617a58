// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An extern "C" kernel, and kernels launched by cudaLaunchKernel with an argument array, by name
// and through a table of function pointers.
#include "check.h"

extern "C" __global__ void plainName(int *out, int value) { atomicAdd(out, value); }
template <int factor> __global__ void times(int *out, int value) { atomicAdd(out, factor * value); }

typedef void (*Kernel)(int *, int);

int main() {
  DeviceBuffer<int> out(1);
  plainName<<<2, 2>>>(out, 1);
  int *pointer = out;
  int value = 10;
  void *arguments[] = {&pointer, &value};
  CHECK_CUDA(cudaLaunchKernel(reinterpret_cast<void *>(plainName), dim3(2), dim3(3), arguments, 0,
                              nullptr));
  CHECK_CUDA(cudaLaunchKernel(times<100>, dim3(1), dim3(1), arguments, 0, nullptr));
  const Kernel table[3] = {plainName, times<1000>, times<10000>};
  for (Kernel kernel : table)
    kernel<<<1, 1>>>(out, 1);
  CHECK_EQ(out.download()[0], 4 + 60 + 1000 + 11001);
  RETURN_RESULT();
}
