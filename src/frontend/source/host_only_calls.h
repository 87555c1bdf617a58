// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of __host__ functions in __host__ __device__ functions.
//
// For nvcc they are worth a warning (#20014-D), and may stay as long as no thread of a kernel comes
// to them: many libraries are written so. Clang refuses them where device code is made of the
// caller. So they get a warning here (device_launches.cpp replaces Clang's answer), and end the
// kernel with a message.
#pragma once

#include "clang/CodeGen/CodeGenAction.h"

namespace clang {
class SemaCUDA;
}

namespace heddle::frontend {

/// Whether `callee`, which is used here, is a host function in code for both sides. If so, the user
/// is warned, once it is known that device code is made of it.
bool isHostOnlyCall(clang::SemaCUDA &sema, clang::SourceLocation where,
                    const clang::FunctionDecl *caller, const clang::FunctionDecl *callee);

/// Makes LLVM IR of device code, in which host functions end the kernel.
class DeviceAction : public clang::EmitLLVMOnlyAction {
public:
  using EmitLLVMOnlyAction::EmitLLVMOnlyAction;

protected:
  void ExecuteAction() override;
};

} // namespace heddle::frontend
