// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/opencl.h"
#include "problem.h"
#include <utility>

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const bfs::Problem problem(options);
  const std::size_t vertices = problem.graph.vertices;
  bench::Device device;
  cl_mem row_starts = device.toDevice(problem.graph.row_starts);
  cl_mem neighbours = device.toDevice(problem.graph.neighbours);
  cl_mem levels = device.onDevice<cl_int>(vertices), next_count = device.onDevice<cl_int>(1);
  cl_mem queue = device.onDevice<cl_int>(vertices), next = device.onDevice<cl_int>(vertices);
  const bench::Kernel begin =
      device.kernel("begin", levels, queue, cl_int(problem.source), cl_int(vertices));
  const bench::Kernel expand = device.kernel("expand");
  const auto groups = [](std::size_t threads) { return (threads + 255) / 256; };

  const auto run = [&] {
    device.setArguments(begin, levels, queue);
    device.launch(begin, {groups(vertices) * 256}, {256});
    cl_int count = 1;
    for (cl_int level = 1; count > 0; ++level) {
      device.fillZero(next_count, sizeof(cl_int));
      device.setArguments(expand, levels, next, next_count, queue, count, row_starts, neighbours,
                          level);
      device.launch(expand, {groups(count) * 256}, {256});
      count = device.toHost<cl_int>(next_count, 1)[0];
      std::swap(queue, next);
    }
    device.finish();
  };
  return bench::measure(options, bfs::name, problem.bytes(), problem.flops(), run,
                        [&] { return problem.check(device.toHost<int>(levels, vertices)); });
}
