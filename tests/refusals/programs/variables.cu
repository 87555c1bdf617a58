// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables in device memory and in host memory: CUDA C++ guide, "Memory Space Specifiers".
//--- host_variable_read
int x = 1;
__global__ void k(int *p) { *p = x; }
//--- host_variable_written
int x;
__global__ void k() { x = 1; }
//--- host_array_read
int x[4] = {1, 2, 3, 4};
__global__ void k(int *p, int i) { *p = x[i]; }
//--- host_variable_address
int x;
__global__ void k(int **p) { *p = &x; }
//--- host_static_variable
static int x = 1;
__global__ void k(int *p) { *p = x; }
//--- host_variable_in_both
int x = 1;
__host__ __device__ int f() { return x; }
__global__ void k(int *p) { *p = f(); }
//--- host_variable_in_both_used_by_host
int x = 1;
__host__ __device__ int f() { return x; }
int main() { return f() - 1; }
//--- host_class_static_member
struct S {
  static int x;
};
int S::x = 1;
__global__ void k(int *p) { *p = S::x; }
//--- host_const_int
const int x = 3;
__global__ void k(int *p) { *p = x; }
//--- host_const_float
const float x = 3.0f;
__global__ void k(float *p) { *p = x; }
//--- host_const_double_expression
const double x = 1.0 / 3;
__global__ void k(double *p) { *p = x * 2; }
//--- host_constexpr_float
constexpr float x = 3.0f;
__global__ void k(float *p) { *p = x; }
//--- host_const_int_not_constant
int f();
const int x = f();
__global__ void k(int *p) { *p = x; }
//--- host_const_int_address
const int x = 3;
__global__ void k(const int **p) { *p = &x; }
//--- host_const_int_reference
const int x = 3;
__device__ int f(const int &y) { return y; }
__global__ void k(int *p) { *p = f(x); }
//--- host_const_array
const int x[] = {1, 2, 3};
__global__ void k(int *p, int i) { *p = x[i]; }
//--- host_constexpr_array
constexpr int x[] = {1, 2, 3};
__global__ void k(int *p, int i) { *p = x[i]; }
//--- host_constexpr_array_constant_index
constexpr int x[] = {1, 2, 3};
__global__ void k(int *p) { *p = x[1]; }
//--- host_constexpr_member
struct S {
  int a, b;
};
constexpr S s{1, 2};
__global__ void k(int *p) { *p = s.b; }
//--- host_constexpr_pointer
constexpr const char *text = "text";
__global__ void k(const char **p) { *p = text; }
//--- host_reference
int x;
int &r = x;
__global__ void k(int *p) { *p = r; }
//--- host_enum
enum { three = 3 };
__global__ void k(int *p) { *p = three; }
//--- static_constexpr_member
struct S {
  static constexpr int n = 3;
};
__global__ void k(int *p) { *p = S::n; }
//--- static_constexpr_member_reference
struct S {
  static constexpr int n = 3;
};
__device__ int f(const int &y) { return y; }
__global__ void k(int *p) { *p = f(S::n); }
//--- stderr_in_kernel
#include <cstdio>
__global__ void k() { fprintf(stderr, "x"); }
//--- device_variable_read_by_host
__device__ int x;
int main() { return x; }
//--- device_variable_written_by_host
__device__ int x;
int main() { x = 1; }
//--- device_variable_address_by_host
__device__ int x;
int *p = &x;
int main() { return p == nullptr; }
//--- device_array_by_host
__device__ int x[4];
int main() { return x[1]; }
//--- device_array_to_function_by_host
__device__ int x[4];
int main() {
  int y;
  return cudaMemcpy(&y, x, 4, cudaMemcpyDefault);
}
//--- constant_read_by_host
__constant__ int x = 3;
int main() { return x; }
//--- constant_array_to_symbol_function
__constant__ int x[4];
int main() {
  int y[4] = {};
  return cudaMemcpyToSymbol(x, y, sizeof y);
}
//--- device_variable_read_by_both
__device__ int x;
__host__ __device__ int f() { return x; }
int main() { return f(); }
//--- managed_by_host
__managed__ int x;
int main() { return x; }
//--- symbol_as_text
__constant__ int x;
int main() {
  int y = 1;
  return cudaMemcpyToSymbol("x", &y, sizeof y);
}
//--- constant_written
__constant__ int x;
__global__ void k() { x = 1; }
//--- constant_written_through_pointer
__constant__ int x;
__global__ void k() { *&x = 1; }
//--- constant_array_written
__constant__ int x[4];
__global__ void k(int i) { x[i] = 1; }
//--- constant_local
__global__ void k(int *p) {
  __constant__ int x = 1;
  *p = x;
}
//--- constant_static_local
__global__ void k(int *p) {
  static __constant__ int x = 1;
  *p = x;
}
//--- constant_in_host_function
int main() {
  __constant__ int x;
  return 0;
}
//--- device_local
__global__ void k(int *p) {
  __device__ int x;
  *p = x;
}
//--- device_static_local
__global__ void k(int *p) {
  static __device__ int x;
  *p = x++;
}
//--- static_local
__global__ void k(int *p) {
  static int x = 1;
  *p = x++;
}
//--- static_local_dynamic
__global__ void k(int *p, int n) {
  static int x = n;
  *p = x++;
}
//--- static_local_in_both
__host__ __device__ int f() {
  static int x = 1;
  return x++;
}
__global__ void k(int *p) { *p = f(); }
//--- shared_at_file_scope
__shared__ int x[4];
__global__ void k(int *p) { *p = x[0]; }
//--- shared_extern_at_file_scope
extern __shared__ int x[];
__global__ void k(int *p) { *p = x[0]; }
//--- shared_in_host_function
int main() {
  __shared__ int x;
  return 0;
}
//--- shared_in_device_function
__device__ int f() {
  __shared__ int x;
  return x;
}
__global__ void k(int *p) { *p = f(); }
//--- shared_initialised
__global__ void k(int *p) {
  __shared__ int x = 1;
  *p = x;
}
//--- shared_array_initialised
__global__ void k(int *p) {
  __shared__ int x[2] = {1, 2};
  *p = x[0];
}
//--- shared_with_constructor
struct S {
  int x;
  __device__ S() : x(1) {}
};
__global__ void k(int *p) {
  __shared__ S s;
  *p = s.x;
}
//--- shared_with_empty_constructor
struct S {
  int x;
  __device__ S() {}
};
__global__ void k(int *p) {
  __shared__ S s;
  *p = s.x;
}
//--- shared_with_member_initialiser
struct S {
  int x = 3;
};
__global__ void k(int *p) {
  __shared__ S s;
  *p = s.x;
}
//--- shared_with_destructor
struct S {
  int x;
  __device__ ~S() { x = 1; }
};
__global__ void k(int *p) {
  __shared__ S s;
  *p = s.x;
}
//--- shared_barrier -arch=sm_80
#include <cuda/barrier>
__global__ void k(int *p) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0)
    init(&b, blockDim.x);
  *p = 1;
}
//--- shared_extern_scalar
__global__ void k(int *p) {
  extern __shared__ int x;
  *p = x;
}
//--- shared_extern_sized
__global__ void k(int *p) {
  extern __shared__ int x[4];
  *p = x[0];
}
//--- shared_unsized_not_extern
__global__ void k(int *p) {
  __shared__ int x[];
  *p = x[0];
}
//--- shared_extern_two_types
__global__ void k(int *p) {
  extern __shared__ int x[];
  *p = x[0];
}
__global__ void l(float *p) {
  extern __shared__ float x[];
  *p = x[0];
}
//--- shared_member
struct S {
  __shared__ int x;
};
//--- shared_static_member
struct S {
  static __shared__ int x;
};
//--- shared_parameter
__global__ void k(__shared__ int *x) { *x = 1; }
//--- shared_variable_length
__global__ void k(int *p, int n) {
  __shared__ int x[n];
  *p = x[0];
}
//--- shared_and_constant
__shared__ __constant__ int x;
//--- device_and_constant
__device__ __constant__ int x = 1;
__global__ void k(int *p) { *p = x; }
//--- device_member
struct S {
  __device__ int x;
};
//--- device_static_member
struct S {
  static __device__ int x;
};
__device__ int S::x = 3;
__global__ void k(int *p) { *p = S::x; }
//--- device_parameter
__global__ void k(__device__ int x) {}
//--- device_dynamic_initialisation
int f();
__device__ int x = f();
//--- device_dynamic_initialisation_by_device_function
__device__ int f() { return 1; }
__device__ int x = f();
//--- device_constructor
struct S {
  int x;
  __host__ __device__ S() : x(1) {}
};
__device__ S s;
__global__ void k(int *p) { *p = s.x; }
//--- device_constexpr_constructor
struct S {
  int x;
  constexpr __host__ __device__ S() : x(1) {}
};
__device__ S s;
__global__ void k(int *p) { *p = s.x; }
//--- device_empty_constructor
struct S {
  int x;
  __host__ __device__ S() {}
};
__device__ S s;
__global__ void k(int *p) { *p = s.x; }
//--- device_destructor
struct S {
  int x;
  __host__ __device__ ~S() { x = 1; }
};
__device__ S s;
__global__ void k(int *p) { *p = s.x; }
//--- device_string
#include <string>
__device__ std::string s;
//--- device_thread_local
__device__ thread_local int x;
//--- thread_local_in_kernel
__global__ void k(int *p) {
  thread_local int x = 1;
  *p = x;
}
//--- device_reference
__device__ int y;
__device__ int &x = y;
__global__ void k(int *p) { *p = x; }
//--- device_initialised_by_host_address
int y;
__device__ int *x = &y;
__global__ void k(int **p) { *p = x; }
//--- device_constexpr
__device__ constexpr int x = 3;
__global__ void k(const int **p) { *p = &x; }
//--- device_extern
extern __device__ int x;
__global__ void k(int *p) { *p = x; }
//--- device_extern_separate -rdc=true
extern __device__ int x;
__global__ void k(int *p) { *p = x; }
//--- constant_extern
extern __constant__ int x;
__global__ void k(int *p) { *p = x; }
//--- device_inline
inline __device__ int x = 3;
__global__ void k(int *p) { *p = x; }
//--- managed_const
__managed__ const int x = 1;
//--- managed_reference
__managed__ int y;
__managed__ int &x = y;
//--- managed_constructor
struct S {
  int x;
  S() : x(1) {}
};
__managed__ S s;
//--- managed_local
int main() {
  __managed__ int x;
  return 0;
}
//--- managed_thread_local
__managed__ thread_local int x;
//--- managed_and_constant
__managed__ __constant__ int x;
//--- device_unsized_array
extern __device__ int x[];
__global__ void k(int *p) { *p = x[0]; }
//--- structured_binding_device
struct S {
  int a, b;
};
__device__ S s;
__device__ auto [x, y] = s;
//--- structured_binding_in_kernel
struct S {
  int a, b;
};
__global__ void k(int *p, S s) {
  auto [x, y] = s;
  *p = x + y;
}
//--- device_long_double
__device__ long double x;
__global__ void k(long double *p) { *p = x * 2; }
//--- texture_reference
texture<float, 1> t;
//--- surface_reference
surface<void, 2> s;
//--- device_constexpr_static_member
struct S {
  static constexpr __device__ int x = 3;
};
__global__ void k(int *p) { *p = S::x; }
//--- constant_member_written
struct S {
  int a;
};
__constant__ S s;
__global__ void k() { s.a = 1; }
//--- constant_incremented
__constant__ int x;
__global__ void k() { ++x; }
//--- host_constexpr_empty_object
struct Tag {};
constexpr Tag tag;
__device__ int f(Tag) { return 1; }
__global__ void k(int *p) { *p = f(tag); }
//--- constant_object_copied
struct P {
  int v;
  constexpr __host__ __device__ P(int x) : v(x) {}
};
constexpr P c{7};
template <class T> inline constexpr P t{11};
__device__ int f(P p) { return p.v; }
__device__ P g() { return c; }
__global__ void k(int *o) { *o = f(c) + f(t<int>) + g().v; }
//--- constant_object_copied_by_its_constructor
struct P {
  int v;
  constexpr __host__ __device__ P(int x) : v(x) {}
  constexpr __host__ __device__ P(const P &o) : v(o.v) {}
};
constexpr P c{3};
__global__ void k(int *o) {
  P p = c;
  *o = p.v;
}
//--- constant_object_with_array_copied
struct A {
  int v[4];
};
constexpr A c{{1, 2, 3, 4}};
__global__ void k(int *o, int i) {
  A a = c;
  *o = a.v[i];
}
//--- const_object_not_constexpr
struct P {
  int v;
};
const P c{3};
__global__ void k(int *o) {
  P p = c;
  o[0] = p.v;
  o[1] = c.v;
}
//--- constant_object_constexpr_member_function
struct P {
  int v;
  constexpr __host__ __device__ int get() const { return v; }
};
constexpr P c{3};
__global__ void k(int *o) { o[0] = c.get(); }
//--- constant_object_by_reference
struct P {
  int v;
};
constexpr P c{3};
__device__ int f(const P &p) { return p.v; }
__global__ void k(int *o) { o[0] = f(c); }
//--- constant_object_array_member
struct A {
  int v[4];
};
constexpr A c{{1, 2, 3, 4}};
__global__ void k(int *o, int i) { o[0] = c.v[i]; }
//--- constant_object_array_member_constant_index
struct A {
  int v[4];
};
constexpr A c{{1, 2, 3, 4}};
__global__ void k(int *o, int i) { o[0] = c.v[2]; }
//--- constants_in_constexpr_call --expt-relaxed-constexpr
#include <algorithm>
constexpr int a = 3, b = 4;
__global__ void k(int *o) { o[0] = std::max(a, b); }
//--- constant_in_constexpr_call_with_variable --expt-relaxed-constexpr
#include <algorithm>
struct S {
  static constexpr int n = 5;
};
__global__ void k(int *o) { o[1] = std::max(S::n, o[2]); }
//--- constant_std_array_range --expt-relaxed-constexpr
#include <array>
constexpr std::array<int, 3> c{1, 2, 3};
__global__ void k(int *o) {
  for (int x : c)
    o[0] += x;
}
