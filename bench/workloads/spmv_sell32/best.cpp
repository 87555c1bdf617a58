// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A slice's sums stay in four registers; entries that come next are fetched early, past the outer
// caches, as each is used once; slices are divided so that threads have equally many entries.
#include "problem.h"
#include <immintrin.h>
#include <omp.h>

constexpr int lanes = 8, vectors = spmv_sell32::sliceRows / lanes;
constexpr int ahead = 512; // entries

static void multiplySlice(float *y, const int *columns, const float *values, int count,
                          const float *x) {
  __m256 sums[vectors] = {};
  for (int k = 0; k < count; k += spmv_sell32::sliceRows) {
    for (int line = 0; line < spmv_sell32::sliceRows; line += 16) {
      _mm_prefetch(columns + k + line + ahead, _MM_HINT_NTA);
      _mm_prefetch(values + k + line + ahead, _MM_HINT_NTA);
    }
    for (int v = 0; v < vectors; ++v) {
      const int *column = columns + k + v * lanes;
      const __m256 at_column = _mm256_i32gather_ps(
          x, _mm256_load_si256(reinterpret_cast<const __m256i *>(column)), sizeof(float));
      sums[v] = _mm256_fmadd_ps(_mm256_load_ps(values + k + v * lanes), at_column, sums[v]);
    }
  }
  for (int v = 0; v < vectors; ++v)
    _mm256_storeu_ps(y + v * lanes, sums[v]);
}

static void multiply(float *y, std::size_t rows, const spmv_sell32::SellMatrix &a, const float *x) {
  const int *starts = a.slice_starts.data(), *columns = a.columns.data();
  const float *values = a.values.data();
#pragma omp parallel
  {
    const long thread = omp_get_thread_num(), threads = omp_get_num_threads();
    const auto firstSlice = [&](long t) {
      const int entry = int(long(a.values.size()) * t / threads);
      return std::size_t(std::lower_bound(starts, starts + a.slices, entry) - starts);
    };
    for (std::size_t slice = firstSlice(thread), end = firstSlice(thread + 1); slice < end;
         ++slice) {
      float last[spmv_sell32::sliceRows]; // the last slice may have fewer rows
      const std::size_t row = slice * spmv_sell32::sliceRows;
      const bool whole = row + spmv_sell32::sliceRows <= rows;
      const int begin = starts[slice];
      multiplySlice(whole ? y + row : last, columns + begin, values + begin,
                    starts[slice + 1] - begin, x);
      if (!whole)
        std::copy(last, last + (rows - row), y + row);
    }
  }
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const spmv_sell32::Problem problem(options);
  bench::Buffer<float> y(problem.rows());
  return bench::measure(
      options, spmv_sell32::name, problem.bytes(), problem.flops(),
      [&] { multiply(y.data(), problem.rows(), problem.a, problem.x.data()); },
      [&] { return problem.check(y); });
}
