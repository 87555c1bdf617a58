// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main() of both transpose workloads' OpenCL variants, which define `workload`, their name, and
// what kernel.cl copies at a time: squares of `side` elements, by groups of side x groupRows.
#pragma once

#include "common/opencl.h"
#include "common/transpose.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const transpose::Problem problem(options);
  const int width = problem.width, height = problem.height;
  const std::size_t columns = (width + side - 1) / side, rows = (height + side - 1) / side;
  bench::Device device;
  cl_mem in = device.toDevice(problem.input);
  cl_mem out = device.onDevice<float>(problem.elements());
  const bench::Kernel kernel =
      device.kernel("transposeKernel", in, out, cl_int(width), cl_int(height));

  return bench::measure(
      options, workload, problem.bytes(), 0,
      [&] {
        device.launch(kernel, {columns * side, rows * groupRows}, {side, groupRows});
        device.finish();
      },
      [&] { return problem.check(device.toHost<float>(out, problem.elements())); });
}
