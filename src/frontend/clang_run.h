// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of Clang's compiler proper, inside this process.
#pragma once

#include "frontend/diagnostics.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace heddle::frontend {

/// LLVM's targets that Heddle compiles for: this machine's, and NVPTX. May be called repeatedly.
void initializeTargets();

/// The name under which Clang's driver finds what belongs to it: headers (../lib/clang), OpenMP's
/// library. The program itself need not exist.
std::filesystem::path clangDriver();

/// For all code, as kernels are registered by the host pass under the device pass's names. Since
/// version 18 Clang marks constrained template parameters in symbols (Tn, Itanium C++ ABI 5.1.8),
/// and GCC 14 still does not: a library that g++ has compiled, such as PyTorch's, would lack what
/// its headers declare.
inline constexpr const char *LikeGccsSymbols = "-fclang-abi-compat=17";

/// Does what the instance's options ask for, as clang -cc1 would. False if there were errors, which
/// have been reported.
bool executeAction(clang::CompilerInstance &instance);

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
