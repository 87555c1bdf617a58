// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extended __device__ and __host__ __device__ lambdas with captures by value passed to a kernel
// template.
// flags: --extended-lambda
#include "check.h"
#include <type_traits>

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

// Only the definition names the second parameter of the template around a lambda.
template <class T> struct Field {
  T *data;
  template <class U = T, std::enable_if_t<std::is_arithmetic_v<U>, int> = 0>
  void add(T value, int n);
};
template <class T>
template <class U, std::enable_if_t<std::is_arithmetic_v<U>, int> named>
void Field<T>::add(T value, int n) {
  T *const to = data;
  forEach<<<4, 32>>>(n, [=] __device__(int i) { to[i] += value; });
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
  Field<int>{data}.add(2, n);
  auto both = [settings] __host__ __device__(int i) {
    return settings.offset + settings.scale * i;
  };
  evaluate<<<1, n>>>(doubles.data(), both);
  const std::vector<int> result = buffer.download();
  const std::vector<double> scaled = doubles.download();
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(result[i], 3 * i + 3);
    CHECK_EQ(scaled[i], both(i));
  }
  RETURN_RESULT();
}
