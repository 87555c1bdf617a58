// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where nvtx3/nvToolsExtMem.h leads: what the program tells of its memory goes to the observer.
#include "device/platform.h"
#include "engine/observe/observer.h"

#include <chrono>
#include <thread>

namespace heddle {
namespace {

// Work that the program has asked for is to meet memory as it was told of until then. But it may
// wait for what the host does next.
void finishWork() {
  constexpr auto patience = std::chrono::seconds(2);
  const auto end = std::chrono::steady_clock::now() + patience;
  Platform *platform = Platform::started() ? &Platform::instance() : nullptr;
  for (int i = 0; platform && i < platform->deviceCount(); ++i)
    for (const Point &point : platform->device(i).lastPoints())
      while (!point.reached() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::microseconds(50));
}

} // namespace
} // namespace heddle

/// Returns whether a tool listens.
extern "C" __attribute__((visibility("default"))) int
__heddle_nvtx_memory(uint32_t what, const void *base, uint64_t value, const char *name) {
  using heddle::engine::observe::MemoryNote;
  auto *observer = heddle::engine::observe::observer;
  if (!observer || what > uint32_t(MemoryNote::Fresh))
    return 0;
  heddle::finishWork();
  observer->memoryNoted(MemoryNote(what), base, value, name);
  ++heddle::engine::observe::memory_changes;
  return 1;
}
