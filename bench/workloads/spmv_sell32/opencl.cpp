// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const spmv_sell32::Problem problem(options);
  const std::size_t rows = problem.rows(), groups = (rows + 127) / 128;
  bench::Device device;
  cl_mem y = device.onDevice<float>(rows);
  const bench::Kernel kernel = device.kernel(
      "multiply", y, device.toDevice(problem.a.slice_starts), device.toDevice(problem.a.columns),
      device.toDevice(problem.a.values), device.toDevice(problem.x), cl_int(rows));

  return bench::measure(
      options, spmv_sell32::name, problem.bytes(), problem.flops(),
      [&] {
        device.launch(kernel, {groups * 128}, {128});
        device.finish();
      },
      [&] { return problem.check(device.toHost<float>(y, rows)); });
}
