// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mbarrier objects (PTX ISA, "mbarrier"): a barrier in shared memory that counts threads and bytes.
// What an object looks like inside is up to the machine. Here it is one word:
//
//   bit 63       the phase's parity
//   bits 42..62  arrivals that the phase still waits for, plus 2^20
//   bits 22..41  arrivals of each phase
//   bits 0..21   bytes that the phase still waits for, plus 2^21
//
// so that an arrival is one atomic addition. The thread with which nothing is left to wait for
// starts the next phase by another one. No field flows into its neighbour: the phase waits for
// fewer than 2^20 arrivals and bytes, and both may become negative for a while.
#include "common.h"

using namespace heddle;

namespace {

constexpr int expected_shift = 22, pending_shift = 42, phase_shift = 63;
constexpr u64 tx_bias = u64(1) << 21, pending_bias = u64(1) << 20;

HEDDLE_INLINE i32 bytesOf(u64 word) {
  return i32(word & ((u64(1) << expected_shift) - 1)) - i32(tx_bias);
}
HEDDLE_INLINE i32 expectedOf(u64 word) { return i32(word >> expected_shift & 0xfffff); }
HEDDLE_INLINE i32 pendingOf(u64 word) {
  return i32(word >> pending_shift & 0x1fffff) - i32(pending_bias);
}

// Adds; if nothing is left to wait for, the next phase begins. Returns the word before.
HEDDLE_INLINE u64 change(u64 *barrier, u64 difference) {
  const u64 before = __atomic_fetch_add(barrier, difference, __ATOMIC_ACQ_REL);
  const u64 after = before + difference;
  const i32 pending = pendingOf(after), expected = expectedOf(after);
  bool complete = pending == 0;
  // Lanes that arrive together may complete several phases, which begin when all have arrived.
  if (pending < 0)
    complete = expected != 0 && pending % expected == 0;
  if (complete && bytesOf(after) == 0)
    __atomic_fetch_add(barrier, (u64(expected) << pending_shift) + (u64(1) << phase_shift),
                       __ATOMIC_ACQ_REL);
  return before;
}

} // namespace

extern "C" __device__ void __heddle_turn_soon();

HEDDLE_API void __heddle_mbarrier_init(u64 *barrier, u32 count) {
  const u64 word = ((pending_bias + count) << pending_shift) | (u64(count) << expected_shift);
  __atomic_store_n(barrier, word | tx_bias, __ATOMIC_RELEASE);
}

/// Expects `bytes` more in this phase, then arrives `count` times. The state before.
HEDDLE_API u64 __heddle_mbarrier_arrive(u64 *barrier, u32 count, u32 bytes) {
  return change(barrier, u64(bytes) - (u64(count) << pending_shift));
}

/// The same, and so many arrivals fewer in the phases to come.
HEDDLE_API u64 __heddle_mbarrier_drop(u64 *barrier, u32 count, u32 bytes) {
  return change(barrier,
                u64(bytes) - (u64(count) << pending_shift) - (u64(count) << expected_shift));
}

HEDDLE_API void __heddle_mbarrier_expect(u64 *barrier, u32 bytes) {
  __atomic_fetch_add(barrier, u64(bytes), __ATOMIC_ACQ_REL);
}

HEDDLE_API void __heddle_mbarrier_complete(u64 *barrier, u32 bytes) {
  change(barrier, -u64(bytes));
}

HEDDLE_API u32 __heddle_mbarrier_pending(u64 state) { return u32(pendingOf(state)); }

/// Whether the phase with this parity is over. If not, and `waits`, the thread had better let
/// others run.
HEDDLE_API u32 __heddle_mbarrier_test(const u64 *barrier, u32 parity, u32 waits) {
  const bool over = (__atomic_load_n(barrier, __ATOMIC_ACQUIRE) >> phase_shift) != (parity & 1);
  if (waits && !over)
    __heddle_turn_soon();
  return over;
}

/// Copies and reports the bytes to the barrier, as cp.async.bulk does in the background.
HEDDLE_API void __heddle_bulk_copy(void *to, const void *from, u32 bytes, u64 *barrier) {
  __builtin_memcpy(__builtin_assume_aligned(to, 16), __builtin_assume_aligned(from, 16), bytes);
  __heddle_mbarrier_complete(barrier, bytes);
}
