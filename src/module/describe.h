// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a device module's table of contents: its kernels and variables, and what they use.
#pragma once

#include "module/image.h"
#include "module/layout.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

#include <functional>
#include <string>

namespace heddle {

/// Is `function` a __global__ function? (LLVM "NVVM annotations".)
bool isKernel(const llvm::Function &function);

/// Bytes of the local variables that have a place in the stack frame of `function`.
uint64_t frameBytes(const llvm::Function &function);

/// Whether a call only fills or copies memory, or only tells LLVM something (as what is left of
/// __restrict__ does), although LLVM counts that as an effect.
bool isPlainIntrinsic(const llvm::CallBase &call);

/// Finds KernelInfo::engine_facts.
using KernelAnalysis = std::function<std::string(llvm::Function &, const KernelInfo &)>;

/// Fills in everything of ImageInfo but source, arch and debug. `analyze` may be null.
void describe(llvm::Module &module, ImageInfo &info, const KernelAnalysis &analyze = nullptr);

/// The functions and variables that code starting in `function` can reach, `function` included.
/// An indirect call can reach every function whose address is taken in reachable code.
struct Reachable {
  llvm::SetVector<const llvm::Function *> functions;
  llvm::SetVector<const llvm::GlobalVariable *> variables;
};
Reachable reachableFrom(const llvm::Function &function);

} // namespace heddle
