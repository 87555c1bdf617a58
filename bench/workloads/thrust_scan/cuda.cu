// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

#include <thrust/execution_policy.h>
#include <thrust/scan.h>

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const thrust_scan::Problem problem(options);
  const int *values = bench::toDevice(problem.values);
  int *result = bench::onDevice<int>(problem.n);
  return bench::measure(
      options, thrust_scan::name, problem.bytes(), problem.flops(),
      [&] {
        thrust::inclusive_scan(thrust::device, values, values + problem.n, result);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(result, problem.n)); });
}
