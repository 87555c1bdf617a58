// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const jacobi::Problem problem(options);
  const int width = problem.width, height = problem.height;
  const std::size_t columns = (width + 31) / 32, rows = (height + 7) / 8;
  bench::Device device;
  cl_mem in = device.toDevice(problem.grid);
  cl_mem between = device.toDevice(problem.grid), out = device.toDevice(problem.grid);
  const auto step = [&](cl_mem from, cl_mem to) {
    return device.kernel("jacobiStep", from, to, cl_int(width), cl_int(height));
  };
  const bench::Kernel first = step(in, between), second = step(between, out);

  return bench::measure(
      options, jacobi::name, problem.bytes(), problem.flops(),
      [&] {
        device.launch(first, {columns * 32, rows * 8}, {32, 8});
        device.launch(second, {columns * 32, rows * 8}, {32, 8});
        device.finish();
      },
      [&] { return problem.check(device.toHost<float>(out, problem.elements())); });
}
