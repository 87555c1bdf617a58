// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/platform.h"

#include "device/machine.h"
#include "device/registry.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace heddle {

static std::atomic<bool> has_started{false};

Platform &Platform::instance() {
  static Platform *platform = new Platform; // the program's static objects may outlive any other
  return *platform;
}

bool Platform::started() { return has_started; }

int &Platform::currentOrdinal() {
  thread_local int ordinal = 0;
  return ordinal;
}

Platform::Platform() {
  // Called back before the engine's own threads are taken down, as they were there first.
  atexit(Stream::stopAll);
  launch_blocking = environment("CUDA_LAUNCH_BLOCKING", "0") != "0";
  try {
    const Machine machine = readMachine();
    const int count = machine.devices;
    if (count == 0) {
      problem = cudaErrorNoDevice;
      return;
    }
    const gpu::Gpu &gpu = *machine.gpu;
    all_memory = std::make_unique<Memory>(std::vector<size_t>(count, gpu.global_memory_bytes));
    Registry::instance().announceManaged(*all_memory);
    for (int i = 0; i < count; ++i)
      devices.push_back(std::make_unique<Device>(i, gpu, *all_memory));
    has_started = true;
  } catch (const std::exception &error) {
    fprintf(stderr, "heddle: %s\n", error.what());
    problem = cudaErrorInitializationError;
  }
}

unsigned Platform::computeCapability() const {
  if (devices.empty())
    return 0;
  const gpu::Gpu &gpu = devices.front()->gpu;
  return gpu.compute_major * 10 + gpu.compute_minor;
}

} // namespace heddle
