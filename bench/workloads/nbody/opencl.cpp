// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const nbody::Problem problem(options);
  const std::size_t tile = 256, groups = (problem.n + tile - 1) / tile;
  bench::Device device("-DTILE=" + std::to_string(tile) +
                       " -DSOFTENING=" + std::to_string(nbody::softening) + "f");
  cl_mem bodies = device.toDevice(problem.bodies);
  cl_mem accelerations = device.onDevice<nbody::Float4>(problem.n);
  const bench::Kernel kernel =
      device.kernel("accelerate", accelerations, bodies, cl_int(problem.n));

  return bench::measure(
      options, nbody::name, problem.bytes(), problem.flops(),
      [&] {
        device.launch(kernel, {groups * tile}, {tile});
        device.finish();
      },
      [&] { return problem.check(device.toHost<nbody::Float4>(accelerations, problem.n)); });
}
