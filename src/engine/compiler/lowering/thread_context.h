// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives every device function a hidden first argument: the ThreadContext of the thread that runs
// it.
//
// On a GPU threadIdx and the other special registers are hardware registers. On a CPU one core runs
// many threads, so the identity of the current thread is passed along through direct, indirect and
// virtual calls.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace heddle::engine {

/// Rewrites all functions defined in the module and all calls to them. Intrinsics and the engine's
/// own functions (module/passes/check.h) stay as they are.
void addThreadContext(llvm::Module &module);

/// Whether `function` has the hidden argument.
bool takesContext(const llvm::Function &function);

/// The hidden argument of a rewritten function.
inline llvm::Argument *contextOf(llvm::Function &function) { return function.getArg(0); }

/// Loads a field of the thread's or block's context. Fields do not change while a thread runs, so
/// the load is marked invariant and may be moved and merged.
llvm::Value *loadThreadField(llvm::IRBuilderBase &builder, llvm::Value *context, llvm::Type *type,
                             uint64_t offset);
llvm::Value *loadBlockField(llvm::IRBuilderBase &builder, llvm::Value *context, llvm::Type *type,
                            uint64_t offset);

/// Calls the engine service at `offset` in the RuntimeTable.
llvm::CallInst *callRuntime(llvm::IRBuilderBase &builder, llvm::Value *context, uint64_t offset,
                            llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments);

/// Attribute of the functions that become a gang's (simd/normalize/thread_function.h).
inline constexpr const char *gang_attribute = "heddle.gang";

/// NVPTX's number of the address space of shared memory. It is private to a block, which has at
/// most 227 KiB of it.
inline constexpr unsigned shared_space = 3;

} // namespace heddle::engine
