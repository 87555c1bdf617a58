// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which function may call which, and use what: CUDA C++ guide, "Execution Space Specifiers".
//--- host_function_in_kernel
int host(int x) { return x; }
__global__ void k(int *p) { *p = host(1); }
//--- host_function_in_device_function
int host(int x) { return x; }
__device__ int f() { return host(1); }
__global__ void k(int *p) { *p = f(); }
//--- host_function_in_unused_device_function
int host(int x) { return x; }
__device__ int f() { return host(1); }
//--- host_function_in_both
int host(int x) { return x; }
__host__ __device__ int f(int x) { return host(x); }
__global__ void k(int *p) { *p = f(1); }
//--- host_function_in_both_used_by_host
int host(int x) { return x; }
__host__ __device__ int f(int x) { return host(x); }
int main() { return f(0); }
//--- host_function_in_template_for_both
int host(int x) { return x; }
template <class T> __host__ __device__ T f(T x) { return host(x); }
__global__ void k(int *p) { *p = f(1); }
//--- device_function_in_host_function
__device__ int f(int x) { return x; }
int main() { return f(0); }
//--- device_function_in_both
__device__ int f(int x) { return x; }
__host__ __device__ int both(int x) { return f(x); }
int main() { return both(0); }
//--- device_function_in_both_for_kernel
__device__ int f(int x) { return x; }
__host__ __device__ int both(int x) { return f(x); }
__global__ void k(int *p) { *p = both(1); }
//--- syncthreads_on_host
int main() { __syncthreads(); }
//--- thread_index_on_host
int main() { return threadIdx.x; }
//--- atomic_on_host
int main() {
  int x = 0;
  return atomicAdd(&x, 1);
}
//--- device_intrinsic_on_host
int main() { return __popc(7) + __clz(1); }
//--- constexpr_host_function_in_kernel
constexpr int square(int x) { return x * x; }
__global__ void k(int *p, int n) { *p = square(n); }
//--- constexpr_host_function_constant
constexpr int square(int x) { return x * x; }
__global__ void k(int *p) {
  constexpr int n = square(3);
  *p = n;
}
//--- constexpr_host_function_relaxed --expt-relaxed-constexpr
constexpr int square(int x) { return x * x; }
__global__ void k(int *p, int n) { *p = square(n); }
//--- constexpr_device_function_on_host
__device__ constexpr int square(int x) { return x * x; }
int main(int argc, char **) { return square(argc); }
//--- constexpr_device_function_on_host_relaxed --expt-relaxed-constexpr
__device__ constexpr int square(int x) { return x * x; }
int main(int argc, char **) { return square(argc); }
//--- consteval_in_kernel -std=c++20
consteval int square(int x) { return x * x; }
__global__ void k(int *p) { *p = square(3); }
//--- standard_constexpr_in_kernel
#include <algorithm>
__global__ void k(int *p, int n) { *p = std::max(n, 3); }
//--- standard_constexpr_relaxed --expt-relaxed-constexpr
#include <algorithm>
__global__ void k(int *p, int n) { *p = std::max(n, 3); }
//--- vector_in_kernel
#include <vector>
__global__ void k(int *p) {
  std::vector<int> v(3);
  *p = v[0];
}
//--- string_in_kernel
#include <string>
__global__ void k(int *p) {
  std::string s("a");
  *p = s.size();
}
//--- cout_in_kernel
#include <iostream>
__global__ void k() { std::cout << 1; }
//--- rand_in_kernel
#include <cstdlib>
__global__ void k(int *p) { *p = rand(); }
//--- host_constructor_in_kernel
struct S {
  S() { x = 1; }
  int x;
};
__global__ void k(int *p) {
  S s;
  *p = s.x;
}
//--- host_destructor_in_kernel
struct S {
  int x = 0;
  ~S() { x = 1; }
};
__global__ void k(int *p) {
  S s;
  *p = s.x;
}
//--- host_member_in_kernel
struct S {
  int x;
  int get() const { return x; }
};
__global__ void k(int *p, S s) { *p = s.get(); }
//--- host_operator_in_kernel
struct S {
  int x;
};
S operator+(S a, S b) { return {a.x + b.x}; }
__global__ void k(int *p, S s) { *p = (s + s).x; }
//--- host_function_address_in_kernel
int host(int x) { return x; }
__global__ void k(int (**p)(int)) { *p = host; }
//--- device_function_address_on_host
__device__ int f(int x) { return x; }
int (*pointer)(int) = f;
//--- host_virtual_overrides_device
struct A {
  __device__ virtual int f() { return 1; }
};
struct B : A {
  int f() override { return 2; }
};
__global__ void k(int *p) {
  B b;
  *p = b.f();
}
//--- device_virtual_overrides_host
struct A {
  virtual int f() { return 1; }
};
struct B : A {
  __device__ int f() override { return 2; }
};
int main() { return 0; }
//--- redeclared_for_other_space
int f(int);
__device__ int f(int x) { return x; }
__global__ void k(int *p) { *p = f(1); }
//--- overloads_by_space
int f(int x) { return x; }
__device__ int f(int x) { return x + 1; }
__global__ void k(int *p) { *p = f(1); }
//--- global_and_device
__global__ __device__ void k() {}
//--- global_and_host
__global__ __host__ void k() {}
//--- undefined_device_function
__device__ int f(int);
__global__ void k(int *p) { *p = f(1); }
//--- undefined_device_function_separate -rdc=true
__device__ int f(int);
__global__ void k(int *p) { *p = f(1); }
//--- lambda_in_kernel
__global__ void k(int *p) {
  auto f = [=](int x) { return x + 1; };
  *p = f(1);
}
//--- host_lambda_called_in_kernel
template <class F> __global__ void k(int *p, F f) { *p = f(1); }
int main() {
  k<<<1, 1>>>((int *)nullptr, [](int x) { return x; });
}
//--- constexpr_host_function_in_both
constexpr int square(int x) { return x * x; }
__host__ __device__ int f(int n) { return square(n); }
__global__ void k(int *p, int n) { *p = f(n); }
//--- constexpr_host_function_as_template_argument
constexpr int square(int x) { return x * x; }
template <int N> struct Number {
  static constexpr int value = N;
};
__global__ void k(int *p) { *p = Number<square(3)>::value; }
//--- standard_move_and_forward
#include <utility>
__global__ void k(int *p, int n) { *p = std::move(n) + std::forward<int>(n); }
//--- numeric_limits_in_kernel
#include <limits>
__global__ void k(float *p) { *p = std::numeric_limits<float>::max(); }
//--- array_in_kernel
#include <array>
__global__ void k(int *p, std::array<int, 3> a) { *p = a[1]; }
//--- complex_in_kernel
#include <complex>
__global__ void k(std::complex<float> *p) { *p = *p * *p; }
//--- pair_in_kernel
#include <utility>
__global__ void k(int *p) {
  std::pair<int, int> a(1, 2);
  *p = a.first;
}
//--- initializer_list_in_kernel
#include <initializer_list>
__global__ void k(int *p) {
  int sum = 0;
  for (int x : {1, 2, 3})
    sum += x;
  *p = sum;
}
