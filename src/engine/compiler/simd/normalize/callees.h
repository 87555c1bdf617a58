// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that a kernel calls and that could not be inlined: by a pointer, or recursive. They are
// compiled as for the reference engine and called lane by lane.
#pragma once

#include "llvm/IR/Function.h"

#include <cstdint>

namespace heddle::engine::simd {

/// What a frame takes beside its local variables; gangs spill vectors.
inline constexpr uint64_t frame_overhead = 4096;

struct Callees {
  uint64_t stack_bytes = 0; // of all of them, each once
  bool recursive = false;   // so that more may be needed
};

/// Throws Unsupported if threads may meet in one of them, wait for others or end.
Callees checkCallees(const llvm::Function &thread);

/// Whether a call of this built-in speaks of the single thread: it stays a call, lane by lane.
bool isThreadService(llvm::StringRef name);

} // namespace heddle::engine::simd
