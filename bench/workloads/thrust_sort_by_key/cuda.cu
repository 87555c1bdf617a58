// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

#include <thrust/execution_policy.h>
#include <thrust/sort.h>

using std::uint32_t;

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const thrust_sort_by_key::Problem problem(options);
  const std::size_t n = problem.n, bytes = n * sizeof(uint32_t);
  const uint32_t *keys = bench::toDevice(problem.keys);
  const uint32_t *values = bench::toDevice(problem.values);
  uint32_t *sorted = bench::onDevice<uint32_t>(n), *places = bench::onDevice<uint32_t>(n);
  return bench::measure(
      options, thrust_sort_by_key::name, problem.bytes(), problem.flops(),
      [&] {
        CHECK(cudaMemcpyAsync(sorted, keys, bytes, cudaMemcpyDeviceToDevice));
        CHECK(cudaMemcpyAsync(places, values, bytes, cudaMemcpyDeviceToDevice));
        thrust::sort_by_key(thrust::device, sorted, sorted + n, places);
        bench::finish();
      },
      [&] {
        const auto key = bench::toHost(sorted, n), place = bench::toHost(places, n);
        return problem.check([&](std::size_t i) { return key[i]; },
                             [&](std::size_t i) { return place[i]; });
      });
}
