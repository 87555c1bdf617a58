// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matches how device code uses its position in the launch.
#pragma once

#include "engine/simd/launch/facts.h"

#include "llvm/IR/Instructions.h"

#include <optional>

namespace heddle::engine::simd {

/// The special register that a call reads, such as "tid.x" (PTX ISA, "Special Registers"); empty
/// for other values.
llvm::StringRef registerOf(const llvm::Value &value);

/// Whether by this instruction threads may observe which of them share a block: synchronisation,
/// atomic and volatile accesses, output, and special registers of warps.
bool tiesThreads(const llvm::Instruction &instruction);

/// The value before extensions to more bits.
const llvm::Value &withoutExtensions(const llvm::Value &value);

/// Whether the value, before extensions, is this register, such as "tid", along the axis.
bool isRegister(const llvm::Value &value, llvm::StringRef name, char axis);

/// For `blockIdx.x * blockDim.x`, any_block_dim; for `blockIdx.x * 16`, the number; nothing
/// otherwise. Operands may be extended. `axis`: x or another.
std::optional<uint32_t> blockDimIn(const llvm::Value &product, char axis = 'x');

/// Likewise for a thread's position in the grid, `blockIdx.x * blockDim.x + threadIdx.x`.
std::optional<uint32_t> blockDimOfPlace(const llvm::Value &sum, char axis = 'x');

} // namespace heddle::engine::simd
