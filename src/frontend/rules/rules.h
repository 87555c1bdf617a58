// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks over the syntax tree of a source, and checks nvcc's rules on it (README.md).
//
// The device pass checks all of them but one: what host code does with device variables is in the
// host pass, where `#ifndef __CUDA_ARCH__` shows all host code.
#pragma once

#include "frontend/command_line/options.h"

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace clang {
class CompilerInstance;
}

namespace heddle::frontend {

/// To be placed before code generation: an error keeps it from making any. Reads `options` as long
/// as it lives.
std::unique_ptr<clang::ASTConsumer> makeRules(clang::CompilerInstance &instance,
                                              const Options &options);

/// `first`, and then what `second` does; just `second`, if there is no first.
std::unique_ptr<clang::ASTConsumer> inOrder(std::unique_ptr<clang::ASTConsumer> first,
                                            std::unique_ptr<clang::ASTConsumer> second);

} // namespace heddle::frontend
