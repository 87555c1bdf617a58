// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that say what the program has asked for where the code no longer does. heddle profile and
// heddle check look at them (engine/compiler/instrument); for all else they are removed.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace heddle {

/// A fetch from a texture or an access to a surface, of the device library (texture_entry.h):
/// void (i64 handle, i32 what, i32 x, i32 y, i32 z, i32 layer, float level). texture::Fetch says
/// what they are.
inline constexpr llvm::StringLiteral fetch_mark = "__heddle_fetch";

/// A step of cp.async, whose copies are done where they are started:
/// void (i32 step, ptr to, i64 count).
inline constexpr llvm::StringLiteral copy_mark = "__heddle_background_copy";
enum class CopyStep : uint32_t {
  Start,  // of so many bytes, to shared memory
  Commit, // what the thread has started becomes a group
  Wait,   // until at most so many groups, the newest, are not there yet …
  WaitAll // … until all is there, of no group as well
};
void addCopyMark(llvm::IRBuilder<> &builder, CopyStep step, llvm::Value *to, uint64_t count);

/// Metadata of a copy of 16 bytes in the place of such a step.
inline constexpr llvm::StringLiteral background_copy = "heddle.background.copy";

/// Says that marks access nothing of the program's, so that they are in the way of few
/// optimisations.
void describeMarks(llvm::Module &module);
bool hasMarks(const llvm::Module &module);
void removeMarks(llvm::Module &module);
/// Removes a function that nothing defines and the calls of it, if it is there.
void removeCallsOf(llvm::Module &module, llvm::StringRef name);

} // namespace heddle
