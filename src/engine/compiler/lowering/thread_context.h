// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives every device function a hidden first argument: the ThreadContext of the thread that runs
// it.
//
// On a GPU threadIdx and the rest sit in special registers. On a CPU many threads share a core, so
// who is running must be passed along: through direct calls, function pointers and virtual calls
// alike.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace heddle::engine {

/// Rewrites all functions defined in the module and all calls to them. Intrinsics and the engine's
/// own functions (module/check.h) stay as they are.
void addThreadContext(llvm::Module &module);

/// Was `function` given the hidden argument?
bool takesContext(const llvm::Function &function);

/// The hidden argument of a rewritten function.
inline llvm::Argument *contextOf(llvm::Function &function) { return function.getArg(0); }

/// Loads a field of the thread's or block's context. Fields never change while a thread runs, so
/// the load may be moved and merged.
llvm::Value *loadThreadField(llvm::IRBuilderBase &builder, llvm::Value *context, llvm::Type *type,
                             uint64_t offset);
llvm::Value *loadBlockField(llvm::IRBuilderBase &builder, llvm::Value *context, llvm::Type *type,
                            uint64_t offset);

/// Calls the engine service at `offset` in the RuntimeTable.
llvm::CallInst *callRuntime(llvm::IRBuilderBase &builder, llvm::Value *context, uint64_t offset,
                            llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments);

/// Attribute of the functions that become a gang's (simd/normalize/thread_function.h).
inline constexpr const char *gang_attribute = "heddle.gang";

/// NVPTX's number of the address space of shared memory. Nothing outside its block can see it, and
/// a block has 227 KiB of it at most.
inline constexpr unsigned shared_space = 3;

} // namespace heddle::engine
