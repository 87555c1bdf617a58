// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this machine can do, to compare the workloads with. Prints one line of JSON.
//
//   machine fma        single-precision FMA peak of one and of all threads, GFLOP/s, in 0.1 s
//   machine bandwidth  memory bandwidth of all threads, GB/s, in 0.5 s
//   machine latency    of 8192 cache lines, each in a page of its own, and side by side, ns
//   machine awake      nothing; keeps all processors awake until its input ends
//
// The virtual cores of a rented machine are sometimes hyperthreads of one physical core; two
// threads then reach the rate of one. bench/run.py asks before and after each program. Where they
// are may change each time that one wakes up, so they should not sleep: the threads that keep them
// awake run only where nothing else wants to.
#include "common/data.h"
#include "common/stream.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <omp.h>
#include <sched.h>
#include <thread>
#include <vector>

using bench::Floats;
using Clock = std::chrono::steady_clock;

static double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Enough independent chains to hide the latency of two FMA units, few enough for the registers.
constexpr int chains = 12;

static Floats multiplyAdd(long rounds, float factor) {
  Floats sums[chains];
  for (int i = 0; i < chains; ++i)
    sums[i] = bench::splat(float(i));
  const Floats m = bench::splat(factor), a = bench::splat(1 - factor);
  for (long round = 0; round < rounds; ++round)
    for (int i = 0; i < chains; ++i)
      sums[i] = sums[i] * m + a; // -ffp-contract=on makes it one instruction
  for (int i = 1; i < chains; ++i)
    sums[0] += sums[i];
  return sums[0];
}

// The best of a few short measurements: others may use the machine for a moment.
static double gigaflops(int threads) {
  volatile float factor = 0.5f, sink = 0;
  const long rounds = 2'000'000;
  double best = 0;
  for (int attempt = 0; attempt < 8; ++attempt) {
    double begin = 0, end = 0;
#pragma omp parallel num_threads(threads)
    {
      multiplyAdd(rounds / 10, factor);
#pragma omp barrier
#pragma omp master
      begin = omp_get_wtime();
      const Floats sum = multiplyAdd(rounds, factor);
#pragma omp critical
      sink = sink + sum[0];
#pragma omp barrier
#pragma omp master
      end = omp_get_wtime();
    }
    const double flops = 2.0 * chains * bench::lanes * double(rounds) * threads;
    best = std::max(best, flops / (end - begin) * 1e-9);
  }
  return best;
}

template <class Run> static double gigabytes(double bytes, Run &&run) {
  std::vector<double> times;
  for (const auto begin = Clock::now(); times.size() < 5 || since(begin) < 0.08;) {
    const auto start = Clock::now();
    run();
    times.push_back(since(start));
  }
  std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
  return bytes / times[times.size() / 2] * 1e-9;
}

static void measureBandwidth() {
  const std::size_t n = 1 << 24;
  bench::Buffer<float> a(n), b(n), c(n);
  float *out = a.data();
  const float *x = b.data(), *y = c.data();
  const double bytes = sizeof(float) * double(n);
  const auto scalarCopy = [&](std::size_t i) { return x[i]; };
  const auto scalarTriad = [&](std::size_t i) { return x[i] + 3 * y[i]; };
  const double copy = gigabytes(2 * bytes, [&] {
    bench::stream(out, n, [&](std::size_t i) { return bench::load(x + i); }, scalarCopy);
  });
  const double triad = gigabytes(3 * bytes, [&] {
    bench::stream(
        out, n,
        [&](std::size_t i) { return bench::load(x + i) + bench::splat(3) * bench::load(y + i); },
        scalarTriad);
  });
  const double ordinary = gigabytes(3 * bytes, [&] {
#pragma omp parallel for simd
    for (std::size_t i = 0; i < n; ++i)
      out[i] = x[i] + 3 * y[i];
  });
  const double read = gigabytes(bytes, [&] {
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (std::size_t i = 0; i < n; ++i)
      sum += x[i];
    out[0] = sum;
  });
  std::printf(
      "{\"copy\": %.2f, \"triad\": %.2f, \"triad_ordinary_stores\": %.2f, \"read\": %.2f}\n", copy,
      triad, ordinary, read);
}

// Nanoseconds from line to line, each of which says where the next one is, in random order. Element
// `index(line)` is the line's.
template <class Index>
static double lineLatency(bench::Buffer<std::uint32_t> &memory, Index &&index) {
  constexpr std::uint32_t lines = 8192;
  std::vector<std::uint32_t> order(lines);
  std::iota(order.begin(), order.end(), 0);
  for (std::uint32_t i = lines - 1; i > 0; --i)
    std::swap(order[i], order[bench::randomBits(i) % (i + 1)]);
  for (std::uint32_t i = 0; i < lines; ++i)
    memory[index(order[i])] = index(order[(i + 1) % lines]);
  std::uint32_t at = index(order[0]);
  constexpr long steps = 64 * lines;
  double best = 1;
  for (int attempt = 0; attempt < 5; ++attempt) { // the first one brings the lines
    const auto begin = Clock::now();
    for (long step = 0; step < steps; ++step)
      at = memory[at];
    best = std::min(best, since(begin) / steps);
  }
  volatile std::uint32_t sink = at;
  (void)sink;
  return best * 1e9;
}

// The lines are 512 KB in all, and mostly fit the second level of cache. With a page for each, a
// CPU has to look up where the pages are: in tables of the guest, and of its host. That is slow
// where the host has small pages, whatever the guest has, and then codes that go through many pages
// at a time are slower than those that go along memory.
static void measureLatency() {
  constexpr std::uint32_t line = 64 / sizeof(std::uint32_t), page = 64 * line;
  bench::Buffer<std::uint32_t> memory(8192 * std::size_t(page));
  const double apart =
      lineLatency(memory, [](std::uint32_t i) { return i * page + i * 7 % 64 * line; });
  const double together = lineLatency(memory, [](std::uint32_t i) { return i * line; });
  std::printf("{\"in_pages\": %.2f, \"together\": %.2f}\n", apart, together);
}

static void relax() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

static void keepAwake() {
  std::vector<std::jthread> spinners;
  for (unsigned processor = 0; processor < std::thread::hardware_concurrency(); ++processor)
    spinners.emplace_back([processor](const std::stop_token &stop) {
      cpu_set_t here;
      CPU_ZERO(&here);
      CPU_SET(processor, &here);
      const sched_param none = {};
      if (sched_setaffinity(0, sizeof(here), &here) || sched_setscheduler(0, SCHED_IDLE, &none))
        return; // rather not, if it would disturb
      while (!stop.stop_requested())
        relax();
    });
  while (std::getchar() != EOF)
    ;
}

int main(int argc, char **argv) {
  const char *what = argc == 2 ? argv[1] : "";
  if (!std::strcmp(what, "fma")) {
    const int threads = omp_get_max_threads();
    const double one = gigaflops(1), all = gigaflops(threads);
    std::printf("{\"threads\": %d, \"one\": %.2f, \"all\": %.2f}\n", threads, one, all);
  } else if (!std::strcmp(what, "bandwidth")) {
    measureBandwidth();
  } else if (!std::strcmp(what, "latency")) {
    measureLatency();
  } else if (!std::strcmp(what, "awake")) {
    keepAwake();
  } else {
    std::fprintf(stderr, "usage: machine fma|bandwidth|latency|awake\n");
    return 2;
  }
  return 0;
}
