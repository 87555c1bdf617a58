// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/platform.h"

#include "device/machine.h"
#include "device/registry.h"
#include "module/image/gpu_codes.h"
#include "support/strict.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <pthread.h>

namespace heddle {

static std::atomic<bool> has_started{false}, has_forked{false};

Platform &Platform::instance() {
  static Platform *platform = new Platform; // the program's static objects may outlive any other
  return *platform;
}

bool Platform::started() { return has_started; }

bool Platform::forked() { return has_forked; }

int &Platform::currentOrdinal() {
  thread_local int ordinal = 0;
  return ordinal;
}

Platform::Platform() {
  // Called back before the engine's own threads are taken down, as they were there first.
  atexit([] {
    if (!has_forked)
      Stream::stopAll();
  });
  checks_codes = strict() && !environment("HEDDLE_GPU", "").empty();
  launch_blocking = environment("CUDA_LAUNCH_BLOCKING", "0") == "1"; // nothing else counts
  try {
    const Machine machine = readMachine();
    const auto visible = visibleDevices(machine);
    if (!visible)
      fprintf(stderr, "heddle: CUDA_VISIBLE_DEVICES names a device twice, or CUDA_DEVICE_ORDER is "
                      "neither FASTEST_FIRST nor PCI_BUS_ID\n");
    if (!visible || visible->empty()) {
      problem = visible ? cudaErrorNoDevice : cudaErrorInvalidDevice;
      return;
    }
    const int count = int(visible->size());
    const gpu::Gpu &gpu = *machine.gpu;
    all_memory = std::make_unique<Memory>(std::vector<size_t>(count, gpu.global_memory_bytes));
    Registry::instance().announceManaged(*all_memory);
    for (int i = 0; i < count; ++i)
      devices.push_back(std::make_unique<Device>(i, gpu, *all_memory, (*visible)[i]));
    if (pthread_atfork(nullptr, nullptr, [] { has_forked = true; }))
      throw std::bad_alloc();
    has_started = true;
  } catch (const std::exception &error) {
    fprintf(stderr, "heddle: %s\n", error.what());
    problem = cudaErrorInitializationError;
  }
}

int Platform::ordinalOf(int board) const {
  for (const auto &device : devices)
    if (device->board == board)
      return device->ordinal;
  return -1;
}

bool Platform::runs(std::span<const std::string> codes) const {
  const bool only_ptx = environment("CUDA_FORCE_PTX_JIT", "0") == "1";
  return !checks_codes || runsOnGpu(codes, computeCapability(), only_ptx);
}

unsigned Platform::computeCapability() const {
  if (devices.empty())
    return 0;
  const gpu::Gpu &gpu = devices.front()->gpu;
  return gpu.compute_major * 10 + gpu.compute_minor;
}

} // namespace heddle
