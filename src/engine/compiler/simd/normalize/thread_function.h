// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes, of a kernel, the function of one thread with the signature that gangs are called by.
//
// Everything the kernel calls is in it, as far as it can be inlined. Parameters are read where the
// launch put them; a structure that the kernel changes is copied first, since each thread has its
// own.
#pragma once

#include "engine/abi.h"
#include "module/image.h"

#include "llvm/IR/Function.h"

#include <vector>

namespace heddle::engine::simd {

/// Inlines all calls of functions that are neither recursive nor declared only, and finds out which
/// generic pointers point to shared memory.
void inlineCalls(llvm::Module &module);

struct ThreadFunction {
  llvm::Function *function = nullptr;
  std::vector<AlignedParameter> aligned; // what the code takes for granted about pointers
};

/// Expects addThreadContext's form of the kernel. The result's name is "heddle.gang." + its name.
ThreadFunction makeThreadFunction(llvm::Function &kernel, const KernelInfo &info);

} // namespace heddle::engine::simd
