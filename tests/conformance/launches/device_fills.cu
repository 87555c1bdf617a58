// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
// hardware: skip an H200 with CUDA 13.0 says cudaSuccess and fills nothing
//
// Fills in kernels, in the order of their stream.
#include "../check.h"

__global__ void parent(int *out, int *errors) {
  errors[0] = cudaMemsetAsync(out, 1, 16, 0);
  errors[1] = cudaMemset2DAsync(out + 32, 8, 2, 4, 2, 0);
  errors[2] = cudaMemsetAsync(out + 1, 3, 4, 0);
}

int main() {
  DeviceBuffer<int> out(64), errors(3);
  parent<<<1, 1>>>(out, errors);
  const std::vector<int> got = out.download();
  for (int error : errors.download())
    CHECK_EQ(error, int(cudaSuccess));
  for (int i = 0; i < 4; ++i)
    CHECK_EQ(got[i], i == 1 ? 0x03030303 : 0x01010101);
  CHECK_EQ(got[4], 0);
  CHECK_EQ(got[32], 0x02020202);
  CHECK_EQ(got[33], 0);
  CHECK_EQ(got[34], 0x02020202);
  RETURN_RESULT();
}
