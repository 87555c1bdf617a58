// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/rules/uses.h"

#include "frontend/rules/sides.h"
#include "frontend/source/managed_variables.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <fmt/format.h>

using namespace clang;

namespace heddle::frontend {
namespace {

bool isHostVariable(const VarDecl &variable) {
  const QualType type = variable.getType(); // of texture references, device code has the handle
  return !type->isCUDADeviceBuiltinTextureType() && !type->isCUDADeviceBuiltinSurfaceType() &&
         variable.hasGlobalStorage() && !variable.getParentFunctionOrMethod() &&
         memoryOf(variable).empty() && !isManaged(variable) && !variable.isTemplated();
}

// Whether the use needs more of the constant than its value.
bool needsAddress(const DeclRefExpr &use, const VarDecl &variable) {
  const QualType type = variable.getType();
  if (type->isArrayType() || type->isReferenceType())
    return true;
  const auto *record = type->getAsCXXRecordDecl();
  return use.isNonOdrUse() == NOUR_None && !(record && record->isEmpty());
}

// The variable that `value` is, or is a part of.
const DeclRefExpr *variableOf(const Expr &value) {
  const Expr *inner = value.IgnoreParenImpCasts();
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(inner)) {
    const Expr *base = element->getBase()->IgnoreParenImpCasts();
    return base->getType()->isArrayType() ? variableOf(*base) : nullptr;
  }
  if (const auto *member = dyn_cast<MemberExpr>(inner))
    return member->isArrow() ? nullptr : variableOf(*member->getBase());
  return dyn_cast<DeclRefExpr>(inner);
}

void checkByHost(RuleMessages &messages, const Expr &value, MessageNumber number) {
  const DeclRefExpr *use = variableOf(value);
  const auto *variable = use ? dyn_cast<VarDecl>(use->getDecl()) : nullptr;
  if (!variable || isManaged(*variable) || variable->isConstexpr())
    return;
  const std::string memory = memoryOf(*variable);
  if (memory == "__device__" || memory == "__constant__")
    messages.warning(use->getLocation(), number,
                     fmt::format("a {} variable \"{}\" cannot be directly {} in a host function",
                                 memory, nameOf(*variable),
                                 number == DeviceReadByHost ? "read" : "written"));
}

} // namespace

bool needsHostVariable(const DeclRefExpr &use) {
  const auto *variable = dyn_cast<VarDecl>(use.getDecl());
  return variable && isHostVariable(*variable) && needsAddress(use, *variable);
}

void refuseHostVariable(RuleMessages &messages, const DeclRefExpr &use) {
  messages.error(use.getLocation(), fmt::format("identifier \"{}\" is undefined in device code",
                                                nameOf(*use.getDecl())));
}

void checkElement(RuleMessages &messages, const ArraySubscriptExpr &element) {
  const Expr *array = element.getBase()->IgnoreParenImpCasts();
  const DeclRefExpr *use = isa<MemberExpr>(array) ? constantReadBy(*array) : nullptr;
  const auto *variable = use ? cast<VarDecl>(use->getDecl()) : nullptr;
  if (variable && isHostVariable(*variable) && !needsAddress(*use, *variable))
    refuseHostVariable(messages, *use);
}

const DeclRefExpr *constantCopiedBy(const CXXConstructExpr &construction) {
  const CXXConstructorDecl *constructor = construction.getConstructor();
  if (!constructor->isCopyOrMoveConstructor() || !constructor->isTrivial())
    return nullptr;
  return constantReadBy(*construction.getArg(0));
}

const DeclRefExpr *constantReadBy(const Expr &value) {
  const Expr *object = value.IgnoreParenImpCasts();
  while (const auto *member = dyn_cast<MemberExpr>(object)) {
    if (member->isArrow())
      return nullptr;
    object = member->getBase()->IgnoreParenImpCasts();
  }
  const auto *use = dyn_cast<DeclRefExpr>(object);
  const auto *variable = use ? dyn_cast<VarDecl>(use->getDecl()) : nullptr;
  const bool is_constant = variable && !variable->getType()->isReferenceType() &&
                           variable->getType().isConstQualified() && variable->hasInit() &&
                           variable->hasConstantInitialization();
  return is_constant ? use : nullptr;
}

bool isComputedByCompiler(const Expr &call, ASTContext &context) {
  const FunctionDecl *callee = nullptr;
  if (const auto *construction = dyn_cast<CXXConstructExpr>(&call))
    callee = construction->getConstructor();
  else if (const auto *written = dyn_cast<CallExpr>(&call))
    callee = written->getDirectCallee();
  Expr::EvalResult result;
  return callee && callee->isConstexpr() && call.EvaluateAsConstantExpr(result, context);
}

void checkDeviceRead(RuleMessages &messages, const Expr &value) {
  checkByHost(messages, value, DeviceReadByHost);
}

void checkDeviceWrite(RuleMessages &messages, const Expr &target) {
  checkByHost(messages, target, DeviceWrittenByHost);
}

void checkConstantWrite(RuleMessages &messages, const Expr &target) {
  const auto *use = dyn_cast<DeclRefExpr>(target.IgnoreParens());
  const auto *variable = use ? dyn_cast<VarDecl>(use->getDecl()) : nullptr;
  if (variable && memoryOf(*variable) == "__constant__")
    messages.error(use->getLocation(), "expression must be a modifiable lvalue");
}

} // namespace heddle::frontend
