// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes a device module: its kernels and variables, and what they use.
#pragma once

#include "module/description/layout.h"
#include "module/image/image.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

#include <functional>
#include <string>

namespace heddle {

/// Whether `function` is a __global__ function (LLVM "NVVM annotations").
bool isKernel(const llvm::Function &function);

/// Bytes of the local variables in the stack frame of `function`.
uint64_t frameBytes(const llvm::Function &function);

/// Whether a call only fills or copies memory, or is only a hint to LLVM (such as the remains of
/// __restrict__), although LLVM counts that as a side effect.
bool isPlainIntrinsic(const llvm::CallBase &call);

/// Computes KernelInfo::engine_facts.
using KernelAnalysis = std::function<std::string(llvm::Function &, const KernelInfo &)>;

/// Sets all members of ImageInfo except source, arch and debug. `analyze` may be null.
void describe(llvm::Module &module, ImageInfo &info, const KernelAnalysis &analyze = nullptr);

/// The functions and variables reachable from `function`, including itself. An indirect call
/// reaches every function whose address is taken in reachable code.
struct Reachable {
  llvm::SetVector<const llvm::Function *> functions;
  llvm::SetVector<const llvm::GlobalVariable *> variables;
};
Reachable reachableFrom(const llvm::Function &function);

} // namespace heddle
