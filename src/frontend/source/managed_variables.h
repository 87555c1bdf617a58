// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __managed__ variables, which Clang knows only for AMD's GPUs.
//
// Device memory is host memory here, so a managed variable is simply a host variable that kernels
// reach too. The header marks it (annotate "heddle.managed") and makes it __device__; in the host
// compilation that must be undone before code is generated, so that it becomes an ordinary variable
// with its initial value, and its address is told to the runtime library.
#pragma once

#include "frontend/command_line/options.h"

#include "clang/CodeGen/CodeGenAction.h"

namespace llvm {
class PassBuilder;
}

namespace heddle::frontend {

/// Checks nvcc's rules for host code (rules/rules.h), and generates it with managed variables as
/// ordinary ones.
class HostAction : public clang::EmitObjAction {
public:
  explicit HostAction(const Options &options) : options_(options) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance,
                                                        llvm::StringRef file) override;

private:
  const Options &options_;
};

bool isManaged(const clang::VarDecl &variable);

/// Adds the pass that makes the program register its managed variables when it starts:
/// __heddleRegisterManagedVar(void **module, void *address, const char *name, size_t size); or
/// __heddleRegisterManagedPages, of those that this file defines: they get pages of their own.
void registerManagedVariables(llvm::PassBuilder &builder);

} // namespace heddle::frontend
