// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// cudaGetParameterBufferV2 and cudaLaunchDeviceV2, which launches are made of.
#include "../check.h"

__global__ void child(int *to, double value) { to[blockIdx.x] = int(value * 2) + blockDim.x; }

__global__ void parent(int *to, int *errors) {
  struct Parameters {
    int *to;
    double value;
  };
  void *buffer = cudaGetParameterBufferV2((void *)child, dim3(3), dim3(5), 0);
  errors[0] = buffer == nullptr;
  *(Parameters *)buffer = {to, 4.5};
  errors[1] = cudaLaunchDeviceV2(buffer, 0);
}

int main() {
  DeviceBuffer<int> to(3), errors(2);
  parent<<<1, 1>>>(to, errors);
  for (int value : to.download())
    CHECK_EQ(value, 14);
  for (int error : errors.download())
    CHECK_EQ(error, 0);
  RETURN_RESULT();
}
