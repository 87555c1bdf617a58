// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations of variables in a GPU's memory: CUDA C++ guide, "Device Memory Space Specifiers" and
// "__managed__ Memory Space Specifier".
#pragma once

#include "frontend/rules/messages.h"

#include "clang/AST/Decl.h"

namespace heddle::frontend {

/// `whole`: without -rdc=true, each file is a program of its own.
void checkVariable(RuleMessages &messages, const clang::VarDecl &variable, bool whole);

} // namespace heddle::frontend
