// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that no cache holds.
#include "suite.h"

constexpr int n = 1 << 24;

// of: mark-nontemporal-stores
__global__ void axpby(const double *x, const double *y, double *out, double a, double b) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  out[i] = a * x[i] + b * y[i];
}

// of: mark-nontemporal-stores
__global__ void split(const float2 *in, float *re, float *im, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    re[i] = in[i].x;
    im[i] = in[i].y;
  }
}

int main(int argc, char **argv) {
  const suite::Suite suite(argc, argv);
  const auto *in = suite::zeros<double>(n);
  auto *out = suite::zeros<double>(n);
  suite.run("axpby", out, n, [&] { axpby<<<n / 256, 256>>>(in, in, out, 2, 3); });
  auto *floats = reinterpret_cast<float *>(out);
  suite.run("split", out, n, [&] {
    split<<<64, 256>>>(reinterpret_cast<const float2 *>(in), floats, floats + n, n);
  });
}
