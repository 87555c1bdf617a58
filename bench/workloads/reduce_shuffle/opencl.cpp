// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const reduce::Problem problem(options);
  const std::size_t n = problem.n, threads = 256;
  const std::size_t groups = std::min((n + threads - 1) / threads, std::size_t(1024));
  bench::Device device;
  cl_mem values = device.toDevice(problem.values);
  cl_mem total = device.onDevice<float>(1);
  const bench::Kernel kernel = device.kernel("addUp", values, cl_int(n), total);

  return bench::measure(
      options, workload, problem.bytes(), 0,
      [&] {
        device.fillZero(total, sizeof(float));
        device.launch(kernel, {groups * threads}, {threads});
        device.finish();
      },
      [&] { return problem.check(device.toHost<float>(total, 1)[0]); });
}
