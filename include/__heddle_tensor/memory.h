// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fragments from and to memory.
//
// All matrices consist of tiles of 8 rows and 16 bytes (sums: 8 rows and columns), in which four
// neighbouring threads hold a row. b's rows are the product's columns.
#pragma once

namespace nvcuda {
namespace wmma {
namespace __heddle {

__HEDDLE_WMMA__ unsigned lane() { return __nvvm_read_ptx_sreg_laneid(); }

/// A word of neighbours in memory.
template <typename Word, typename T> __HEDDLE_WMMA__ Word wordAt(const T *from) {
  Word word;
  __builtin_memcpy(
      &word, __builtin_assume_aligned(from, sizeof(T) < sizeof(Word) ? sizeof(Word) : sizeof(T)),
      sizeof(Word));
  return word;
}

__HEDDLE_WMMA__ unsigned transposed(unsigned word) {
  unsigned result;
  asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(result) : "r"(word));
  return result;
}

/// Tiles of 16-bit numbers. `Rows` of tiles side by side in x, two columns of them; `along` says
/// whether neighbours in a tile's row are neighbours in memory.
template <int Tiles, bool Along, typename T>
__HEDDLE_WMMA__ void loadHalves(T *x, const T *from, unsigned pitch) {
  const unsigned row = lane() / 4, pair = lane() % 4 * 2;
#pragma unroll
  for (int tile = 0; tile < 2 * Tiles; ++tile) {
    const unsigned first = tile % Tiles * 8, depth = tile / Tiles * 8;
    const unsigned word =
        Along ? wordAt<unsigned>(from + (first + row) * pitch + depth + pair)
              : transposed(wordAt<unsigned>(from + (depth + row) * pitch + first + pair));
    __builtin_memcpy(x + 2 * tile, &word, 4);
  }
}

/// Tiles of elements that memory holds one by one, `PerThread` neighbours a thread.
template <int Tiles, int PerThread, int Depths, bool Along, typename T>
__HEDDLE_WMMA__ void loadElements(T *x, const T *from, unsigned pitch) {
  const unsigned row = lane() / 4, place = lane() % 4 * PerThread;
#pragma unroll
  for (int tile = 0; tile < Tiles * Depths; ++tile)
#pragma unroll
    for (int i = 0; i < PerThread; ++i) {
      const unsigned r = tile % Tiles * 8 + row, k = tile / Tiles * 4 * PerThread + place + i;
      x[tile * PerThread + i] = Along ? from[r * pitch + k] : from[k * pitch + r];
    }
}

/// Bytes, four neighbours a thread.
template <int Tiles, bool Along, typename T>
__HEDDLE_WMMA__ void loadBytes(T *x, const T *from, unsigned pitch) {
  if (!Along)
    return loadElements<Tiles, 4, 1, false>(x, from, pitch);
  const unsigned row = lane() / 4, place = lane() % 4 * 4;
#pragma unroll
  for (int tile = 0; tile < Tiles; ++tile) {
    const unsigned word = wordAt<unsigned>(from + (tile * 8 + row) * pitch + place);
    __builtin_memcpy(x + 4 * tile, &word, 4);
  }
}

/// `Rows`: of a, or columns of b.
template <typename T, int Rows> struct FactorMemory;
template <int Rows> struct FactorMemory<__half, Rows> {
  template <bool Along> __HEDDLE_WMMA__ void load(__half *x, const __half *from, unsigned pitch) {
    loadHalves<Rows / 8, Along>(x, from, pitch);
#pragma unroll
    for (int i = Rows / 2; i < 16; ++i) // the elements that are there twice
      x[i] = x[i % (Rows / 2)];
  }
};
template <int Rows> struct FactorMemory<__nv_bfloat16, Rows> {
  template <bool Along>
  __HEDDLE_WMMA__ void load(__nv_bfloat16 *x, const __nv_bfloat16 *from, unsigned pitch) {
    loadHalves<Rows / 8, Along>(x, from, pitch);
#pragma unroll
    for (int i = Rows / 2; i < 16; ++i)
      x[i] = x[i % (Rows / 2)];
  }
};
template <int Rows> struct FactorMemory<signed char, Rows> {
  template <bool Along>
  __HEDDLE_WMMA__ void load(signed char *x, const signed char *from, unsigned pitch) {
    loadBytes<Rows / 8, Along>(x, from, pitch);
  }
};
template <int Rows> struct FactorMemory<unsigned char, Rows> {
  template <bool Along>
  __HEDDLE_WMMA__ void load(unsigned char *x, const unsigned char *from, unsigned pitch) {
    loadBytes<Rows / 8, Along>(x, from, pitch);
  }
};
template <int Rows> struct FactorMemory<precision::tf32, Rows> {
  template <bool Along> __HEDDLE_WMMA__ void load(float *x, const float *from, unsigned pitch) {
    loadElements<Rows / 8, 1, 2, Along>(x, from, pitch);
  }
};
template <int Rows> struct FactorMemory<double, Rows> {
  template <bool Along> __HEDDLE_WMMA__ void load(double *x, const double *from, unsigned pitch) {
    loadElements<1, 1, 1, Along>(x, from, pitch);
  }
};
/// 4-bit and 1-bit elements: a row is four words; only along.
template <int PerWord, typename Word>
__HEDDLE_WMMA__ void loadWord(Word *x, const void *from, unsigned pitch) {
  x[0] = static_cast<const Word *>(from)[lane() / 4 * (pitch / PerWord) + lane() % 4];
}
template <int Rows> struct FactorMemory<experimental::precision::s4, Rows> {
  template <bool Along> __HEDDLE_WMMA__ void load(int *x, const void *from, unsigned pitch) {
    static_assert(Along, "a is stored by rows, b by columns");
    loadWord<8>(x, from, pitch);
  }
};
template <int Rows> struct FactorMemory<experimental::precision::u4, Rows> {
  template <bool Along> __HEDDLE_WMMA__ void load(unsigned *x, const void *from, unsigned pitch) {
    static_assert(Along, "a is stored by rows, b by columns");
    loadWord<8>(x, from, pitch);
  }
};
template <int Rows> struct FactorMemory<experimental::precision::b1, Rows> {
  template <bool Along> __HEDDLE_WMMA__ void load(unsigned *x, const void *from, unsigned pitch) {
    static_assert(Along, "a is stored by rows, b by columns");
    loadWord<32>(x, from, pitch);
  }
};

template <typename Layout> struct IsRowMajor {
  static constexpr bool value = true;
};
template <> struct IsRowMajor<col_major> {
  static constexpr bool value = false;
};

/// Calls visit(i, row, column) for each element of a sum. Where the product has 8 rows, it is
/// computed transposed.
template <int m, int n, typename Visit> __HEDDLE_WMMA__ void eachSum(Visit visit) {
  constexpr bool swapped = m == 8 && n != 8;
  constexpr int tall = swapped ? n : m, wide = swapped ? m : n, tiles = tall / 8;
  const unsigned row = lane() / 4, pair = lane() % 4 * 2;
#pragma unroll
  for (int i = 0; i < m * n / 32; ++i) {
    // Sixteen rows and eight columns after each other, as mma has them.
    const unsigned part = tall >= 16 ? i / 4 : 0, in_part = tall >= 16 ? i % 4 : i;
    const unsigned of_rows = wide > 8 ? 0 : part * 16, of_columns = wide > 8 ? part * 8 : 0;
    const unsigned r = of_rows + in_part / 2 * 8 + row, c = of_columns + pair + in_part % 2;
    visit(i, swapped ? c : r, swapped ? r : c);
  }
  (void)tiles;
}

} // namespace __heddle

template <int m, int n, int k, typename T, typename Layout, typename S>
__HEDDLE_WMMA__ void load_matrix_sync(fragment<matrix_a, m, n, k, T, Layout> &a, const S *from,
                                      unsigned pitch) {
  __heddle::FactorMemory<T, m>::template load<__heddle::IsRowMajor<Layout>::value>(a.x, from,
                                                                                   pitch);
}

template <int m, int n, int k, typename T, typename Layout, typename S>
__HEDDLE_WMMA__ void load_matrix_sync(fragment<matrix_b, m, n, k, T, Layout> &b, const S *from,
                                      unsigned pitch) {
  __heddle::FactorMemory<T, n>::template load<!__heddle::IsRowMajor<Layout>::value>(b.x, from,
                                                                                    pitch);
}

template <int m, int n, int k, typename T>
__HEDDLE_WMMA__ void load_matrix_sync(fragment<accumulator, m, n, k, T> &sum, const T *from,
                                      unsigned pitch, layout_t layout) {
  __heddle::eachSum<m, n>([&](int i, unsigned row, unsigned column) {
    sum.x[i] = from[layout == mem_row_major ? row * pitch + column : column * pitch + row];
  });
}

template <int m, int n, int k, typename T>
__HEDDLE_WMMA__ void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &sum,
                                       unsigned pitch, layout_t layout) {
  __heddle::eachSum<m, n>([&](int i, unsigned row, unsigned column) {
    to[layout == mem_row_major ? row * pitch + column : column * pitch + row] = sum.x[i];
  });
}

} // namespace wmma
} // namespace nvcuda
