// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"

using histogram::bins;

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const histogram::Problem problem(options);
  const std::size_t groups = 8 * 40; // as many as the CUDA variant has on a T4
  bench::Device device;
  cl_mem values = device.toDevice(problem.values);
  cl_mem counts = device.onDevice<cl_uint>(bins);
  const bench::Kernel kernel = device.kernel("count", values, cl_int(problem.n), counts);

  return bench::measure(
      options, histogram::name, problem.bytes(), 0,
      [&] {
        device.fillZero(counts, bins * sizeof(cl_uint));
        device.launch(kernel, {groups * bins}, {bins});
        device.finish();
      },
      [&] { return problem.check(device.toHost<cl_uint>(counts, bins).data()); });
}
