// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file system that Clang sees: the real one, with the user's sources as Clang wants them
// (launch_syntax.h).
#pragma once

#include "llvm/Support/VirtualFileSystem.h"

namespace heddle::frontend {

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> makeSourceFiles();

} // namespace heddle::frontend
