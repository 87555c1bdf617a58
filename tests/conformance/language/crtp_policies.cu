// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static polymorphism on the device: CRTP, policy classes, template template parameters, SFINAE
// and tag dispatch.
#include "check.h"
#include <type_traits>

template <class Derived> struct Shape {
  __device__ float doubled() const { return 2 * static_cast<const Derived *>(this)->area(); }
};
struct Square : Shape<Square> {
  float side = 3;
  __device__ float area() const { return side * side; }
};

template <class T> struct Add {
  __device__ static T apply(T a, T b) { return a + b; }
};
template <class T> struct Multiply {
  __device__ static T apply(T a, T b) { return a * b; }
};
template <template <class> class Operation, class T> __device__ T fold(const T *values, int n) {
  T result = values[0];
  for (int i = 1; i < n; ++i)
    result = Operation<T>::apply(result, values[i]);
  return result;
}

template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0> __device__ int kind(T) {
  return 1;
}
template <class T, std::enable_if_t<std::is_floating_point<T>::value, int> = 0>
__device__ int kind(T) {
  return 2;
}

__device__ int dispatch(std::true_type) { return 10; }
__device__ int dispatch(std::false_type) { return 20; }

template <class T, class = void> struct HasArea : std::false_type {};
template <class T>
struct HasArea<T, std::void_t<decltype(std::declval<T>().area())>> : std::true_type {};

__global__ void evaluate(float *out) {
  const float values[4] = {1, 2, 3, 4};
  out[0] = Square().doubled();
  out[1] = fold<Add>(values, 4) * 100 + fold<Multiply>(values, 4);
  out[2] = kind(1) * 100 + kind(1.0f) * 10 + kind('c');
  out[3] = dispatch(HasArea<Square>()) + dispatch(HasArea<int>());
}

int main() {
  DeviceBuffer<float> out(4);
  evaluate<<<1, 1>>>(out);
  const float expected[4] = {18, 1024, 121, 30};
  const std::vector<float> result = out.download();
  for (int i = 0; i < 4; ++i)
    CHECK_EQ(result[i], expected[i]);
  RETURN_RESULT();
}
