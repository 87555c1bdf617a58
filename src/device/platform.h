// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine as a CUDA program sees it: its virtual devices and which one each host thread uses.
//
// HEDDLE_GPU names the GPU that the devices say they are (default t4), HEDDLE_DEVICES how many
// there are (default 1), CUDA_VISIBLE_DEVICES which of them this process sees,
// CUDA_LAUNCH_BLOCKING=1 makes launches wait.
#pragma once

#include "device/context.h"

#include <span>
#include <string>

namespace heddle {

class Platform {
public:
  /// Made by the first call; lasts until the end of the process.
  static Platform &instance();
  /// Whether instance() has been called, and found devices.
  static bool started();
  /// Whether this process was forked from one that had started it. CUDA does not work here then:
  /// the threads that do the devices' work are the other process's.
  static bool forked();

  /// cudaSuccess, or why there is no device (already explained on stderr).
  cudaError_t status() const { return problem; }
  int deviceCount() const { return int(devices.size()); }
  Device &device(int ordinal) { return *devices[ordinal]; }
  /// Of the devices, which are all alike: 75 is 7.5. 0 if there are none.
  unsigned computeCapability() const;
  /// Whether the devices run a program with such code (module/image/gpu_codes.h). Where HEDDLE_GPU
  /// names no GPU they run all: what they are then, the program has not been told.
  bool runs(std::span<const std::string> codes) const;
  /// This host thread's current device.
  Device &current() {
    Context::useRuntime();
    return *devices[currentOrdinal()];
  }
  static int &currentOrdinal();
  Memory &memory() { return *all_memory; }
  /// This process's number of the machine's device, or -1 if it does not see it.
  int ordinalOf(int board) const;
  bool launchBlocking() const { return launch_blocking; }

private:
  Platform();
  cudaError_t problem = cudaSuccess;
  std::unique_ptr<Memory> all_memory;
  std::vector<std::unique_ptr<Device>> devices;
  bool launch_blocking = false;
  bool checks_codes = false; // a GPU was named, and it is to be as strict
};

} // namespace heddle
