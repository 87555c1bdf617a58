// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of Clang's compiler proper, inside this process.
#pragma once

#include "frontend/diagnostics.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>
#include <string>
#include <vector>

namespace heddle::frontend {

class ClangRun {
public:
  ClangRun(ShownMessages &shown, bool verbose,
           llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk = llvm::vfs::getRealFileSystem());

  /// Takes the arguments of Clang's driver, with the driver's name. False if the driver or the
  /// frontend found errors. Throws std::runtime_error if they ask for no compilation.
  bool prepare(const std::vector<std::string> &arguments);

  clang::CompilerInstance &instance() { return *instance_; }

private:
  ShownMessages &shown_;
  bool verbose_;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk_;
  std::unique_ptr<clang::CompilerInstance> instance_;
};

} // namespace heddle::frontend
