// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers of eight entries, the last ones of a row under a mask, so that no row has a scalar rest;
// entries that come next are fetched early, and rows are divided so that threads have equally many.
#include "problem.h"
#include <immintrin.h>
#include <omp.h>

constexpr int lanes = 8;
constexpr int ahead = 256; // entries; each is used once, so it need not stay in the outer caches

static float sumOf(__m256 v) {
  __m128 sum = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
  return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
}

static float multiplyRow(const int *columns, const float *values, int count, const float *x) {
  __m256 sum = _mm256_setzero_ps();
  int k = 0;
  for (; k + lanes <= count; k += lanes) {
    const __m256i column = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(columns + k));
    const __m256 at_column = _mm256_i32gather_ps(x, column, sizeof(float));
    sum = _mm256_fmadd_ps(_mm256_loadu_ps(values + k), at_column, sum);
  }
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(count - k), lane);
  const __m256i column = _mm256_maskload_epi32(columns + k, mask);
  const __m256 at_column = _mm256_mask_i32gather_ps(_mm256_setzero_ps(), x, column,
                                                    _mm256_castsi256_ps(mask), sizeof(float));
  return sumOf(_mm256_fmadd_ps(_mm256_maskload_ps(values + k, mask), at_column, sum));
}

static void multiply(float *y, const spmv::CsrMatrix &a, const float *x) {
  const int *starts = a.row_starts.data(), *columns = a.columns.data();
  const float *values = a.values.data();
#pragma omp parallel
  {
    const long thread = omp_get_thread_num(), threads = omp_get_num_threads();
    // The first row whose entries begin at or after the thread's part of all entries.
    const auto firstRow = [&](long t) {
      const int entry = int(long(a.entries()) * t / threads);
      return std::lower_bound(starts, starts + a.rows, entry) - starts;
    };
    for (long row = firstRow(thread), end = firstRow(thread + 1); row < end; ++row) {
      const int begin = starts[row];
      _mm_prefetch(columns + begin + ahead, _MM_HINT_NTA);
      _mm_prefetch(values + begin + ahead, _MM_HINT_NTA);
      y[row] = multiplyRow(columns + begin, values + begin, starts[row + 1] - begin, x);
    }
  }
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const spmv_csr::Problem problem(options);
  bench::Buffer<float> y(problem.a.rows);
  return bench::measure(
      options, spmv_csr::name, problem.bytes(), problem.flops(),
      [&] { multiply(y.data(), problem.a, problem.x.data()); }, [&] { return problem.check(y); });
}
