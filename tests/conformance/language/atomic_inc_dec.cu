// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomicInc wraps to 0 at its bound, atomicDec from 0 or above its bound to the bound.
#include "atomic_check.h"

struct Increment {
  unsigned bound;
  __device__ unsigned operator()(unsigned *address, unsigned) const {
    return atomicInc(address, bound);
  }
};
struct Decrement {
  unsigned bound;
  __device__ unsigned operator()(unsigned *address, unsigned) const {
    return atomicDec(address, bound);
  }
};

int main() {
  // 0..16 makes a cycle of 17; 500 operations end at 500 mod 17.
  AtomicRun<unsigned> run = runGlobal(0u, 5, 100, Increment{16});
  CHECK_EQ(run.final, 500 % 17);
  for (unsigned old : run.old)
    CHECK(old <= 16);
  CHECK_EQ(runShared(0u, 100, Increment{16}).final, 100 % 17);
  CHECK_EQ(runGlobal(40u, 1, 1, Increment{16}).final, 0);
  CHECK_EQ(runGlobal(16u, 1, 1, Increment{16}).final, 0);
  CHECK_EQ(runGlobal(0u, 1, 1, Decrement{16}).final, 16);
  CHECK_EQ(runGlobal(17u, 1, 1, Decrement{16}).final, 16);
  CHECK_EQ(runGlobal(16u, 1, 1, Decrement{16}).final, 15);
  CHECK_EQ(runGlobal(3u, 5, 100, Decrement{16}).final, (3 + 17 * 100 - 500) % 17);
  CHECK_EQ(runShared(3u, 100, Decrement{16}).final, (3 + 17 * 100 - 100) % 17);
  RETURN_RESULT();
}
