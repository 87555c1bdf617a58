// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"
#include <cstdio>

constexpr std::size_t blockX = 32, blockY = 8;

static std::string define(const char *name, double value) {
  char text[64];
  std::snprintf(text, sizeof text, " -D%s=%.17g", name, value);
  return text;
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const pde_double::Problem problem(options);
  bench::Device device("-DBLOCK_X=" + std::to_string(blockX) + " -DBLOCK_Y=" +
                       std::to_string(blockY) + define("CENTER", pde_double::center) +
                       define("NEAR", pde_double::near) + define("FAR", pde_double::far));
  cl_mem before = device.toDevice(problem.before), now = device.toDevice(problem.now);
  cl_mem even = device.onDevice<double>(problem.points());
  cl_mem odd = device.onDevice<double>(problem.points());
  const cl_int size = problem.size, pitch = problem.pitch;
  const bench::Kernel first = device.kernel("advance", even, before, now, size, pitch);
  const bench::Kernel second = device.kernel("advance", odd, now, even, size, pitch);
  const bench::Kernel to_even = device.kernel("advance", even, even, odd, size, pitch);
  const bench::Kernel to_odd = device.kernel("advance", odd, odd, even, size, pitch);
  const std::size_t columns = (size + blockX - 1) / blockX * blockX;
  const std::size_t rows = (size + blockY - 1) / blockY * blockY;

  const auto run = [&] {
    for (int i = 0; i < problem.steps; i += 2) {
      device.launch(i == 0 ? first : to_even, {columns, rows}, {blockX, blockY});
      device.launch(i == 0 ? second : to_odd, {columns, rows}, {blockX, blockY});
    }
    device.finish();
  };
  return bench::measure(options, pde_double::name, problem.bytes(), problem.flops(), run, [&] {
    return problem.check(device.toHost<double>(odd, problem.points()));
  });
}
