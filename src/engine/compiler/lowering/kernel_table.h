// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the only symbol a compiled module exports: `heddle_module`, a ModuleTable (engine/abi.h).
//
// Each kernel gets an entry that unpacks the parameter buffer and calls it.
#pragma once

#include "module/image/image.h"

#include "llvm/IR/Module.h"

namespace heddle::engine {

void addKernelTable(llvm::Module &module, const ImageInfo &info, llvm::Function *init_globals);

/// Adds the table of either engine (ModuleTable, SimdModuleTable), exported as `symbol`. Each of
/// `kernels` is a constant of type `kernel_type`.
void addModuleTable(llvm::Module &module, llvm::StringRef symbol,
                    llvm::ArrayRef<llvm::Constant *> kernels, llvm::StructType *kernel_type,
                    llvm::Function *init_globals);

} // namespace heddle::engine
