// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The highest digit first: it divides the keys into buckets small enough for the inner caches,
// which threads then sort by the next two on their own. One reading of a bucket counts all its
// digits.
#include "problem.h"
#include <array>
#include <omp.h>
#include <utility>

using std::size_t, std::uint32_t;

constexpr int digits = 256;
using Counts = std::array<uint32_t, digits>;

static uint32_t digitOf(uint32_t key, int number) { return key >> 8 * number & (digits - 1); }

/// Turns counts into places: each becomes the sum of those before it.
static void makePlaces(Counts &counts) {
  uint32_t sum = 0;
  for (uint32_t &count : counts)
    sum += std::exchange(count, sum);
}

static void scatter(uint32_t *to, const uint32_t *from, size_t n, int digit, Counts &places) {
  for (size_t i = 0; i < n; ++i)
    to[places[digitOf(from[i], digit)]++] = from[i];
}

/// Copies keys that are almost in order, and sorts them, by insertion. Returns false, with some of
/// the keys copied, if that takes too long.
static bool sortAlmostSorted(uint32_t *to, const uint32_t *from, size_t n) {
  size_t moves = 0;
  uint32_t largest = 0;
  for (size_t i = 0; i < n; ++i) {
    const uint32_t key = from[i];
    if (key >= largest) {
      to[i] = largest = key;
      continue;
    }
    size_t place = i;
    for (; place > 0 && to[place - 1] > key; --place, ++moves)
      to[place] = to[place - 1];
    to[place] = key;
    if (moves > n)
      return false;
  }
  return true;
}

/// Sorts keys that are equal in the highest digit, from `from` to `to`; overwrites both. The keys
/// of a bucket are few, so most are told apart by the next two digits.
static void sortBucket(uint32_t *to, uint32_t *from, size_t n) {
  Counts counts[2] = {};
  for (size_t i = 0; i < n; ++i) {
    ++counts[0][digitOf(from[i], 1)];
    ++counts[1][digitOf(from[i], 2)];
  }
  makePlaces(counts[0]);
  scatter(to, from, n, 1, counts[0]);
  makePlaces(counts[1]);
  scatter(from, to, n, 2, counts[1]);
  if (sortAlmostSorted(to, from, n))
    return;
  std::copy(from, from + n, to);
  std::sort(to, to + n);
}

class Sorter {
public:
  explicit Sorter(size_t n_) : n(n_), buckets(n), counts(omp_get_max_threads()) {}

  void sort(uint32_t *sorted, const uint32_t *keys) {
    Counts starts; // of the buckets
#pragma omp parallel
    {
      const size_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
      const size_t begin = n * thread / threads, end = n * (thread + 1) / threads;
      counts[thread] = {};
      for (size_t i = begin; i < end; ++i)
        ++counts[thread][digitOf(keys[i], 3)];
#pragma omp barrier
      Counts places;
      uint32_t sum = 0;
      for (int digit = 0; digit < digits; ++digit) {
        if (thread == 0)
          starts[digit] = sum;
        for (size_t t = 0; t < threads; ++t) {
          if (t == thread)
            places[digit] = sum;
          sum += counts[t][digit];
        }
      }
      scatter(buckets.data(), keys + begin, end - begin, 3, places);
#pragma omp barrier
#pragma omp for schedule(dynamic)
      for (int digit = 0; digit < digits; ++digit) {
        const size_t first = starts[digit], last = digit + 1 < digits ? starts[digit + 1] : n;
        sortBucket(sorted + first, buckets.data() + first, last - first);
      }
    }
  }

private:
  size_t n;
  bench::Buffer<uint32_t> buckets;
  std::vector<Counts> counts;
};

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const radix_sort::Problem problem(options);
  bench::Buffer<uint32_t> sorted(problem.n);
  Sorter sorter(problem.n);
  return bench::measure(
      options, radix_sort::name, problem.bytes(), problem.flops(),
      [&] { sorter.sort(sorted.data(), problem.keys.data()); },
      [&] { return problem.check(sorted); });
}
