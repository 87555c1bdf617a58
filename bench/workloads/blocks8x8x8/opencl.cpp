// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const diffusion::Problem problem(options);
  const std::size_t along = (problem.side + 7) / 8 * 8;
  bench::Device device;
  cl_mem in = device.toDevice(problem.cells);
  cl_mem out = device.onDevice<float>(problem.count());
  const bench::Kernel kernel = device.kernel("diffuse", in, out, cl_int(problem.side),
                                             diffusion::centre, diffusion::neighbour);

  return bench::measure(
      options, diffusion::name, problem.bytes(), problem.flops(),
      [&] {
        device.launch(kernel, {along, along, along}, {8, 8, 8});
        device.finish();
      },
      [&] { return problem.check(device.toHost<float>(out, problem.count())); });
}
