// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/rules/types.h"

#include "frontend/rules/sides.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Type.h"

#include <fmt/format.h>

using namespace clang;

namespace heddle::frontend {
namespace {

const FunctionDecl *functionAround(const Decl &declaration) {
  const DeclContext *context = declaration.getDeclContext();
  while (context && !context->isFunctionOrMethod())
    context = context->getParent();
  return dyn_cast_or_null<FunctionDecl>(context);
}

std::optional<Unnameable> unnameableLambda(const CXXRecordDecl &closure) {
  const CXXMethodDecl *call = closure.getLambdaCallOperator();
  if (!call || says<CUDADeviceAttr>(*call) || sideOf(*call) != Side::Host)
    return std::nullopt;
  return Unnameable{"The closure type for a lambda", true, false, "lambda"};
}

std::optional<Unnameable> unnameableTag(const TagDecl &tag) {
  if (const auto *record = dyn_cast<CXXRecordDecl>(&tag); record && record->isLambda())
    return unnameableLambda(*record);
  const FunctionDecl *around = functionAround(tag);
  if (around && sideOf(*around) == Side::Device)
    return std::nullopt;
  const std::string name = nameOf(tag);
  if (!tag.hasNameForLinkage())
    return Unnameable{fmt::format("An unnamed type (\"{} <unnamed>\")", tag.getKindName().str())};
  if (around)
    return Unnameable{
        fmt::format("A type defined inside a __host__ function  (\"{}\")", tag.getNameAsString()),
        false, true, tag.getNameAsString()};
  for (const Decl *scope = &tag; scope; scope = dyn_cast<Decl>(scope->getDeclContext())) {
    if (scope->getAccess() == AS_private || scope->getAccess() == AS_protected)
      return Unnameable{
          fmt::format("A type that is defined inside a class and has private or protected access "
                      "(\"{}\")",
                      name)};
    if (!scope->getDeclContext() || !scope->getDeclContext()->isRecord())
      break;
  }
  return std::nullopt;
}

} // namespace

std::optional<Unnameable> unnameable(QualType type) {
  type = type.getCanonicalType();
  if (type.isNull() || type->isDependentType())
    return std::nullopt;
  if (const auto *pointer = type->getAs<PointerType>())
    return unnameable(pointer->getPointeeType());
  if (const auto *reference = type->getAs<ReferenceType>())
    return unnameable(reference->getPointeeType());
  if (const auto *array = dyn_cast<ArrayType>(type.getTypePtr()))
    return unnameable(array->getElementType());
  if (const auto *function = type->getAs<FunctionProtoType>()) {
    for (QualType parameter : function->param_types())
      if (auto found = unnameable(parameter))
        return found;
    return unnameable(function->getReturnType());
  }
  const TagDecl *tag = type->getAsTagDecl();
  if (!tag)
    return std::nullopt;
  if (auto found = unnameableTag(*tag))
    return found;
  if (const auto *instance = dyn_cast<ClassTemplateSpecializationDecl>(tag))
    for (const TemplateArgument &argument : instance->getTemplateArgs().asArray())
      if (auto found = unnameable(argument))
        return found;
  return std::nullopt;
}

std::optional<Unnameable> unnameable(const TemplateArgument &argument) {
  if (argument.getKind() == TemplateArgument::Type)
    return unnameable(argument.getAsType());
  if (argument.getKind() == TemplateArgument::Pack)
    for (const TemplateArgument &element : argument.pack_elements())
      if (auto found = unnameable(element))
        return found;
  return std::nullopt;
}

} // namespace heddle::frontend
