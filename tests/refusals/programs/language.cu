// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ that device code does not have: CUDA C++ guide, "C++ Language Support", "Restrictions".
//--- throw
__global__ void k(int n) {
  if (n)
    throw 1;
}
//--- throw_in_both
__host__ __device__ void f(int n) {
  if (n)
    throw 1;
}
__global__ void k(int n) { f(n); }
//--- throw_in_both_host_only
__host__ __device__ void f(int n) {
#ifndef __CUDA_ARCH__
  if (n)
    throw 1;
#endif
}
__global__ void k(int n) { f(n); }
//--- try
__global__ void k(int *p) {
  try {
    *p = 1;
  } catch (...) {
    *p = 2;
  }
}
//--- typeid
#include <typeinfo>
__global__ void k(const char **p) { *p = typeid(int).name(); }
//--- dynamic_cast
struct A {
  __device__ virtual ~A() {}
};
struct B : A {};
__global__ void k(A *a, B **b) { *b = dynamic_cast<B *>(a); }
//--- variable_length_array
__global__ void k(int *p, int n) {
  int x[n];
  x[0] = 1;
  *p = x[0];
}
//--- alloca
__global__ void k(int *p, int n) {
  int *x = (int *)alloca(n);
  x[0] = 1;
  *p = x[0];
}
//--- computed_goto
__global__ void k(int *p, int n) {
  void *to = n ? &&a : &&b;
  goto *to;
a:
  *p = 1;
  return;
b:
  *p = 2;
}
//--- goto
__global__ void k(int *p, int n) {
  if (n)
    goto end;
  *p = 1;
end:;
}
//--- statement_expression
__global__ void k(int *p) {
  *p = ({
    int x = 1;
    x + 1;
  });
}
//--- nested_function
__global__ void k(int *p) {
  int f() { return 1; }
  *p = f();
}
//--- setjmp
#include <csetjmp>
__global__ void k(int *p) {
  jmp_buf b;
  *p = setjmp(b);
}
//--- va_list
#include <cstdarg>
__device__ int f(int n, ...) {
  va_list l;
  va_start(l, n);
  int x = va_arg(l, int);
  va_end(l);
  return x;
}
__global__ void k(int *p) { *p = f(1, 2); }
//--- new_delete
__global__ void k(int *p) {
  int *x = new int(1);
  *p = *x;
  delete x;
}
//--- placement_new
#include <new>
__global__ void k(int *p) { new (p) int(1); }
//--- recursion
__device__ int f(int n) { return n < 2 ? 1 : n * f(n - 1); }
__global__ void k(int *p, int n) { *p = f(n); }
//--- virtual_call
struct A {
  __device__ virtual int f() { return 1; }
};
struct B : A {
  __device__ int f() override { return 2; }
};
__global__ void k(int *p) {
  B b;
  A *a = &b;
  *p = a->f();
}
//--- function_pointer
__device__ int f(int x) { return x; }
__global__ void k(int *p) {
  int (*g)(int) = f;
  *p = g(1);
}
//--- printf_long
#include <cstdio>
__global__ void k() { printf("%d %s\n", 1, "text"); }
//--- assert
#include <cassert>
__global__ void k(int n) { assert(n > 0); }
//--- int128
__global__ void k(__int128 *p) { *p = *p * 3 / 7; }
//--- float128_old -arch=sm_90
__global__ void k(__float128 *p) { *p = *p * 2; }
//--- complex_builtin
__global__ void k(float *p) {
  float _Complex c = 1.0f;
  *p = __real__ c;
}
//--- long_double
__global__ void k(long double *p) { *p = *p * 2; }
//--- coroutine -std=c++20
#include <coroutine>
struct task {
  struct promise_type {
    task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
__device__ task f() { co_return; }
//--- concepts -std=c++20
template <class T>
concept Small = sizeof(T) <= 4;
template <Small T> __global__ void k(T *p) { *p = 1; }
template __global__ void k<int>(int *);
//--- concept_not_met -std=c++20
template <class T>
concept Small = sizeof(T) <= 4;
template <Small T> __global__ void k(T *p) { *p = 1; }
template __global__ void k<double>(double *);
//--- static_assert_false
__global__ void k() { static_assert(sizeof(int) == 8, "small"); }
//--- missing_return
__device__ int f(int n) {
  if (n)
    return 1;
}
__global__ void k(int *p) { *p = f(1); }
//--- narrowing_in_braces
__global__ void k(int *p, double d) {
  int x{d};
  *p = x;
}
//--- narrowing_constant_in_braces
__global__ void k(int *p) {
  int x[] = {1, 2.5};
  *p = x[0];
}
//--- narrowing_unsigned_in_braces
__global__ void k(int *p, unsigned n) {
  int x[] = {1, n};
  *p = x[1];
}
//--- goto_over_initialisation
__global__ void k(int *p, int n) {
  if (n)
    goto end;
  int x = 1;
  *p = x;
end:;
}
//--- switch_over_initialisation
__global__ void k(int *p, int n) {
  switch (n) {
  case 0:
    int x = 1;
    *p = x;
    break;
  case 1:
    *p = 2;
  }
}
//--- implicit_int_pointer
__global__ void k(int *p) {
  float *q = p;
  *q = 1;
}
//--- string_to_char_pointer
__global__ void k(char **p) { *p = "text"; }
//--- missing_typename
template <class T> __global__ void k(T *p) {
  T::value_type x = 1;
  *p = x;
}
//--- missing_template_keyword
struct S {
  template <class T> __device__ T get() { return T(1); }
};
template <class T> __global__ void k(T s, int *p) { *p = s.get<int>(); }
template __global__ void k<S>(S, int *);
//--- void_pointer_arithmetic
__global__ void k(void *p) { p = p + 1; }
//--- designated_initialiser -std=c++17
struct S {
  int a, b;
};
__global__ void k(int *p) {
  S s = {.a = 1, .b = 2};
  *p = s.b;
}
//--- zero_length_array
struct S {
  int n;
  int x[0];
};
__global__ void k(S *s) { s->x[0] = 1; }
//--- flexible_array_member
struct S {
  int n;
  int x[];
};
__global__ void k(S *s) { s->x[0] = 1; }
//--- anonymous_struct
union U {
  struct {
    int a, b;
  };
  long c;
};
__global__ void k(U *u) { u->a = 1; }
//--- case_range
__global__ void k(int *p, int n) {
  switch (n) {
  case 1 ... 3:
    *p = 1;
  }
}
//--- elvis
__global__ void k(int *p, int n) { *p = n ?: 3; }
//--- binary_and_separators
__global__ void k(int *p) { *p = 0b1010 + 1'000; }
//--- typeof
__global__ void k(int *p) {
  __typeof__(*p) x = 1;
  *p = x;
}
//--- restrict
__global__ void k(int *__restrict__ p, const int *__restrict q) { *p = *q; }
//--- vector_extension
typedef float f4 __attribute__((vector_size(16)));
__global__ void k(f4 *p) { *p = *p + *p; }
//--- host_asm_in_kernel
__global__ void k() { asm("cpuid" ::: "eax"); }
//--- asm_wrong_constraint
__global__ void k(int *p) {
  int x;
  asm("mov.u32 %0, 1;" : "=q"(x));
  *p = x;
}
//--- asm_short_in_r
__global__ void k(short *p) {
  short x;
  asm("mov.u32 %0, 1;" : "=r"(x));
  *p = x;
}
//--- asm_float_in_r
__global__ void k(float *p) {
  float x;
  asm("mov.u32 %0, 1;" : "=r"(x));
  *p = x;
}
//--- asm_unknown_instruction
__global__ void k(int *p) {
  int x;
  asm("frob.u32 %0, 1;" : "=r"(x));
  *p = x;
}
//--- asm_wrong_types
__global__ void k(int *p) {
  int x;
  asm("add.f32 %0, %1, %2;" : "=r"(x) : "l"((long)1), "r"(2));
  *p = x;
}
//--- asm_undefined_register
__global__ void k(int *p) {
  int x;
  asm("add.u32 %0, q, 1;" : "=r"(x));
  *p = x;
}
//--- asm_too_few_operands
__global__ void k(int *p) {
  int x;
  asm("add.u32 %0, %1, %2;" : "=r"(x) : "r"(1));
  *p = x;
}
//--- asm_memory_variable
__device__ int v;
__global__ void k(int *p) {
  int x;
  asm("ld.global.u32 %0, [v];" : "=r"(x));
  *p = x;
}
//--- unroll_negative
__global__ void k(int *p) {
#pragma unroll - 1
  for (int i = 0; i < 4; ++i)
    p[i] = 1;
}
//--- unroll_variable
__global__ void k(int *p, int n) {
#pragma unroll n
  for (int i = 0; i < 4; ++i)
    p[i] = 1;
}
//--- unroll_template
template <int N> __global__ void k(int *p) {
#pragma unroll N
  for (int i = 0; i < 4; ++i)
    p[i] = 1;
}
template __global__ void k<2>(int *);
//--- shuffle_without_sync
__global__ void k(int *p) { *p = __shfl(*p, 0); }
//--- ballot_without_sync
__global__ void k(int *p) { *p = __ballot(*p); }
//--- device_synchronize_in_kernel -rdc=true
__global__ void k() { cudaDeviceSynchronize(); }
//--- memcpy_in_kernel
__global__ void k(int *p) { cudaMemcpy(p, p + 1, 4, cudaMemcpyDeviceToDevice); }
//--- deprecated
[[deprecated("old")]] __device__ int f() { return 1; }
__global__ void k(int *p) { *p = f(); }
//--- deprecated_error -Werror=deprecated-declarations
[[deprecated("old")]] __device__ int f() { return 1; }
__global__ void k(int *p) { *p = f(); }
//--- defaulted_with_space
struct S {
  __device__ S() = default;
  int x;
};
__global__ void k(int *p) {
  S s;
  s.x = 1;
  *p = s.x;
}
//--- unused_variable
__global__ void k(int *p) {
  int unused = 1;
  *p = 2;
}
//--- error_directive
#error no
//--- warning_directive
#warning careful
//--- include_missing
#include "missing.h"
