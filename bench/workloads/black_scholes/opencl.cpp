// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const black_scholes::Problem problem(options);
  const std::size_t groups = (problem.n + 255) / 256;
  bench::Device device;
  cl_mem calls = device.onDevice<float>(problem.n), puts = device.onDevice<float>(problem.n);
  const bench::Kernel kernel = device.kernel("price", calls, puts, device.toDevice(problem.prices),
                                             device.toDevice(problem.strikes),
                                             device.toDevice(problem.years), cl_int(problem.n));

  return bench::measure(
      options, black_scholes::name, problem.bytes(), problem.flops(),
      [&] {
        device.launch(kernel, {groups * 256}, {256});
        device.finish();
      },
      [&] {
        return problem.check(device.toHost<float>(calls, problem.n),
                             device.toHost<float>(puts, problem.n));
      });
}
