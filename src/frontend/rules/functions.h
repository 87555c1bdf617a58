// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code has not, of functions and statements.
#pragma once

#include "frontend/rules/messages.h"

#include "clang/AST/Decl.h"

namespace heddle::frontend {

/// Two definitions of one function, for host and device: Clang takes them for overloads.
void checkOverloads(RuleMessages &messages, const clang::FunctionDecl &function);

/// A space given to what is `= default`, where it has no effect.
void checkDefaulted(RuleMessages &messages, const clang::FunctionDecl &function);

} // namespace heddle::frontend
