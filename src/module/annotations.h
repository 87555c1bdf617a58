// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Clang notes beside functions and variables: __attribute__((annotate("..."))) in a table, and
// the file in names.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

#include <array>
#include <string>

namespace heddle {

/// The variables annotated with `text`, in the order of the table.
llvm::SmallVector<llvm::GlobalVariable *> annotatedVariables(llvm::Module &module,
                                                             llvm::StringRef text);

/// The name without what Clang puts behind names that only their file knows (static variables,
/// kernels in unnamed namespaces) so that the host can tell them from those of other files.
llvm::StringRef withoutFileSuffix(llvm::StringRef name);

/// Marks each kernel that has __cluster_dims__ with its dimensions, so that they outlive the table
/// of annotations.
void markClusterDims(llvm::Module &module);
/// They, or zeros.
std::array<uint32_t, 3> clusterDims(const llvm::Function &kernel);

} // namespace heddle
