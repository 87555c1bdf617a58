// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"
#include <vector>

constexpr std::size_t threads = 256, elements = 2 * threads;

/// One level of the recursion: its kernels, with their arguments.
struct Level {
  std::size_t groups;
  bench::Kernel scan, add;
};

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const scan::Problem problem(options);
  bench::Device device("-DTHREADS=" + std::to_string(threads));
  cl_mem in = device.toDevice(problem.in), out = device.onDevice<std::uint32_t>(problem.n);

  std::vector<Level> levels;
  cl_mem level_in = in, level_out = out;
  for (std::size_t n = problem.n;;) {
    const std::size_t groups = (n + elements - 1) / elements;
    cl_mem sums = device.onDevice<std::uint32_t>(groups);
    levels.push_back({groups, device.kernel("scanBlocks", level_out, sums, level_in, cl_int(n)),
                      device.kernel("addSums", level_out, sums, cl_int(n))});
    level_in = level_out = sums; // the sums are scanned in place
    n = groups;
    if (groups == 1)
      break;
  }

  return bench::measure(
      options, scan::name, problem.bytes(), problem.flops(),
      [&] {
        for (const Level &level : levels)
          device.launch(level.scan, {level.groups * threads}, {threads});
        for (std::size_t i = levels.size() - 1; i-- > 0;)
          device.launch(levels[i].add, {levels[i].groups * threads}, {threads});
        device.finish();
      },
      [&] { return problem.check(device.toHost<std::uint32_t>(out, problem.n)); });
}
