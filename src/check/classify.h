// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with an access, and the words for it.
#pragma once

#include "check/checker.h"

namespace heddle::check {

/// Says what is wrong with an access that is not right.
WrongAccess classify(const engine::observe::Access &access, uint32_t lane, const MemoryMap &memory);

/// A read whose first byte that was never written is at `first`.
WrongAccess classifyUnwritten(const engine::observe::Access &access, uint32_t lane, uint64_t first,
                              const MemoryMap &memory);

/// An access that the program has forbidden to kernels, in this piece of memory.
WrongAccess classifyForbidden(const engine::observe::Access &access, uint32_t lane,
                              const Block &block);

Finding describe(const WrongAccess &wrong, const engine::observe::Site &site,
                 const std::string &kernel, uint64_t count);

/// "read", "write", "atomic operation".
const char *verbOf(engine::observe::AccessKind kind);
/// The same, or "texture fetch", "surface read", "surface write".
const char *verbOf(const engine::observe::Site &site);

/// A site's lines, those in our own headers left out.
std::vector<Place> placesOf(const engine::observe::Site &site, const std::string &kernel);

/// "allocation 3 (400 bytes, cudaMalloc in main at prog.cu:12)"
std::string describe(const Block &block);

/// How many bytes Site::variable has in this launch.
uint64_t variableBytes(const engine::observe::Access &access);
/// Bytes of the block's shared memory. Without dynamic memory, padding behind its arrays is no part
/// of it.
uint64_t sharedBytes(const engine::observe::Access &access);

} // namespace heddle::check
