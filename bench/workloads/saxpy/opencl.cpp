// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  saxpy::Problem problem(options);
  const std::size_t groups = 32 * 40; // as many as the CUDA variant has on a T4
  bench::Device device;
  cl_mem x = device.toDevice(problem.x), y = device.toDevice(problem.y);
  const bench::Kernel kernel = device.kernel("saxpyKernel", cl_int(problem.n), problem.a, x, y);

  return bench::measure(
      options, saxpy::name, problem.bytes(), problem.flops(),
      [&] {
        device.setArgument(kernel, 1, problem.a);
        device.launch(kernel, {groups * 256}, {256});
        device.finish();
        problem.ran();
      },
      [&] { return problem.check(device.toHost<float>(y, problem.n)); });
}
