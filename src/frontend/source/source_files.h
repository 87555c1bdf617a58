// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file system that Clang sees: the real one, or files in memory over it, with the user's
// sources as Clang wants them (nvcc_syntax.h, shared_objects.h, redeclarations.h).
#pragma once

#include "frontend/source/redeclarations.h"
#include "frontend/source/shared_objects.h"

#include "llvm/Support/VirtualFileSystem.h"

namespace heddle::frontend {

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
makeSourceFiles(const SharedObjects &objects, const Redeclarations &redeclarations,
                llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk);

} // namespace heddle::frontend
