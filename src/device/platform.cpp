// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/platform.h"

#include "device/machine.h"
#include "device/registry.h"

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
    if (pthread_atfork(nullptr, nullptr, [] { has_forked = true; }))
      throw std::bad_alloc();
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
