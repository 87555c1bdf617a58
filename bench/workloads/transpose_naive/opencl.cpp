// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const transpose::Problem problem(options);
  const int width = problem.width, height = problem.height;
  const std::size_t columns = (width + 16 - 1) / 16, rows = (height + 16 - 1) / 16;
  bench::Device device;
  cl_mem in = device.toDevice(problem.input);
  cl_mem out = device.onDevice<float>(problem.elements());
  const bench::Kernel kernel =
      device.kernel("transposeKernel", in, out, cl_int(width), cl_int(height));

  return bench::measure(
      options, workload, problem.bytes(), 0,
      [&] {
        device.launch(kernel, {columns * 16, rows * 16}, {16, 16});
        device.finish();
      },
      [&] { return problem.check(device.toHost<float>(out, problem.elements())); });
}
