// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What C++ leaves undefined has a GPU's results in functions of other files, too, whose arguments
// are known only when all files are seen together; fused products and device mathematics as well.
// flags: -rdc=true
// also: parts/arithmetic_there.cu
#include "check.h"
#include "parts/arithmetic.h"

__global__ void compute(unsigned *out, float *floats, double *doubles) {
  out[0] = divide(7, 0) != 7; // some value; the kernel goes on
  out[1] = shiftLeft(1u, 32);
  out[2] = unsigned(toInt(3e20f));
  out[3] = unsigned(toInt(__int_as_float(0x7fc00000)));
  out[4] = unsigned(shiftRight(-8, 40));
  floats[0] = multiplyAdd(1 + 0x1p-12f, 1 - 0x1p-12f, -1.0f);
  floats[1] = minimum(0.0f, -0.0f);
  doubles[0] = hypotenuse(3, 4);
}

int main() {
  DeviceBuffer<unsigned> out(5);
  DeviceBuffer<float> floats(2);
  DeviceBuffer<double> doubles(1);
  compute<<<1, 1>>>(out.data(), floats.data(), doubles.data());
  CHECK_CUDA(cudaDeviceSynchronize());
  const std::vector<unsigned> got = out.download();
  CHECK_EQ(got[0], 1u);
  CHECK_EQ(got[2], 0x7fffffffu);
  CHECK_EQ(got[3], 0u);
  CHECK_EQ(got[1], 0u);
  CHECK_EQ(got[4], 0xffffffffu);
  CHECK_EQ(floats.download()[0], -0x1p-24f);
  CHECK(std::signbit(floats.download()[1]));
  CHECK_NEAR(doubles.download()[0], 5.0, 1e-14);
  RETURN_RESULT();
}
