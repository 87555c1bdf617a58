// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_run.h"

#include "engine/device_heap.h"
#include "engine/reference/kernel.h"
#include "engine/schedule/worker.h"
#include "engine/simd/kernel.h"
#include "simd/gang_run.h"

#include <mutex>
#include <tbb/task_arena.h>

namespace heddle::engine {
namespace {

class FakeProgram : public Program {
public:
  explicit FakeProgram(const KernelRun &run) {
    info_.shared_bytes = run.static_shared_bytes;
    KernelInfo kernel;
    kernel.name = kernel.display_name = "fake";
    info_.kernels.push_back(kernel);
  }
  const ImageInfo &info() const override { return info_; }
  int findKernel(std::string_view) const override { return 0; }
  void ensureCompiled(int, const Dim3 &, const Dim3 &) override {}
  void initGlobals(void *, ManagedPlace (*)(void *, const char *), void *) override {}

private:
  ImageInfo info_;
};

class Collect : public PrintSink {
public:
  void write(std::string_view text) override {
    std::lock_guard guard(lock);
    texts.emplace_back(text);
  }
  std::mutex lock;
  std::vector<std::string> texts;
};
Collect sink;

} // namespace

const std::vector<std::string> &printed() { return sink.texts; }

namespace {

template <class Function>
auto withLaunch(const KernelRun &run, const void *parameters, Function use) {
  sink.texts.clear();
  FakeProgram program(run);
  DeviceHeap heap;
  Launch launch;
  launch.program = &program;
  launch.grid = run.grid;
  launch.block = run.block;
  launch.dynamic_shared_bytes = run.dynamic_shared_bytes;
  launch.cooperative = run.cooperative;
  launch.parameters = parameters;
  launch.device.multiprocessors = run.multiprocessors;
  launch.device.max_resident_blocks = run.blocks_per_multiprocessor;
  launch.device.heap = &heap;
  launch.device.print = &sink;
  return use(launch);
}

std::optional<Fault> runCode(const KernelRun &run, const KernelCode &code, const void *parameters) {
  return withLaunch(run, parameters, [&](const Launch &launch) {
    KernelHistory none;
    auto start = [&] { return runGrid(launch, code, run.history ? *run.history : none); };
    if (!run.one_worker)
      return start();
    return tbb::task_arena(1).execute(start);
  });
}

} // namespace

std::optional<Fault> runKernel(const KernelRun &run, KernelEntry entry, const void *parameters) {
  const KernelEntryInfo info = {"fake", entry, 4096, 0};
  return runCode(run, reference::Kernel(info), parameters);
}

std::optional<Fault> replayKernel(const KernelRun &run, KernelEntry entry, const void *parameters,
                                  uint64_t block) {
  const KernelEntryInfo info = {"fake", entry, 4096, 0};
  return withLaunch(run, parameters, [&](const Launch &launch) {
    return replayBlock(launch, reference::Kernel(info), block);
  });
}

std::optional<Fault> runGangs(const KernelRun &run, SimdKernelInfo info, const void *parameters) {
  simd::Kernel code(info, run.fused_blocks);
  code.lane_axis = run.lane_axis;
  code.padded_rows = run.padded_rows;
  return runCode(run, code, parameters);
}

} // namespace heddle::engine
