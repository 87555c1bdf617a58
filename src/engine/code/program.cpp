// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/abi.h"
#include "engine/cluster_launch.h"
#include "engine/code/compiled_module.h"
#include "engine/code/native_code.h"
#include "engine/launch.h"
#include "engine/observe/observer.h"
#include "engine/reference/kernel.h"
#include "engine/schedule/worker.h"
#include "engine/simd/kernel.h"
#include "engine/simd/launch/plan.h"
#include "support/switches.h"

#include <cstdio>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>
#include <vector>

namespace heddle::engine {
namespace {

constexpr int error_invalid_kernel_image = 200; // cudaErrorInvalidKernelImage

bool verbose() {
  static const bool verbose = switchedOn("HEDDLE_VERBOSE");
  return verbose;
}

class LoadedProgram : public Program {
public:
  explicit LoadedProgram(std::span<const std::byte> bytes)
      : bytes_(reinterpret_cast<const char *>(bytes.data()), bytes.size()),
        info_(readImage(bytes).info), kernels_(info_.kernels.size()),
        code_(bytes_, info_, switchedOn("HEDDLE_EXPLAIN")) {
    for (const KernelInfo &kernel : info_.kernels)
      facts_.push_back(simd::readFacts(kernel.engine_facts));
  }

  const ImageInfo &info() const override { return info_; }

  int findKernel(std::string_view name) const override {
    for (size_t i = 0; i < info_.kernels.size(); ++i)
      if (info_.kernels[i].name == name)
        return int(i);
    return -1;
  }

  void ensureCompiled(int kernel, const Dim3 &grid, const Dim3 &block) override {
    if (usesSimd())
      (void)simdKernel(size_t(kernel), grid, block, true);
    else
      (void)code_.referenceKernel(size_t(kernel));
  }

  void initGlobals(void *globals, ManagedPlace (*managed)(void *user, const char *name),
                   void *user) override {
    std::vector<void *> addresses;
    for (const VariableInfo &variable : info_.variables)
      if (variable.managed) {
        const ManagedPlace place = managed(user, variable.name.c_str());
        addresses.push_back(place.address);
        addresses.push_back(place.fresh ? place.address : nullptr);
      }
    code_.initGlobals(usesSimd())(static_cast<char *>(globals), addresses.data());
  }

  std::optional<Fault> run(const Launch &launch, const Dim3 &cluster = {}) {
    observe::Observer *observer = observe::observer;
    if (!observer)
      return runKernel(launch, cluster);
    observer->kernelBegin(launch);
    std::optional<Fault> fault = runKernel(launch, cluster);
    observer->kernelEnd(launch);
    return fault;
  }

private:
  std::optional<Fault> runKernel(const Launch &launch, const Dim3 &cluster) {
    const auto kernel = size_t(launch.kernel);
    if (usesSimd()) {
      const bool alone = cluster.count() == 1;
      const uint32_t grid_x = simd::plannedGrid(facts_[kernel], launch, alone, allowed_);
      simd::Kernel code = simdKernel(kernel, launch.grid, launch.block, alone);
      const char *reason = simd::whyNot(code.info, launch);
      if (!reason) {
        code.prepare(launch);
        std::optional<Launch> changed;
        if (grid_x != launch.grid.x || code.lane_axis) {
          changed.emplace(launch).grid.x = grid_x;
          changed->grid = turned(changed->grid, code.lane_axis);
          changed->block = turned(launch.block, code.lane_axis);
        }
        std::optional<Fault> fault =
            runGrid(changed ? *changed : launch, code, kernels_[kernel].simd, cluster);
        if (fault && fault->one_of_many && !observe::observer) // who would see all of it twice
          findCulprit(launch, *fault, cluster, code.lane_axis);
        return fault;
      }
      if (verbose() && !kernels_[kernel].told.exchange(true))
        fmt::print(stderr, "heddle: kernel {} runs on the reference engine: {}\n",
                   info_.kernels[kernel].display_name, reason);
    }
    return runGrid(launch, reference::Kernel(code_.referenceKernel(kernel)),
                   kernels_[kernel].reference, cluster);
  }

  struct KernelState {
    KernelHistory reference, simd;
    std::atomic<bool> told{false}; // that it runs on the reference engine
  };

  // As launches of the program's run it.
  simd::Kernel simdKernel(size_t kernel, const Dim3 &grid, const Dim3 &block, bool alone) {
    const simd::LaunchPlan plan =
        simd::planLaunch(facts_[kernel], info_.kernels[kernel], grid, block, alone, allowed_);
    simd::Kernel code(code_.simdKernel(kernel, plan.variant), plan.fused_blocks,
                      plan.lane_axis ? ~0u : grid.x, allowed_);
    code.lane_axis = plan.lane_axis;
    code.padded_rows = plan.padded_rows;
    return code;
  }

  // Threads of a gang fault together. To name the one, the block runs again on the reference
  // engine, thread by thread; memory is lost anyway. If it does not come to the same end, the first
  // thread of the gang stands for all.
  void findCulprit(const Launch &launch, Fault &fault, const Dim3 &cluster, unsigned lane_axis) {
    try {
      const reference::Kernel code(code_.referenceKernel(size_t(launch.kernel)));
      const Dim3 &grid = launch.grid;
      const uint64_t apart[] = {1, grid.x, uint64_t(grid.x) * grid.y}; // along each axis
      for (uint64_t i = 0; i < fault.blocks; ++i)
        if (std::optional<Fault> again =
                replayBlock(launch, code, fault.block + i * apart[lane_axis], cluster);
            again && again->error == fault.error) {
          fault = std::move(*again);
          return;
        }
    } catch (const std::runtime_error &) {
      return; // no code for the reference engine
    }
  }

  // Code that was compiled to be debugged runs as it was written, thread by thread.
  bool usesSimd() const {
    static const bool simd = chosenEngine() == "simd";
    return simd && !info_.debug;
  }

  std::string_view bytes_;
  ImageInfo info_;
  std::vector<KernelState> kernels_;
  NativeCode code_;
  std::vector<simd::LaunchFacts> facts_; // of each kernel
  const simd::Choices allowed_ = observe::observer ? simd::Choices::none() : simd::allowedChoices();
};

} // namespace

std::shared_ptr<Program> loadProgram(std::span<const std::byte> bytes) {
  return std::make_shared<LoadedProgram>(bytes);
}

std::optional<Fault> run(const Launch &launch) { return runClusters(launch, {}); }

std::optional<Fault> runClusters(const Launch &launch, const Dim3 &cluster) {
  try {
    return static_cast<LoadedProgram *>(launch.program)->run(launch, cluster);
  } catch (const std::runtime_error &problem) {
    // Code for this launch's shape of block could not be had.
    return Fault{error_invalid_kernel_image, fmt::format("heddle: {}\n", problem.what())};
  }
}

} // namespace heddle::engine
