// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that cannot be inlined: called through pointers, or recursive. They are compiled as for
// the reference engine and called lane by lane.
#pragma once

#include "llvm/IR/Function.h"

#include <cstdint>

namespace heddle::engine::simd {

/// Bytes of a stack frame besides local variables; gangs spill vectors.
inline constexpr uint64_t frame_overhead = 4096;

struct Callees {
  uint64_t stack_bytes = 0; // of all of them, each once
  bool recursive = false;   // more may be needed
};

/// Throws Unsupported if threads may synchronise, wait for others or exit in one of them.
Callees checkCallees(const llvm::Function &thread);

/// Whether this built-in acts on the single thread: it stays a call, lane by lane.
bool isThreadService(llvm::StringRef name);

} // namespace heddle::engine::simd
