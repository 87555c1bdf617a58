// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fragments: what a thread holds of a matrix.
#pragma once

#define __HEDDLE_WMMA__ static __device__ __forceinline__

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

namespace __heddle {

/// How an element is stored: `type` holds `count` of them.
template <typename T> struct Storage {
  typedef T type;
  static constexpr int count = 1;
};
template <> struct Storage<precision::tf32> {
  typedef float type;
  static constexpr int count = 1;
};
template <> struct Storage<experimental::precision::u4> {
  typedef unsigned type;
  static constexpr int count = 8;
};
template <> struct Storage<experimental::precision::s4> {
  typedef int type;
  static constexpr int count = 8;
};
template <> struct Storage<experimental::precision::b1> {
  typedef unsigned type;
  static constexpr int count = 32;
};

/// `Size` elements. Not defined by itself for what there is no fragment of.
template <typename T, int Size> struct __align__(8) Elements {
  enum { num_elements = Size, num_storage_elements = Size / Storage<T>::count };
  typedef T element_type;
  typedef typename Storage<T>::type storage_element_type;
  storage_element_type x[num_storage_elements];
};

/// Which shapes a type of factor has, and how many elements a thread then holds of a and b.
/// Halves: as many as on older GPUs, where each element was held twice.
template <typename T, int m, int n, int k> struct Factor;

#define __HEDDLE_WMMA_FACTOR(T, M, N, K, A, B)                                                     \
  template <> struct Factor<T, M, N, K> {                                                          \
    static constexpr int a = A, b = B;                                                             \
  };
__HEDDLE_WMMA_FACTOR(__half, 16, 16, 16, 16, 16)
__HEDDLE_WMMA_FACTOR(__half, 32, 8, 16, 16, 16)
__HEDDLE_WMMA_FACTOR(__half, 8, 32, 16, 16, 16)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
__HEDDLE_WMMA_FACTOR(signed char, 16, 16, 16, 8, 8)
__HEDDLE_WMMA_FACTOR(signed char, 32, 8, 16, 16, 4)
__HEDDLE_WMMA_FACTOR(signed char, 8, 32, 16, 4, 16)
__HEDDLE_WMMA_FACTOR(unsigned char, 16, 16, 16, 8, 8)
__HEDDLE_WMMA_FACTOR(unsigned char, 32, 8, 16, 16, 4)
__HEDDLE_WMMA_FACTOR(unsigned char, 8, 32, 16, 4, 16)
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 730
__HEDDLE_WMMA_FACTOR(experimental::precision::s4, 8, 8, 32, 8, 8)
__HEDDLE_WMMA_FACTOR(experimental::precision::u4, 8, 8, 32, 8, 8)
__HEDDLE_WMMA_FACTOR(experimental::precision::b1, 8, 8, 128, 32, 32)
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__HEDDLE_WMMA_FACTOR(__nv_bfloat16, 16, 16, 16, 16, 16)
__HEDDLE_WMMA_FACTOR(__nv_bfloat16, 32, 8, 16, 16, 16)
__HEDDLE_WMMA_FACTOR(__nv_bfloat16, 8, 32, 16, 16, 16)
__HEDDLE_WMMA_FACTOR(precision::tf32, 16, 16, 8, 4, 4)
__HEDDLE_WMMA_FACTOR(double, 8, 8, 4, 1, 1)
#endif
#undef __HEDDLE_WMMA_FACTOR

} // namespace __heddle

template <typename Use, int m, int n, int k, typename T, typename Layout = void> class fragment;

template <int m, int n, int k, typename T, typename Layout>
class fragment<matrix_a, m, n, k, T, Layout>
    : public __heddle::Elements<T, __heddle::Factor<T, m, n, k>::a> {};
template <int m, int n, int k, typename T, typename Layout>
class fragment<matrix_b, m, n, k, T, Layout>
    : public __heddle::Elements<T, __heddle::Factor<T, m, n, k>::b> {};
template <int m, int n, int k, typename T>
class fragment<accumulator, m, n, k, T> : public __heddle::Elements<T, m * n / 32> {};

template <typename Use, int m, int n, int k, typename T, typename Layout>
__HEDDLE_WMMA__ void fill_fragment(fragment<Use, m, n, k, T, Layout> &f,
                                   const typename __heddle::Storage<T>::type &value) {
#pragma unroll
  for (int i = 0; i < f.num_storage_elements; ++i)
    f.x[i] = value;
}

/// Rounded to the 10 bits of tf32, ties away from zero.
__HEDDLE_WMMA__ float __float_to_tf32(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __uint_as_float(bits);
}

} // namespace wmma
} // namespace nvcuda
