// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs of bench/passes.py share: each runs small kernels, or those that are named as
// arguments, and prints for each its name, the least CPU time of a launch in seconds and a sum of
// its result, which does not depend on the order of elements. --once, as the first argument: no
// time.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

namespace suite {

inline void check(cudaError_t status) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "error: %s\n", cudaGetErrorString(status));
    std::exit(1);
  }
}

template <class T> T *zeros(size_t count) {
  T *array = nullptr;
  check(cudaMalloc(&array, count * sizeof(T)));
  check(cudaMemset(array, 0, count * sizeof(T)));
  return array;
}

/// Integers from 0 to range - 1, the same in each run.
template <class T> T *random(size_t count, uint32_t range) {
  std::vector<T> host(count);
  uint32_t state = 12345;
  for (T &value : host) {
    state = state * 1664525u + 1013904223u;
    value = T((uint64_t(state >> 8) * range) >> 24);
  }
  T *array = zeros<T>(count);
  check(cudaMemcpy(array, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  return array;
}

inline uint64_t sumOf(const void *array, size_t bytes) {
  std::vector<uint32_t> host(bytes / 4);
  check(cudaMemcpy(host.data(), array, host.size() * 4, cudaMemcpyDeviceToHost));
  uint64_t sum = 0;
  for (uint64_t word : host)
    sum += (word + 1) * (word ^ 0x9E3779B97F4A7C15u);
  return sum;
}

inline double cpuTime() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

class Suite {
public:
  Suite(int argc, char **argv) : names_(argv + 1, argv + argc) {
    once_ = !names_.empty() && std::strcmp(names_.front(), "--once") == 0;
    if (once_)
      names_.erase(names_.begin());
  }

  /// Times a launch, whose result is the array.
  template <class T, class Launch>
  void run(const char *name, T *result, size_t count, Launch launch) const {
    const auto is_it = [&](const char *other) { return std::strcmp(name, other) == 0; };
    if (!names_.empty() && std::none_of(names_.begin(), names_.end(), is_it))
      return;
    check(cudaMemset(result, 0, count * sizeof(T)));
    launch();
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    const uint64_t sum = sumOf(result, count * sizeof(T));
    double least = 1e9;
    const double begin = cpuTime();
    for (int round = 0; !once_ && (round < 5 || cpuTime() - begin < 0.05); ++round) {
      const double start = cpuTime();
      launch();
      check(cudaDeviceSynchronize());
      least = std::min(least, cpuTime() - start);
    }
    std::printf("%s %.9f %016llx\n", name, least, static_cast<unsigned long long>(sum));
  }

private:
  std::vector<const char *> names_;
  bool once_ = false;
};

} // namespace suite
