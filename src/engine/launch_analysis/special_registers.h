// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code asks of its place in the launch.
#pragma once

#include "engine/simd/launch/facts.h"

#include "llvm/IR/Instructions.h"

#include <optional>

namespace heddle::engine::simd {

/// The special register that a call reads, such as "tid.x" (PTX ISA, "Special Registers"); empty
/// for anything else.
llvm::StringRef registerOf(const llvm::Value &value);

/// Whether threads of different blocks, or of one, may notice by this who is in which block: they
/// wait, count, print, or ask for their warp.
bool tiesThreads(const llvm::Instruction &instruction);

/// The value before it was extended to more bits.
const llvm::Value &withoutExtensions(const llvm::Value &value);

/// Of `blockIdx.x * blockDim.x`, any_block_dim; of `blockIdx.x * 16`, the number; nothing if it is
/// anything else. The parts may have been extended.
std::optional<uint32_t> blockDimIn(const llvm::Value &product);

/// The same of a thread's place in the grid, `blockIdx.x * blockDim.x + threadIdx.x`.
std::optional<uint32_t> blockDimOfPlace(const llvm::Value &sum);

} // namespace heddle::engine::simd
