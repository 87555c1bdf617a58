// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"

constexpr std::size_t threads = 256, keysOfThread = 8, digits = 16;
constexpr int digitBits = 4;

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const radix_sort::Problem problem(options);
  const std::size_t n = problem.n, tile = threads * keysOfThread, groups = (n + tile - 1) / tile;
  bench::Device device("-DTHREADS=" + std::to_string(threads) +
                       " -DKEYS=" + std::to_string(keysOfThread));
  cl_mem keys = device.toDevice(problem.keys), counts = device.onDevice<cl_uint>(digits * groups);
  cl_mem buffers[] = {device.onDevice<cl_uint>(n), device.onDevice<cl_uint>(n)};
  const bench::Kernel count_digits = device.kernel("countDigits");
  const bench::Kernel scan_counts = device.kernel("scanCounts", counts, cl_int(digits * groups));
  const bench::Kernel scatter = device.kernel("scatter");

  const auto run = [&] {
    for (int pass = 0; pass < 32 / digitBits; ++pass) {
      const cl_int shift = pass * digitBits;
      cl_mem in = pass == 0 ? keys : buffers[(pass + 1) % 2];
      device.setArguments(count_digits, counts, in, cl_int(n), shift);
      device.launch(count_digits, {groups * threads}, {threads});
      device.launch(scan_counts, {threads}, {threads});
      device.setArguments(scatter, buffers[pass % 2], in, counts, cl_int(n), shift);
      device.launch(scatter, {groups * threads}, {threads});
    }
    device.finish();
  };
  return bench::measure(options, radix_sort::name, problem.bytes(), problem.flops(), run,
                        [&] { return problem.check(device.toHost<std::uint32_t>(buffers[1], n)); });
}
