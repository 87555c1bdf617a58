// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

#include <thrust/copy.h>
#include <thrust/execution_policy.h>

struct AboveBound {
  __device__ bool operator()(int value) const { return value > thrust_select::bound; }
};

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const thrust_select::Problem problem(options);
  const int *values = bench::toDevice(problem.values);
  int *result = bench::onDevice<int>(problem.n);
  std::size_t count = 0;
  return bench::measure(
      options, thrust_select::name, problem.bytes(), problem.flops(),
      [&] {
        count = thrust::copy_if(thrust::device, values, values + problem.n, result, AboveBound()) -
                result;
      },
      [&] { return problem.check(bench::toHost(result, problem.n), count); });
}
