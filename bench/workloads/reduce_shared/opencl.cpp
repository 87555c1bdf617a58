// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"

constexpr int threads = 256;

static int groupsFor(int n) { return (n + 2 * threads - 1) / (2 * threads); }

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const reduce::Problem problem(options);
  const int n = int(problem.n);
  bench::Device device;
  cl_mem values = device.toDevice(problem.values);
  cl_mem sums[2] = {device.onDevice<float>(groupsFor(n)), device.onDevice<float>(groupsFor(n))};
  const bench::Kernel kernel = device.kernel("addUp");
  cl_mem result = nullptr;

  return bench::measure(
      options, workload, problem.bytes(), 0,
      [&] {
        cl_mem input = values;
        for (int left = n, pass = 0; left > 1; left = groupsFor(left), ++pass) {
          device.setArguments(kernel, input, cl_int(left), sums[pass % 2]);
          device.launch(kernel, {std::size_t(groupsFor(left)) * threads}, {threads});
          input = sums[pass % 2];
        }
        device.finish();
        result = input;
      },
      [&] { return problem.check(device.toHost<float>(result, 1)[0]); });
}
