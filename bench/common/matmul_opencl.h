// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main() of the OpenCL variants of both naive matmul workloads, which define `workload`, their
// name.
#pragma once

#include "common/matmul.h"
#include "common/opencl.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const matmul::Problem problem(options);
  const std::size_t n = problem.n;
  bench::Device device;
  cl_mem a = device.toDevice(problem.a), b = device.toDevice(problem.b);
  cl_mem c = device.onDevice<float>(problem.elements());
  const bench::Kernel kernel = device.kernel("multiply", a, b, c, cl_int(n));

  return bench::measure(
      options, workload, problem.bytes(), problem.flops(),
      [&] {
        device.launch(kernel, {n, n}, {16, 16});
        device.finish();
      },
      [&] { return problem.check(device.toHost<float>(c, problem.elements())); });
}
