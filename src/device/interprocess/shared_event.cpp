// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/interprocess/shared_event.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle {

/// Lies in the shared file, which begins as zeros.
struct SharedEvent::State {
  std::atomic<uint64_t> recorded, reached;
  std::atomic<uint32_t> changes; // what waiting threads watch (futex)
  std::atomic<int32_t> recorder; // the process of the newest record
};

namespace {

constexpr size_t file_bytes = 4096;

bool isGone(int32_t process) { return process != 0 && kill(process, 0) != 0 && errno == ESRCH; }

} // namespace

SharedEvent::SharedEvent(int descriptor, const SharedMapping &mapping)
    : descriptor(descriptor), mapping(mapping), state(*static_cast<State *>(mapping.start)) {}

SharedEvent::~SharedEvent() {
  unmapSharedFile(mapping);
  close(descriptor);
}

std::shared_ptr<SharedEvent> SharedEvent::create() {
  return map(createSharedFile("heddle-event", file_bytes));
}

std::shared_ptr<SharedEvent> SharedEvent::open(const SharedFile &file) {
  return map(openSharedFile(file));
}

std::shared_ptr<SharedEvent> SharedEvent::map(int descriptor) {
  if (descriptor < 0)
    return nullptr;
  const SharedMapping mapping = mapSharedFile(descriptor, 0, file_bytes);
  if (!mapping.start) {
    close(descriptor);
    return nullptr;
  }
  return std::shared_ptr<SharedEvent>(new SharedEvent(descriptor, mapping));
}

uint64_t SharedEvent::record() {
  state.recorder = getpid();
  return state.recorded.fetch_add(1) + 1;
}

void SharedEvent::reach(uint64_t record) {
  uint64_t before = state.reached;
  while (before < record && !state.reached.compare_exchange_weak(before, record)) {
  }
  ++state.changes;
  syscall(SYS_futex, &state.changes, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

uint64_t SharedEvent::newest() const { return state.recorded; }

bool SharedEvent::reached(uint64_t record) const { return state.reached >= record; }

void SharedEvent::wait(uint64_t record) const {
  while (true) {
    const uint32_t seen = state.changes;
    if (reached(record) || isGone(state.recorder))
      return;
    const timespec limit = {0, 100'000'000}; // then look whether the process still lives
    syscall(SYS_futex, &state.changes, FUTEX_WAIT, seen, &limit, nullptr, 0);
  }
}

} // namespace heddle
