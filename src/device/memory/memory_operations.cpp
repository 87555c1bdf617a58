// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/memory/memory_operations.h"

#include "engine/observe/observer.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace heddle {
namespace {

template <class Number> Number load(const void *address) {
  return __atomic_load_n(static_cast<const Number *>(address), __ATOMIC_ACQUIRE);
}

/// The difference tells which number is "greater", as counters may wrap.
template <class Number, class Signed>
bool fulfils(Number found, Number value, WaitForValue::Condition condition) {
  switch (condition) {
  case WaitForValue::Condition::AtLeast:
    return Signed(Number(found - value)) >= 0;
  case WaitForValue::Condition::Equal:
    return found == value;
  case WaitForValue::Condition::AnyBit:
    return (found & value) != 0;
  case WaitForValue::Condition::NotAllBits:
    return Number(~(found | value)) != 0;
  }
  return true;
}

/// Asks more and more rarely, up to some thousand times a second. Not after the end of the process
/// has begun, nor on a device that has failed.
void wait(const WaitForValue &wanted, const Device &device) {
  for (unsigned tries = 0; !wanted.fulfilled(); ++tries) {
    if (Stream::stopped() || device.error())
      return;
    if (tries < 200)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(tries < 2000 ? 20 : 200));
  }
}

void write(const WriteValue &wanted) {
  if (engine::observe::observer) {
    engine::observe::observer->tellsHost();
    engine::observe::observer->written(wanted.address, wanted.bytes);
  }
  if (wanted.bytes == 4)
    __atomic_store_n(static_cast<uint32_t *>(wanted.address), uint32_t(wanted.value),
                     __ATOMIC_SEQ_CST);
  else
    __atomic_store_n(static_cast<uint64_t *>(wanted.address), wanted.value, __ATOMIC_SEQ_CST);
}

} // namespace

bool WaitForValue::fulfilled() const {
  return bytes == 4
             ? fulfils<uint32_t, int32_t>(load<uint32_t>(address), uint32_t(value), condition)
             : fulfils<uint64_t, int64_t>(load<uint64_t>(address), value, condition);
}

void MemoryOperations::run() const noexcept {
  for (const MemoryOperation &operation : list) {
    if (const auto *wanted = std::get_if<WaitForValue>(&operation))
      wait(*wanted, device);
    else if (const auto *written = std::get_if<WriteValue>(&operation))
      write(*written);
    else
      std::atomic_thread_fence(std::memory_order_seq_cst);
  }
}

} // namespace heddle
