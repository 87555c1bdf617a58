// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two function templates that no argument of the call tells apart: nvcc takes the one without a
// pack. (Catch2's TEMPLATE_TEST_CASE_SIG rests on it where all of its parameters are types.)
#include "../check.h"

template <class... Types> struct List {
  static constexpr int kind = 1;
};
template <class Type> struct One {
  static constexpr int kind = 2;
};
template <class First, class Second> struct Two {
  static constexpr int kind = 3;
};

template <class... Types> __host__ __device__ constexpr auto one() noexcept -> List<Types...> {
  return {};
}
template <class Type> __host__ __device__ constexpr auto one() noexcept -> One<Type> { return {}; }
template <class... Types> __host__ __device__ constexpr auto two() noexcept -> List<Types...> {
  return {};
}
template <class First, class Second>
__host__ __device__ constexpr auto two() noexcept -> Two<First, Second> {
  return {};
}

template <class Type> __global__ void kinds(int *found) {
  found[0] = decltype(one<Type>())::kind;
  found[1] = two<Type, char>().kind;
  found[2] = decltype(one<Type, char>())::kind;
}

int main() {
  DeviceBuffer<int> found(3);
  kinds<int><<<1, 1>>>(found);
  CHECK_CUDA(cudaDeviceSynchronize());
  const auto kind = found.download();
  CHECK_EQ(kind[0], 2);
  CHECK_EQ(kind[1], 3);
  CHECK_EQ(kind[2], 1);
  CHECK_EQ((decltype(two<long, short>())::kind), 3);
  RETURN_RESULT();
}
