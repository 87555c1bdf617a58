// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// d = a * b + c by mma instructions.
#pragma once

namespace nvcuda {
namespace wmma {
namespace __heddle {

/// One instruction: four sums of a thread. `Depths` words of b, twice as many of a.
template <typename T> struct Multiply;

#define __HEDDLE_WMMA_FLOATS(T, DEPTHS, SHAPE, TYPE)                                               \
  template <> struct Multiply<T> {                                                                 \
    static constexpr int depths = DEPTHS;                                                          \
    __HEDDLE_WMMA__ void run(float *d, const unsigned *a, const unsigned *b, const float *c,       \
                             bool) {                                                               \
      asm volatile("mma.sync.aligned." SHAPE ".row.col.f32." TYPE "." TYPE ".f32 "                 \
                   "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"           \
                   : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                                \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]),  \
                     "f"(c[1]), "f"(c[2]), "f"(c[3]));                                             \
    }                                                                                              \
  };
__HEDDLE_WMMA_FLOATS(__nv_bfloat16, 2, "m16n8k16", "bf16")
__HEDDLE_WMMA_FLOATS(precision::tf32, 2, "m16n8k8", "tf32")

__HEDDLE_WMMA__ unsigned wordOf(__half low, __half high) {
  const __half pair[2] = {low, high};
  unsigned word;
  __builtin_memcpy(&word, pair, sizeof(word));
  return word;
}

template <> struct Multiply<__half> {
  static constexpr int depths = 2;
  __HEDDLE_WMMA__ void run(float *d, const unsigned *a, const unsigned *b, const float *c, bool) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]),
                   "f"(c[1]), "f"(c[2]), "f"(c[3]));
  }
  __HEDDLE_WMMA__ void run(__half *d, const unsigned *a, const unsigned *b, const __half *c, bool) {
    unsigned words[2];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
                 "{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
                 : "=r"(words[0]), "=r"(words[1])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                   "r"(wordOf(c[0], c[1])), "r"(wordOf(c[2], c[3])));
    __builtin_memcpy(d, words, sizeof(words));
  }
  __HEDDLE_WMMA__ void run(float *d, const unsigned *a, const unsigned *b, const __half *c, bool) {
    const float wide[4] = {__half2float(c[0]), __half2float(c[1]), __half2float(c[2]),
                           __half2float(c[3])};
    run(d, a, b, wide, false);
  }
  __HEDDLE_WMMA__ void run(__half *d, const unsigned *a, const unsigned *b, const float *c, bool) {
    float wide[4];
    run(wide, a, b, c, false);
    for (int i = 0; i < 4; ++i)
      d[i] = __float2half_rn(wide[i]);
  }
};

#define __HEDDLE_WMMA_BYTES(T, TYPE)                                                               \
  template <> struct Multiply<T> {                                                                 \
    static constexpr int depths = 1;                                                               \
    __HEDDLE_WMMA__ void run(int *d, const unsigned *a, const unsigned *b, const int *c,           \
                             bool saturate) {                                                      \
      if (saturate)                                                                                \
        asm volatile("mma.sync.aligned.m16n8k16.row.col.satfinite.s32." TYPE "." TYPE ".s32 "      \
                     "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"                        \
                     : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                              \
                     : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]),           \
                       "r"(c[3]));                                                                 \
      else                                                                                         \
        asm volatile("mma.sync.aligned.m16n8k16.row.col.s32." TYPE "." TYPE ".s32 "                \
                     "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"                        \
                     : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                              \
                     : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]),           \
                       "r"(c[3]));                                                                 \
    }                                                                                              \
  };
__HEDDLE_WMMA_BYTES(signed char, "s8")
__HEDDLE_WMMA_BYTES(unsigned char, "u8")
#undef __HEDDLE_WMMA_FLOATS
#undef __HEDDLE_WMMA_BYTES

/// The product's two halves: above each other if `Tall` is 32, else side by side.
template <typename T, int Tall, int Wide, typename D, typename C>
__HEDDLE_WMMA__ void multiplyParts(D *d, const void *a, const void *b, const C *c, bool saturate) {
  constexpr int depths = Multiply<T>::depths;
  unsigned a_words[Tall / 8 * depths], b_words[Wide / 8 * depths];
  __builtin_memcpy(a_words, a, sizeof(a_words));
  __builtin_memcpy(b_words, b, sizeof(b_words));
#pragma unroll
  for (int part = 0; part < 2; ++part) {
    const int down = Wide > 8 ? 0 : 2 * part, along = Wide > 8 ? part : 0;
    unsigned a_part[2 * depths], b_part[depths];
#pragma unroll
    for (int k = 0; k < depths; ++k) {
      a_part[2 * k] = a_words[down + k * Tall / 8];
      a_part[2 * k + 1] = a_words[down + 1 + k * Tall / 8];
      b_part[k] = b_words[along + k * Wide / 8];
    }
    Multiply<T>::run(d + 4 * part, a_part, b_part, c + 4 * part, saturate);
  }
}

