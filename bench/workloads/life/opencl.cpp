// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const life::Problem problem(options);
  const cl_int width = problem.width, height = problem.height;
  bench::Device device;
  cl_mem start = device.toDevice(problem.start);
  cl_mem fields[] = {device.onDevice<life::Cell>(problem.cells()),
                     device.onDevice<life::Cell>(problem.cells())};
  const bench::Kernel first = device.kernel("generation", fields[0], start, width, height);
  const bench::Kernel steps[] = {device.kernel("generation", fields[0], fields[1], width, height),
                                 device.kernel("generation", fields[1], fields[0], width, height)};
  const std::size_t columns = (width + 31) / 32 * 32, rows = (height + 7) / 8 * 8;

  const auto run = [&] {
    for (int g = 0; g < problem.generations; ++g)
      device.launch(g == 0 ? first : steps[g % 2], {columns, rows}, {32, 8});
    device.finish();
  };
  return bench::measure(options, life::name, problem.bytes(), problem.flops(), run, [&] {
    return problem.check(device.toHost<life::Cell>(fields[1], problem.cells()));
  });
}
