// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const triad::Problem problem(options);
  const std::size_t groups = (problem.n + 255) / 256;
  bench::Device device;
  cl_mem a = device.onDevice<float>(problem.n);
  cl_mem b = device.toDevice(problem.b), c = device.toDevice(problem.c);
  const bench::Kernel kernel =
      device.kernel("triadKernel", a, b, c, triad::scalar, cl_int(problem.n));

  return bench::measure(
      options, triad::name, problem.bytes(), problem.flops(),
      [&] {
        device.launch(kernel, {groups * 256}, {256});
        device.finish();
      },
      [&] { return problem.check(device.toHost<float>(a, problem.n)); });
}
