// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same passes with digits of eight bits, which suit a CPU's caches; a thread is what a block
// is.
#include "problem.h"
#include <omp.h>

using std::uint32_t;

constexpr int digits = 256, digitBits = 8;

/// Sorts `in` by one digit into `out`. counts: `digits` of them for each thread.
static void sortByDigit(uint32_t *out, const uint32_t *in, std::size_t n, int shift,
                        std::vector<uint32_t> &counts) {
#pragma omp parallel
  {
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    const std::size_t begin = n * thread / threads, end = n * (thread + 1) / threads;
    uint32_t places[digits] = {};
    for (std::size_t i = begin; i < end; ++i)
      ++places[in[i] >> shift & (digits - 1)];
    std::copy(places, places + digits, &counts[thread * digits]);
#pragma omp barrier
    uint32_t sum = 0; // of all keys that come before, of smaller digits or of threads before
    for (int digit = 0; digit < digits; ++digit)
      for (int t = 0; t < threads; ++t) {
        if (t == thread)
          places[digit] = sum;
        sum += counts[t * digits + digit];
      }
    for (std::size_t i = begin; i < end; ++i)
      out[places[in[i] >> shift & (digits - 1)]++] = in[i];
  }
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const radix_sort::Problem problem(options);
  bench::Buffer<uint32_t> even(problem.n), odd(problem.n);
  std::vector<uint32_t> counts(std::size_t(omp_get_max_threads()) * digits);

  const auto run = [&] {
    const uint32_t *in = problem.keys.data();
    for (int pass = 0; pass < 32 / digitBits; ++pass) {
      uint32_t *out = pass % 2 ? odd.data() : even.data();
      sortByDigit(out, in, problem.n, pass * digitBits, counts);
      in = out;
    }
  };
  return bench::measure(options, radix_sort::name, problem.bytes(), problem.flops(), run,
                        [&] { return problem.check(odd); });
}
