// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The array is read from memory once: all threads together work on a tile of it whose parts stay in
// their caches from summing to scanning. Sums of a vector's elements are formed in the register.
#include "problem.h"
#include <immintrin.h>
#include <omp.h>
#include <vector>

using std::size_t, std::uint32_t;

constexpr size_t part = 65536; // elements of a tile that one thread takes: 256 KiB
constexpr size_t lanes = 8;

static uint32_t sumOf(const uint32_t *in, size_t count) {
  uint32_t sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < count; ++i)
    sum += in[i];
  return sum;
}

/// The inclusive prefix sum of eight numbers.
static __m256i scanVector(__m256i v) {
  v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4)); // within each half
  v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
  // The low half's sum, last of its elements, goes to all of the high half; 0x08: the low half is
  // 0.
  const __m256i low = _mm256_permute2x128_si256(v, v, 0x08);
  return _mm256_add_epi32(v, _mm256_shuffle_epi32(low, 0xFF));
}

/// Scans `count` numbers that begin with `sum`; `out` is aligned to the vector.
static void scanPart(uint32_t *out, const uint32_t *in, size_t count, uint32_t sum) {
  __m256i before = _mm256_set1_epi32(int(sum));
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(in + i));
    const __m256i inclusive = scanVector(v);
    _mm256_stream_si256(reinterpret_cast<__m256i *>(out + i),
                        _mm256_add_epi32(before, _mm256_sub_epi32(inclusive, v)));
    const __m256i all = _mm256_permutevar8x32_epi32(inclusive, _mm256_set1_epi32(7));
    before = _mm256_add_epi32(before, all);
  }
  sum = uint32_t(_mm256_cvtsi256_si32(before));
  for (; i < count; ++i) {
    out[i] = sum;
    sum += in[i];
  }
  _mm_sfence();
}

static void scanArray(uint32_t *out, const uint32_t *in, size_t n) {
  std::vector<uint32_t> sums[2]; // of even and odd tiles: a thread may be one tile ahead of others
  sums[0].resize(omp_get_max_threads());
  sums[1].resize(omp_get_max_threads());
#pragma omp parallel
  {
    const size_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
    uint32_t before = 0; // the sum of the tiles before
    for (size_t tile = 0; tile * threads * part < n; ++tile) {
      const size_t begin = std::min(n, (tile * threads + thread) * part);
      const size_t count = std::min(n - begin, part);
      uint32_t *shared = sums[tile % 2].data();
      shared[thread] = sumOf(in + begin, count);
#pragma omp barrier
      uint32_t sum = before;
      for (size_t t = 0; t < threads; ++t) {
        sum += t < thread ? shared[t] : 0;
        before += shared[t];
      }
      scanPart(out + begin, in + begin, count, sum);
    }
  }
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const scan::Problem problem(options);
  bench::Buffer<uint32_t> out(problem.n);
  return bench::measure(
      options, scan::name, problem.bytes(), problem.flops(),
      [&] { scanArray(out.data(), problem.in.data(), problem.n); },
      [&] { return problem.check(out); });
}
