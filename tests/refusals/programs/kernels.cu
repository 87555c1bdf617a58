// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel may look like, and how it is launched: CUDA C++ guide, "__global__ Functions".
//--- kernel_returns_int
__global__ int k() { return 1; }
//--- kernel_returns_auto
__global__ auto k() {}
//--- kernel_reference_parameter
__global__ void k(int &x) { x = 1; }
//--- kernel_rvalue_reference_parameter
__global__ void k(int &&x) { x = 1; }
//--- kernel_template_reference_parameter
template <class T> __global__ void k(T x) {}
int main() {
  int i = 0;
  k<int &><<<1, 1>>>(i);
}
//--- kernel_variable_arguments
__global__ void k(int x, ...) {}
//--- kernel_initializer_list_parameter
#include <initializer_list>
__global__ void k(std::initializer_list<int> x) {}
//--- kernel_member
struct S {
  __global__ void k() {}
};
//--- kernel_static_member
struct S {
  static __global__ void k() {}
};
//--- kernel_operator
struct S {};
__global__ void operator+(S, S) {}
//--- kernel_friend_defined
struct S {
  friend __global__ void k(S) {}
};
//--- kernel_friend_declared
struct S;
__global__ void k(S *);
struct S {
  friend __global__ void k(S *);

private:
  int x;
};
__global__ void k(S *s) { s->x = 1; }
//--- kernel_inline
inline __global__ void k() {}
//--- kernel_static
static __global__ void k() {}
//--- kernel_constexpr
constexpr __global__ void k() {}
//--- kernel_noexcept
__global__ void k() noexcept {}
//--- kernel_default_argument
__global__ void k(int x = 1) {}
int main() { k<<<1, 1>>>(); }
//--- kernel_pack_last
template <class... T> __global__ void k(T... x) {}
int main() { k<<<1, 1>>>(1, 2.0); }
//--- kernel_pack_first
template <class... T, class U> __global__ void k(U y, T... x) {}
int main() { k<<<1, 1>>>(1, 2.0); }
//--- kernel_two_packs
template <class... T> struct list {};
template <class... T, class... U> __global__ void k(list<T...>, list<U...>) {}
int main() { k<<<1, 1>>>(list<int>(), list<float>()); }
//--- kernel_local_type
template <class T> __global__ void k(T) {}
int main() {
  struct L {
    int x;
  };
  k<<<1, 1>>>(L{1});
}
//--- kernel_private_type
template <class T> __global__ void k(T) {}
class C {
  struct P {
    int x;
  };

public:
  void run() { k<<<1, 1>>>(P{1}); }
};
int main() { C().run(); }
//--- kernel_unnamed_type
template <class T> __global__ void k(T) {}
struct {
  int x;
} u;
int main() { k<<<1, 1>>>(u); }
//--- kernel_unnamed_enum
template <class T> __global__ void k(T) {}
enum { one };
int main() { k<<<1, 1>>>(one); }
//--- kernel_in_unnamed_namespace
namespace {
template <class T> __global__ void k(T) {}
} // namespace
int main() { k<<<1, 1>>>(1); }
//--- kernel_string_parameter
#include <string>
__global__ void k(std::string s) {}
int main() { k<<<1, 1>>>("text"); }
//--- kernel_non_trivial_parameter
struct S {
  int x;
  __host__ __device__ S(int x) : x(x) {}
  __host__ __device__ S(const S &s) : x(s.x) {}
  __host__ __device__ ~S() {}
};
__global__ void k(S s) {}
int main() { k<<<1, 1>>>(S(1)); }
//--- kernel_deleted_copy
struct S {
  S() = default;
  S(const S &) = delete;
  int x;
};
__global__ void k(S s) {}
int main() {
  S s;
  k<<<1, 1>>>(s);
}
//--- call_without_configuration
__global__ void k() {}
int main() { k(); }
//--- configured_host_function
void f() {}
int main() { f<<<1, 1>>>(); }
//--- configured_device_function
__device__ void f() {}
int main() { f<<<1, 1>>>(); }
//--- launch_too_few_arguments
__global__ void k(int) {}
int main() { k<<<1, 1>>>(); }
//--- launch_no_block
__global__ void k() {}
int main() { k<<<1>>>(); }
//--- launch_wrong_stream
__global__ void k() {}
int main() { k<<<1, 1, 0, "stream">>>(); }
//--- launch_float_grid
__global__ void k() {}
int main() { k<<<1.5, 1>>>(); }
//--- launch_five_values
__global__ void k() {}
int main() { k<<<1, 1, 0, 0, 0>>>(); }
//--- launch_braces
__global__ void k() {}
int main() {
  unsigned x = 2;
  k<<<{2, 3}, {x, 8, 1}, 0, 0>>>();
}
//--- kernel_undefined
__global__ void k();
int main() { k<<<1, 1>>>(); }
//--- kernel_twice
__global__ void k() {}
__global__ void k() {}
//--- kernel_recursion
__global__ void k(int n) {
  if (n)
    k<<<1, 1>>>(n - 1);
}
//--- kernel_launch_in_device_separate -rdc=true
__global__ void child() {}
__global__ void k() { child<<<1, 1>>>(); }
//--- kernel_address_in_kernel
__global__ void child() {}
__global__ void k(void **p) { *p = (void *)child; }
//--- main_is_kernel
__global__ void main() {}
//--- launch_bounds_ok
__global__ void __launch_bounds__(256, 2) k() {}
//--- launch_bounds_2048
__global__ void __launch_bounds__(2048) k(int *p) { *p = 1; }
//--- launch_bounds_1025
__global__ void __launch_bounds__(1025) k(int *p) { *p = 1; }
//--- launch_bounds_zero
__global__ void __launch_bounds__(0) k(int *p) { *p = 1; }
//--- launch_bounds_negative
__global__ void __launch_bounds__(-1) k(int *p) { *p = 1; }
//--- launch_bounds_not_constant
int n = 256;
__global__ void __launch_bounds__(n) k(int *p) { *p = 1; }
//--- launch_bounds_too_many_blocks
__global__ void __launch_bounds__(1024, 8) k(int *p) { *p = 1; }
//--- launch_bounds_cluster_old -arch=sm_80
__global__ void __launch_bounds__(256, 1, 2) k(int *p) { *p = 1; }
//--- launch_bounds_on_device_function
__device__ void __launch_bounds__(256) f(int *p) { *p = 1; }
//--- maxnreg
__global__ void __maxnreg__(32) k(int *p) { *p = 1; }
//--- maxnreg_and_launch_bounds
__global__ void __launch_bounds__(256) __maxnreg__(32) k(int *p) { *p = 1; }
//--- maxnreg_too_many
__global__ void __maxnreg__(512) k(int *p) { *p = 1; }
//--- cluster_dims_old -arch=sm_80
__global__ void __cluster_dims__(2, 1, 1) k(int *p) { *p = 1; }
//--- cluster_dims -arch=sm_90
__global__ void __cluster_dims__(2, 1, 1) k(int *p) { *p = 1; }
//--- cluster_dims_too_many -arch=sm_90
__global__ void __cluster_dims__(32, 1, 1) k(int *p) { *p = 1; }
//--- grid_constant -arch=sm_80
struct S {
  int x[4];
};
__global__ void k(const __grid_constant__ S s, const S **p) { *p = &s; }
//--- grid_constant_not_const -arch=sm_80
struct S {
  int x[4];
};
__global__ void k(__grid_constant__ S s, int *p) { *p = s.x[0]; }
//--- grid_constant_written -arch=sm_80
struct S {
  int x[4];
};
__global__ void k(const __grid_constant__ S s) { s.x[0] = 1; }
//--- grid_constant_on_device_function -arch=sm_80
__device__ int f(const __grid_constant__ int x) { return x; }
