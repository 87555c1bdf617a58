// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main() of the CUDA variants of both naive matmul workloads, which define `workload`, their
// name, and the kernel `multiply`.
#pragma once

#include "common/cuda.h"
#include "common/matmul.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const matmul::Problem problem(options);
  const int n = problem.n;
  const float *a = bench::toDevice(problem.a), *b = bench::toDevice(problem.b);
  float *c = bench::onDevice<float>(problem.elements());
  const dim3 threads(16, 16), blocks((n + 15) / 16, (n + 15) / 16);

  return bench::measure(
      options, workload, problem.bytes(), problem.flops(),
      [&] {
        multiply<<<blocks, threads>>>(a, b, c, n);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(c, problem.elements())); });
}
