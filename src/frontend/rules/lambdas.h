// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas that are device code in host functions (CUDA C++ guide, "Extended Lambdas",
// "Restrictions"). nvcc puts a type of its own in a lambda's place, for which it must be able to
// name the function around it and its captures.
#pragma once

#include "frontend/rules/messages.h"

#include "clang/AST/ExprCXX.h"

namespace heddle::frontend {

/// `around`: the function that it stands in, or null. `enabled`: --extended-lambda.
void checkLambda(RuleMessages &messages, const clang::LambdaExpr &lambda,
                 const clang::FunctionDecl *around, bool enabled);

} // namespace heddle::frontend
