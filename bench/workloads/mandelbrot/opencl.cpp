// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const mandelbrot::Problem problem(options);
  const int width = problem.width, height = problem.height;
  bench::Device device("-DMAX_STEPS=" + std::to_string(mandelbrot::maxSteps));
  cl_mem steps = device.onDevice<int>(problem.expected.size());
  const bench::Kernel kernel = device.kernel("countSteps", steps, cl_int(width), cl_int(height),
                                             problem.left, problem.top, problem.step);
  const std::size_t columns = (width + 15) / 16 * 16, rows = (height + 15) / 16 * 16;

  return bench::measure(
      options, mandelbrot::name, problem.bytes(), problem.flops(),
      [&] {
        device.launch(kernel, {columns, rows}, {16, 16});
        device.finish();
      },
      [&] { return problem.check(device.toHost<int>(steps, problem.expected.size())); });
}
