// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels and device functions that are templates over types, values and functors, explicitly
// instantiated and specialised.
#include "check.h"

template <class T> struct Doubler {
  __device__ T operator()(T value) const { return value + value; }
};

struct AddConstant {
  int constant;
  template <class T> __device__ T operator()(T value) const { return value + T(constant); }
};

template <class T, class F> __global__ void map(T *data, int n, F function) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = function(data[i]);
}

template <int count> __device__ int repeated(int value) {
  return value + repeated<count - 1>(value);
}
template <> __device__ int repeated<0>(int) { return 0; }

template <int count, bool negate> __global__ void times(int *out) {
  out[threadIdx.x] = (negate ? -1 : 1) * repeated<count>(threadIdx.x);
}

template __global__ void map<short, Doubler<short>>(short *, int, Doubler<short>);

int main() {
  const int n = 40;
  DeviceBuffer<int> ints(std::vector<int>(n, 21)), products(n);
  DeviceBuffer<double> doubles(std::vector<double>(n, 0.25));
  DeviceBuffer<short> shorts(std::vector<short>(n, -3));
  map<<<2, 32>>>(ints.data(), n, Doubler<int>());
  map<<<2, 32>>>(doubles.data(), n, AddConstant{3});
  map<<<2, 32>>>(shorts.data(), n, Doubler<short>());
  times<7, true><<<1, n>>>(products);
  const std::vector<int> negated = products.download();
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(ints.download()[i], 42);
    CHECK_EQ(doubles.download()[i], 3.25);
    CHECK_EQ(shorts.download()[i], -6);
    CHECK_EQ(negated[i], -7 * i);
  }
  RETURN_RESULT();
}
