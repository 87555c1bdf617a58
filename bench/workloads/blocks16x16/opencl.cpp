// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const smoothing::Problem problem(options);
  const std::size_t columns = (problem.width + 15) / 16, rows = (problem.height + 15) / 16;
  bench::Device device;
  cl_mem in = device.toDevice(problem.image);
  cl_mem out = device.onDevice<float>(problem.elements());
  cl_mem closeness = device.toDevice(problem.closeness, std::size(problem.closeness));
  const bench::Kernel kernel =
      device.kernel("smooth", in, out, cl_int(problem.width), cl_int(problem.height),
                    smoothing::sharpness, closeness);

  return bench::measure(
      options, smoothing::name, problem.bytes(), problem.flops(),
      [&] {
        device.launch(kernel, {columns * 16, rows * 16}, {16, 16});
        device.finish();
      },
      [&] { return problem.check(device.toHost<float>(out, problem.elements())); });
}
