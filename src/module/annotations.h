// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Clang records about functions and variables besides their code:
// __attribute__((annotate("..."))) in a table, and the file in names.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

#include <array>
#include <string>

namespace heddle {

/// The variables annotated with `text`, in the order of the table.
llvm::SmallVector<llvm::GlobalVariable *> annotatedVariables(llvm::Module &module,
                                                             llvm::StringRef text);

/// The name without the suffix that Clang gives names local to a file (static variables, kernels in
/// unnamed namespaces), so that the host can distinguish them from those of other files.
llvm::StringRef withoutFileSuffix(llvm::StringRef name);

/// Attaches __cluster_dims__ to each kernel that has them, since the table of annotations is
/// dropped later.
void markClusterDims(llvm::Module &module);
/// The kernel's __cluster_dims__, or zeros.
std::array<uint32_t, 3> clusterDims(const llvm::Function &kernel);

} // namespace heddle
