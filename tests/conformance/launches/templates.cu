// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// Kernel templates launched from device code: given and deduced arguments, overloads, packs, and
// launches in templates, lambdas and member functions.
#include "../check.h"

template <class T> __global__ void store(T *to, T value) { *to = value; }
template <int n, class... Ts> __global__ void sum(double *to, Ts... values) {
  *to = (double(values) + ... + n);
}
__global__ void overloaded(int *to, int) { *to = 1; }
__global__ void overloaded(int *to, double) { *to = 2; }
__global__ void overloaded(int *to) { *to = 3; }

namespace inner {
struct Pair {
  int a;
  double b;
  char c;
};
template <class T> __global__ void store(T *to, const T from) { *to = from; }
} // namespace inner

struct Launcher {
  int *to;
  template <class T> __device__ void operator()(T value) const { overloaded<<<1, 1>>>(to, value); }
};

template <class Function> __device__ void apply(Function function) { function(); }

__global__ void parent(double *doubles, int *ints, inner::Pair *pairs) {
  store<<<1, 1>>>(doubles, 1.5);
  const double fraction = 7.9;
  store<int><<<1, 1>>>(ints, fraction);
  sum<3><<<1, 1>>>(doubles + 1, 1, 2.5f, 'a', short(-2));
  overloaded<<<1, 1>>>(ints + 1, 5);
  overloaded<<<1, 1>>>(ints + 2, 5.0);
  overloaded<<<1, 1>>>(ints + 3);
  Launcher{ints + 4}(2.0f);
  apply([=] { store<<<1, 1>>>(ints + 5, 55); });
  inner::Pair pair = {1, 2.5, 'x'};
  inner::store<<<dim3(1), dim3(1, 1)>>>(pairs, pair);
}

int main() {
  DeviceBuffer<double> doubles(2);
  DeviceBuffer<int> ints(6);
  DeviceBuffer<inner::Pair> pairs(1);
  parent<<<1, 1>>>(doubles, ints, pairs);
  CHECK_EQ(doubles.download()[0], 1.5);
  CHECK_EQ(doubles.download()[1], 3 + 1 + 2.5 + 97 - 2);
  const int expected[] = {7, 1, 2, 3, 2, 55};
  for (int i = 0; i < 6; ++i)
    CHECK_EQ(ints.download()[i], expected[i]);
  CHECK_EQ(pairs.download()[0].a, 1);
  CHECK_EQ(pairs.download()[0].b, 2.5);
  CHECK_EQ(pairs.download()[0].c, 'x');
  RETURN_RESULT();
}
