// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaHostRegister: ordinary memory becomes pinned and mapped; kernels use it through its device
// pointer until it is unregistered.
#include "check.h"

__global__ void square(int *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= data[i];
}

int main() {
  const int n = 5000;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = i;
  CHECK_CUDA(cudaHostRegister(values.data(), n * sizeof(int),
                              cudaHostRegisterPortable | cudaHostRegisterMapped));
  int *device = nullptr;
  CHECK_CUDA(cudaHostGetDevicePointer(reinterpret_cast<void **>(&device), values.data(), 0));
  square<<<(n + 255) / 256, 256>>>(device, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i)
    CHECK_EQ(values[i], i * i);
  unsigned flags = 0;
  CHECK_CUDA(cudaHostGetFlags(&flags, values.data()));
  CHECK(flags & cudaHostRegisterMapped);
  CHECK_EQ(cudaHostRegister(values.data(), n * sizeof(int), 0),
           cudaErrorHostMemoryAlreadyRegistered);
  CHECK_CUDA(cudaHostUnregister(values.data()));
  CHECK_EQ(cudaHostUnregister(values.data()), cudaErrorHostMemoryNotRegistered);
  CHECK_CUDA(cudaHostRegister(values.data(), n * sizeof(int), 0)); // again is fine now
  CHECK_CUDA(cudaHostUnregister(values.data()));
  RETURN_RESULT();
}
