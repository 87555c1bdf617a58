// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes may know of the CPU that they compile for.
#pragma once

namespace heddle::engine {

struct VectorRegisters {
  unsigned count = 0, bytes = 0; // of each
};

struct TargetProfile {
  VectorRegisters registers;
  /// It has instructions for gathers, scatters and masked accesses of any width.
  bool native_gather = false;
  /// Its first level of cache is better not asked for many lines ahead: loads then wait until it
  /// has room for one more that it must fetch.
  bool few_misses = false;
  /// It foresees what loops in steps of the grid load, each round in other pages.
  bool foreseen_steps = false;
  /// It has the instructions of AVX-512 that range reduction and minima need (VRANGE).
  bool range_instructions = false;
};

} // namespace heddle::engine
