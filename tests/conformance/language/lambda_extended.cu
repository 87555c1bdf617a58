// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extended __device__ and __host__ __device__ lambdas with captures by value passed to a kernel
// template.
// flags: --extended-lambda
#include "check.h"

struct Settings {
  short offset;
  double scale;
};

template <class F> __global__ void forEach(int n, F function) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    function(i);
}

template <class F> __global__ void evaluate(double *out, F function) {
  out[threadIdx.x] = function(threadIdx.x);
}

int main() {
  const int n = 100;
  DeviceBuffer<int> buffer(n);
  DeviceBuffer<double> doubles(n);
  int *data = buffer;
  const int factor = 3;
  const Settings settings = {7, 0.5};
  forEach<<<4, 32>>>(n, [=] __device__(int i) { data[i] = factor * i; });
  forEach<<<4, 32>>>(n, [data] __device__(int i) { data[i] += 1; });
  auto both = [settings] __host__ __device__(int i) {
    return settings.offset + settings.scale * i;
  };
  evaluate<<<1, n>>>(doubles.data(), both);
  const std::vector<int> result = buffer.download();
  const std::vector<double> scaled = doubles.download();
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(result[i], 3 * i + 1);
    CHECK_EQ(scaled[i], both(i));
  }
  RETURN_RESULT();
}
