// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties of the target CPU that passes may depend on.
#pragma once

namespace heddle::engine {

struct VectorRegisters {
  unsigned count = 0, bytes = 0; // bytes of each register
};

struct TargetProfile {
  VectorRegisters registers;
  /// The CPU has gathers, scatters and masked accesses of elements of any width.
  bool native_gather = false;
  /// Software prefetches of many lines go to the second-level cache: the first level supports so
  /// few outstanding misses that loads would wait for them.
  bool few_misses = false;
  /// The hardware prefetcher follows grid-stride loops, though each iteration is in other pages.
  bool foreseen_steps = false;
  /// The CPU has the AVX-512 instructions that range reduction and minima use (VRANGE).
  bool range_instructions = false;
};

} // namespace heddle::engine
