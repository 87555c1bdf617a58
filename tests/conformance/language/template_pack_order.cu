// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two function templates that no argument of the call tells apart: nvcc's front end takes the one
// without a pack. (In host code, which nvcc gives to g++, that one calls the call ambiguous.)
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

__global__ void kinds(int *found) {
  using OneFound = decltype(one<int>());
  using TwoFound = decltype(two<int, char>());
  using ListFound = decltype(one<int, char>());
  found[0] = OneFound::kind;
  found[1] = TwoFound::kind;
  found[2] = ListFound::kind;
}

int main() {
  DeviceBuffer<int> found(3);
  kinds<<<1, 1>>>(found);
  CHECK_CUDA(cudaDeviceSynchronize());
  const auto kind = found.download();
  CHECK_EQ(kind[0], 2);
  CHECK_EQ(kind[1], 3);
  CHECK_EQ(kind[2], 1);
  RETURN_RESULT();
}
