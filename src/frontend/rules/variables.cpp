// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/rules/variables.h"

#include "frontend/rules/sides.h"
#include "frontend/source/managed_variables.h"
#include "frontend/source/shared_objects.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/Type.h"

#include <fmt/format.h>

using namespace clang;

namespace heddle::frontend {
namespace {

void checkManaged(RuleMessages &messages, const VarDecl &variable) {
  const SourceLocation where = variable.getLocation();
  if (variable.getType().isConstQualified())
    messages.error(where, "a __managed__ variable cannot have a const qualified type");
  if (variable.getType()->isReferenceType())
    messages.error(where, "a __managed__ variable cannot have a reference type");
  if (says<CUDAConstantAttr>(variable) || says<CUDASharedAttr>(variable))
    messages.error(where, "__managed__ variables cannot be marked __shared__ or __constant__");
}

// The class of which a shared variable is an object. (source/shared_objects.h puts one with a
// constructor into a union, which runs none.)
const CXXRecordDecl *classOf(const VarDecl &variable) {
  QualType type = variable.getType();
  const auto *wrapper = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl());
  if (wrapper && wrapper->getName() == "__heddle_uninitialized")
    type = wrapper->getTemplateArgs()[0].getAsType();
  const CXXRecordDecl *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return record ? record->getDefinition() : nullptr;
}

// Guide, "Device Memory Space Specifiers": a constructor that does nothing is none.
bool isEmpty(const CXXConstructorDecl &constructor) {
  const auto *body = dyn_cast_or_null<CompoundStmt>(constructor.getBody());
  return body && body->body_empty() &&
         llvm::none_of(constructor.inits(),
                       [](const CXXCtorInitializer *value) { return value->isWritten(); });
}

// Whether the class has code for it that CUDA does not run.
bool isInitialised(const VarDecl &variable) {
  const CXXRecordDecl *record = classOf(variable);
  if (!record)
    return false;
  return record->hasNonTrivialDestructor() ||
         llvm::any_of(record->ctors(), [](const CXXConstructorDecl *constructor) {
           return constructor->isDefaultConstructor() && constructor->isUserProvided() &&
                  !isEmpty(*constructor);
         });
}

void warnOfDefinition(RuleMessages &messages, const VarDecl &variable) {
  messages.warning(
      variable.getLocation(), ExternIsDefinition,
      fmt::format("extern declaration of the entity {} is treated as a static definition",
                  variable.getNameAsString()));
}

// What another file would define.
void checkExtern(RuleMessages &messages, const VarDecl &variable, const std::string &memory) {
  if (variable.getStorageClass() != SC_Extern || variable.hasInit() || memory == "__shared__" ||
      variable.getDefinition())
    return;
  if (!variable.getType()->isIncompleteArrayType())
    warnOfDefinition(messages, variable);
  else if (variable.isUsed())
    messages.error(variable.getLocation(),
                   fmt::format("Unresolved extern variable '{}'", variable.getNameAsString()));
}

} // namespace

void checkVariable(RuleMessages &messages, const VarDecl &variable, bool whole) {
  const SourceLocation where = variable.getLocation();
  const auto *around = dyn_cast_or_null<FunctionDecl>(variable.getParentFunctionOrMethod());
  if (around && sideOf(*around) != Side::Host) {
    if (variable.getTSCSpec() != TSCS_unspecified)
      messages.error(where,
                     "cannot use thread_local specifier for variable declarations in device code");
    const QualType type = variable.getType();
    if (type->isVectorType() || (type->isPointerType() && type->getPointeeType()->isVectorType()))
      messages.error(where, "operations on vector types are not supported in device code");
  }
  const std::string memory = memoryOf(variable);
  if (isManaged(variable))
    checkManaged(messages, variable);
  if (memory.empty())
    return;
  if (around && memory == "__shared__" && isInitialised(variable))
    messages.warning(
        where, SharedInit,
        "dynamic initialization is not supported for a function-scope static __shared__ "
        "variable within a __device__/__global__ function");
  if (hasNote(variable, was_extern))
    warnOfDefinition(messages, variable);
  if (isa<DecompositionDecl>(variable))
    messages.error(where, fmt::format("The {} specifier is not allowed for a structured binding "
                                      "declaration",
                                      memory));
  if (variable.isStaticDataMember())
    messages.error(where, "memory qualifier on data member is not allowed");
  if (!whole)
    return;
  if (variable.isInlineSpecified() && variable.isFileVarDecl() && !variable.isStaticDataMember() &&
      variable.hasExternalFormalLinkage())
    messages.error(where,
                   "An inline __device__/__constant__/__managed__ variable must have internal "
                   "linkage when the program is compiled in whole program mode (-rdc=false)");
  checkExtern(messages, variable, memory);
}

} // namespace heddle::frontend
