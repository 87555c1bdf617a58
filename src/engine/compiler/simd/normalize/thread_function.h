// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creates from a kernel the function of one thread, with the signature of gang functions.
//
// All callees that can be inlined are inlined. Parameters are read from the launch's buffer; a
// structure that the kernel changes is copied first, since it is private to the thread.
#pragma once

#include "engine/abi.h"
#include "module/image/image.h"

#include "llvm/IR/Function.h"

#include <vector>

namespace heddle::engine::simd {

/// Inlines all calls except of recursive functions and declarations, and infers which generic
/// pointers point to shared memory.
void inlineCalls(llvm::Module &module);

struct ThreadFunction {
  llvm::Function *function = nullptr;
  std::vector<AlignedParameter> aligned; // alignments that the code assumes
};

/// Expects the kernel in addThreadContext's form. The result is named "heddle.gang." + the kernel's
/// name.
ThreadFunction makeThreadFunction(llvm::Function &kernel, const KernelInfo &info);

} // namespace heddle::engine::simd
