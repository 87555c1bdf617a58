// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const thrust_reduce::Problem problem(options);
  const int *values = bench::toDevice(problem.values);
  int sum = 0;
  return bench::measure(
      options, thrust_reduce::name, problem.bytes(), problem.flops(),
      [&] { sum = thrust::reduce(thrust::device, values, values + problem.n); },
      [&] { return problem.check(sum); });
}
