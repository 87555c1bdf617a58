// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The traits that tell lambdas marked __device__ from others, in templates, too.
// flags: -std=c++17 -extended-lambda --expt-relaxed-constexpr
#include "check.h"

#include <type_traits>

template <class T> constexpr int kinds() {
  return __nv_is_extended_device_lambda_closure_type(T) +
         2 * __nv_is_extended_host_device_lambda_closure_type(T) +
         4 * __nv_is_extended_device_lambda_with_preserved_return_type(T);
}
template <class T> int kindsOf(T) { return kinds<T>(); }
template <class T> __global__ void kindsInKernel(int *out, T) { *out = kinds<T>(); }

// Depends on T, so that it can disable a specialisation.
template <class T, class = void> struct OnDeviceOnly : std::false_type {};
template <class T>
struct OnDeviceOnly<T, std::enable_if_t<__nv_is_extended_device_lambda_closure_type(T)>>
    : std::true_type {};

// A lambda of device code is no such lambda.
__global__ void lambdaInKernel(int *out) {
  auto marked = [] __device__(int i) { return i; };
  *out = kinds<decltype(marked)>() + 10;
}

struct Functor {
  __device__ int operator()(int i) const { return i; }
};

// Lambdas that are instantiated.
template <class T> int nested(T t) {
  auto device = [=] __device__(int i) { return i + t; };
  auto typed = [=] __device__(int i) -> T { return i + t; };
  auto both = [=] __host__ __device__(int i) { return i + t; };
  auto plain = [=](int i) { return i + t; };
  return kindsOf(device) + 10 * kindsOf(typed) + 100 * kindsOf(both) + 1000 * kindsOf(plain);
}

int main() {
  int x = 1;
  auto plain = [](int i) { return i; };
  auto host = [] __host__(int i) { return i; };
  auto device = [] __device__(int i) { return i; };
  auto typed = [=] __device__(int i) -> int { return i + x; };
  auto both = [] __host__ __device__(int i) { return i; };
  CHECK_EQ(kindsOf(plain), 0);
  CHECK_EQ(kindsOf(host), 0);
  CHECK_EQ(kindsOf(device), 1);
  CHECK_EQ(kindsOf(typed), 5);
  CHECK_EQ(kindsOf(both), 2);
  CHECK_EQ(kindsOf(Functor()), 0);
  CHECK_EQ(kinds<int>(), 0);
  CHECK_EQ(nested(3), 251);
  CHECK(OnDeviceOnly<decltype(device)>::value);
  CHECK(!OnDeviceOnly<decltype(plain)>::value && !OnDeviceOnly<decltype(both)>::value &&
        !OnDeviceOnly<int>::value);

  DeviceBuffer<int> out(3);
  kindsInKernel<<<1, 1>>>(out.data(), device);
  kindsInKernel<<<1, 1>>>(out.data() + 1, both);
  kindsInKernel<<<1, 1>>>(out.data() + 2, Functor());
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out.download()[0], 1);
  CHECK_EQ(out.download()[1], 2);
  CHECK_EQ(out.download()[2], 0);
  lambdaInKernel<<<1, 1>>>(out.data());
  CHECK_EQ(out.download()[0], 10);
  RETURN_RESULT();
}
