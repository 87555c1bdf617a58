// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a kernel's parameter from the launch's parameter buffer.
#pragma once

#include "module/image/image.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace heddle::engine {

struct KernelParameter {
  llvm::Value *value = nullptr;   // what the kernel is called with; for a structure, its address
  llvm::LoadInst *load = nullptr; // reads the buffer; null for structures, which stay in it
};

/// Whether all threads may share the launch's copy of this structure, since no thread writes it.
bool isReadInPlace(const llvm::Argument &parameter);

KernelParameter readParameter(llvm::IRBuilder<> &builder, const llvm::Argument &parameter,
                              llvm::Value *buffer, const ParameterInfo &info);

} // namespace heddle::engine
