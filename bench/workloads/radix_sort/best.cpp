// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Not by digits. All keys are divided, in order, into buckets, as if they were spread evenly: as
// many as have a cache line each in the innermost cache while they are filled. Then a network of
// vector minima and maxima sorts each bucket in that cache. A bucket that is too large for it, if
// the keys are not spread evenly, is left to std::sort.
#include "common/stream.h"
#include "problem.h"
#include <omp.h>
#include <utility>

using std::size_t, std::uint32_t;

typedef uint32_t Keys __attribute__((vector_size(bench::vectorBytes)));
constexpr int lanes = bench::lanes;
constexpr size_t bucketLimit = 2048;    // keys that the network sorts
constexpr size_t bucketExpected = 1850; // so that next to none of the buckets is larger than that

/// The vector with the lanes i and i ^ distance exchanged.
template <int distance, int... lane>
static Keys exchanged(Keys v, std::integer_sequence<int, lane...>) {
  return __builtin_shufflevector(v, v, (lane ^ distance)...);
}

/// Puts each pair of lanes i and i ^ distance in order.
template <int distance, int... lane>
static Keys order(Keys v, std::integer_sequence<int, lane...> all) {
  const Keys other = exchanged<distance>(v, all);
  const bench::Ints is_upper = {((lane ^ distance) < lane ? -1 : 0)...};
  return is_upper ? __builtin_elementwise_max(v, other) : __builtin_elementwise_min(v, other);
}

constexpr std::make_integer_sequence<int, lanes> allLanes;

/// Sorts blocks of twice the distance that consist of a smaller and a larger bitonic half.
template <int distance = lanes / 2> static Keys mergeLanes(Keys v) {
  if constexpr (distance >= 1)
    return mergeLanes<distance / 2>(order<distance>(v, allLanes));
  return v;
}

/// Sorts a vector: blocks of 2 lanes, then 4, and so on.
template <int block = 2> static Keys sortLanes(Keys v) {
  if constexpr (block <= lanes)
    return sortLanes<block * 2>(mergeLanes<block / 4>(order<block - 1>(v, allLanes)));
  return v;
}

static void orderPair(Keys &low, Keys &high) {
  const Keys smaller = __builtin_elementwise_min(low, high);
  high = __builtin_elementwise_max(low, high);
  low = smaller;
}

/// Batcher's bitonic sort of `count` vectors, a power of two. Two sorted halves are merged by
/// comparing the one with the other reversed, and then what the halves became with itself.
static void sortVectors(Keys *v, int count) {
  for (int i = 0; i < count; ++i)
    v[i] = sortLanes(v[i]);
  for (int block = 2; block <= count; block *= 2)
    for (int first = 0; first < count; first += block) {
      Keys *b = v + first;
      for (int i = 0; i < block / 2; ++i) {
        Keys reversed = exchanged<lanes - 1>(b[block - 1 - i], allLanes);
        orderPair(b[i], reversed);
        b[block - 1 - i] = exchanged<lanes - 1>(reversed, allLanes);
      }
      for (int distance = block / 4; distance > 0; distance /= 2)
        for (int i = 0; i < block; ++i)
          if ((i & distance) == 0)
            orderPair(b[i], b[i + distance]);
      for (int i = 0; i < block; ++i)
        b[i] = mergeLanes(b[i]);
    }
}

static void sortBucket(uint32_t *keys, size_t n) {
  if (n > bucketLimit) {
    std::sort(keys, keys + n);
    return;
  }
  Keys vectors[bucketLimit / lanes];
  int count = 1; // of vectors
  while (size_t(count) * lanes < n)
    count *= 2;
  std::memset(vectors, 0xFF, count * sizeof(Keys)); // the rest comes last
  std::memcpy(vectors, keys, n * sizeof(uint32_t));
  sortVectors(vectors, count);
  std::memcpy(keys, vectors, n * sizeof(uint32_t));
}

class Sorter {
public:
  explicit Sorter(size_t n_)
      : n(n_), buckets(n / bucketExpected + 1), starts(buckets + 1),
        counts(omp_get_max_threads(), std::vector<uint32_t>(buckets)) {}

  void sort(uint32_t *sorted, const uint32_t *keys) {
#pragma omp parallel
    {
      const size_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
      const size_t begin = n * thread / threads, end = n * (thread + 1) / threads;
      std::vector<uint32_t> &places = counts[thread];
      std::fill(places.begin(), places.end(), 0);
      for (size_t i = begin; i < end; ++i)
        ++places[bucketOf(keys[i])];
#pragma omp barrier
#pragma omp single
      makePlaces(threads);
      for (size_t i = begin; i < end; ++i)
        sorted[places[bucketOf(keys[i])]++] = keys[i];
#pragma omp barrier
#pragma omp for schedule(dynamic)
      for (size_t b = 0; b < buckets; ++b)
        sortBucket(sorted + starts[b], starts[b + 1] - starts[b]);
    }
  }

private:
  size_t bucketOf(uint32_t key) const { return key * std::uint64_t(buckets) >> 32; }

  /// Turns each thread's counts into the places of its keys, bucket by bucket.
  void makePlaces(size_t threads) {
    uint32_t sum = 0;
    for (size_t b = 0; b < buckets; ++b) {
      starts[b] = sum;
      for (size_t t = 0; t < threads; ++t)
        sum += std::exchange(counts[t][b], sum);
    }
    starts[buckets] = sum;
  }

  size_t n, buckets;
  std::vector<uint32_t> starts; // of the buckets
  std::vector<std::vector<uint32_t>> counts;
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
