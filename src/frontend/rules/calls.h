// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of functions that the source makes for the host alone, and Clang for both sides: constexpr
// functions without --expt-relaxed-constexpr, and parts of the C++ library. Calls of host functions
// in code for both sides, which are worth a warning (#20011-D).
#pragma once

#include "frontend/rules/messages.h"

#include "clang/AST/Decl.h"

namespace heddle::frontend {

/// For a call at `where` of `callee`, which may be a constructor, in the code of `caller`.
void checkCall(RuleMessages &messages, clang::SourceLocation where,
               const clang::FunctionDecl &caller, const clang::FunctionDecl &callee, bool relaxed);

} // namespace heddle::frontend