#define __HEDDLE_WMMA_SMALL(D, A, B, C, SHAPE, TYPE, OPERATION)                                    \
  asm volatile("mma.sync.aligned." SHAPE ".row.col" TYPE OPERATION                                 \
               " {%0, %1}, {%2}, {%3}, {%4, %5};"                                                  \
               : "=r"((D)[0]), "=r"((D)[1])                                                        \
               : "r"((A)[0]), "r"((B)[0]), "r"((C)[0]), "r"((C)[1]))

} // namespace __heddle

template <int m, int n, int k, typename T, typename LayoutA, typename LayoutB, typename C,
          typename D>
__HEDDLE_WMMA__ void mma_sync(fragment<accumulator, m, n, k, D> &d,
                              const fragment<matrix_a, m, n, k, T, LayoutA> &a,
                              const fragment<matrix_b, m, n, k, T, LayoutB> &b,
                              const fragment<accumulator, m, n, k, C> &c, bool satf = false) {
  // With 8 rows: the transposed product.
  if constexpr (m == 8)
    __heddle::multiplyParts<T, n, m>(d.x, b.x, a.x, c.x, satf);
  else
    __heddle::multiplyParts<T, m, n>(d.x, a.x, b.x, c.x, satf);
}

template <typename LayoutA, typename LayoutB>
__HEDDLE_WMMA__ void mma_sync(fragment<accumulator, 8, 8, 4, double> &d,
                              const fragment<matrix_a, 8, 8, 4, double, LayoutA> &a,
                              const fragment<matrix_b, 8, 8, 4, double, LayoutB> &b,
                              const fragment<accumulator, 8, 8, 4, double> &c) {
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=d"(d.x[0]), "=d"(d.x[1])
               : "d"(a.x[0]), "d"(b.x[0]), "d"(c.x[0]), "d"(c.x[1]));
}

__HEDDLE_WMMA__ void
mma_sync(fragment<accumulator, 8, 8, 32, int> &d,
         const fragment<matrix_a, 8, 8, 32, experimental::precision::s4, row_major> &a,
         const fragment<matrix_b, 8, 8, 32, experimental::precision::s4, col_major> &b,
         const fragment<accumulator, 8, 8, 32, int> &c, bool satf = false) {
  if (satf)
    __HEDDLE_WMMA_SMALL(d.x, a.x, b.x, c.x, "m8n8k32", ".satfinite.s32.s4.s4.s32", "");
  else
    __HEDDLE_WMMA_SMALL(d.x, a.x, b.x, c.x, "m8n8k32", ".s32.s4.s4.s32", "");
}

__HEDDLE_WMMA__ void
mma_sync(fragment<accumulator, 8, 8, 32, int> &d,
         const fragment<matrix_a, 8, 8, 32, experimental::precision::u4, row_major> &a,
         const fragment<matrix_b, 8, 8, 32, experimental::precision::u4, col_major> &b,
         const fragment<accumulator, 8, 8, 32, int> &c, bool satf = false) {
  if (satf)
    __HEDDLE_WMMA_SMALL(d.x, a.x, b.x, c.x, "m8n8k32", ".satfinite.s32.u4.u4.s32", "");
  else
    __HEDDLE_WMMA_SMALL(d.x, a.x, b.x, c.x, "m8n8k32", ".s32.u4.u4.s32", "");
}

__HEDDLE_WMMA__ void
bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
          const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
          const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
          const fragment<accumulator, 8, 8, 128, int> &c,
          experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  if (operation == experimental::bmmaBitOpAND)
    __HEDDLE_WMMA_SMALL(d.x, a.x, b.x, c.x, "m8n8k128", ".s32.b1.b1.s32", ".and.popc");
  else
    __HEDDLE_WMMA_SMALL(d.x, a.x, b.x, c.x, "m8n8k128", ".s32.b1.b1.s32", ".xor.popc");
}
#undef __HEDDLE_WMMA_SMALL

} // namespace wmma
} // namespace nvcuda
