// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of one side used on the other (CUDA C++ guide, "Const-qualified variables", "constexpr
// Variables", "Device Memory Space Specifiers").
//
// A host constant is there in device code as a value. It has no address there: nothing may refer to
// it, and an array has no elements. Clang gives it a copy in the GPU's memory instead.
#pragma once

#include "frontend/rules/messages.h"

#include "clang/AST/ExprCXX.h"

namespace heddle::frontend {

/// Whether `use`, in device code, needs a host variable itself, and not only a constant's value.
bool needsHostVariable(const clang::DeclRefExpr &use);

/// Device code has no host variables.
void refuseHostVariable(RuleMessages &messages, const clang::DeclRefExpr &use);

/// An element of an array in device code, which a host constant may have as a member.
void checkElement(RuleMessages &messages, const clang::ArraySubscriptExpr &element);

/// The host constant that `construction` only copies: its value is all that this needs. Null if it
/// does more.
const clang::DeclRefExpr *constantCopiedBy(const clang::CXXConstructExpr &construction);

/// The host constant that `value` is, or is a member of. Null if it is something else.
const clang::DeclRefExpr *constantReadBy(const clang::Expr &value);

/// Whether `call` is one of a constexpr function that nvcc replaces by its result.
bool isComputedByCompiler(const clang::Expr &call, clang::ASTContext &context);

/// A value that host code reads; `value` is what is read.
void checkDeviceRead(RuleMessages &messages, const clang::Expr &value);

/// An assignment in host code to `target`.
void checkDeviceWrite(RuleMessages &messages, const clang::Expr &target);

/// An assignment in device code to `target`.
void checkConstantWrite(RuleMessages &messages, const clang::Expr &target);

} // namespace heddle::frontend
