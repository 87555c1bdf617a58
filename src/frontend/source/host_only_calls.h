// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of __host__ functions in __host__ __device__ functions.
//
// For nvcc they are worth a warning (#20014-D), and may stay as long as no thread of a kernel comes
// to them: many libraries are written so. Clang refuses them where device code is made of the
// caller. So they are let through here (device_launches.cpp replaces Clang's answer), and end the
// kernel with a message; rules/calls.h warns.
#pragma once

#include "frontend/command_line/options.h"

#include "clang/CodeGen/CodeGenAction.h"

namespace clang {
class SemaCUDA;
}

namespace heddle::frontend {

/// Whether `callee`, which is used here, is a host function in code for both sides.
bool isHostOnlyCall(clang::SemaCUDA &sema, const clang::FunctionDecl *caller,
                    const clang::FunctionDecl *callee);

/// Checks nvcc's rules (rules/rules.h) and makes LLVM IR of device code, in which host functions
/// end the kernel.
class DeviceAction : public clang::EmitLLVMOnlyAction {
public:
  /// `check`: whether the source follows nvcc's rules.
  DeviceAction(llvm::LLVMContext *context, const Options &options, bool check)
      : EmitLLVMOnlyAction(context), options_(options), check_(check) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance,
                                                        llvm::StringRef file) override;
  void ExecuteAction() override;

private:
  const Options &options_;
  bool check_;
};

} // namespace heddle::frontend
