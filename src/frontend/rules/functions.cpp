// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/rules/functions.h"

#include "frontend/rules/sides.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"

#include <fmt/format.h>

using namespace clang;

namespace heddle::frontend {
namespace {

bool isOther(const FunctionDecl &function, const FunctionDecl &other) {
  return other.getCanonicalDecl() != function.getCanonicalDecl() && !other.isTemplated() &&
         !other.isImplicit() && sideOf(other) != sideOf(function) &&
         other.getASTContext().hasSameFunctionTypeIgnoringExceptionSpec(function.getType(),
                                                                        other.getType());
}

} // namespace

void checkOverloads(RuleMessages &messages, const FunctionDecl &function) {
  if (!function.isThisDeclarationADefinition() || function.isTemplated() ||
      function.isTemplateInstantiation() || !function.getIdentifier() || function.isImplicit())
    return;
  const SourceManager &sources = function.getASTContext().getSourceManager();
  for (const NamedDecl *found :
       function.getDeclContext()->getRedeclContext()->lookup(function.getDeclName())) {
    const auto *other = dyn_cast<FunctionDecl>(found);
    if (!other || !isOther(function, *other))
      continue;
    const FunctionDecl *definition = other->getDefinition();
    if (!definition && sideOf(*other) == Side::Host && sideOf(function) == Side::Device)
      messages.warning(function.getLocation(), HostBecomesBoth,
                       fmt::format("a __host__ function(\"{}\") redeclared with __device__, hence "
                                   "treated as a __host__ __device__ function",
                                   nameOf(function)));
    if (definition &&
        sources.isBeforeInTranslationUnit(definition->getLocation(), function.getLocation()))
      messages.error(function.getLocation(),
                     fmt::format("function \"{}\" has already been defined (previous definition at "
                                 "line {})",
                                 nameOf(function),
                                 sources.getExpansionLineNumber(definition->getLocation())));
  }
}

void checkDefaulted(RuleMessages &messages, const FunctionDecl &function) {
  const auto *method = dyn_cast<CXXMethodDecl>(&function);
  const bool device = says<CUDADeviceAttr>(function), host = says<CUDAHostAttr>(function);
  if (method && (device || host) && method->isExplicitlyDefaulted() && function.isFirstDecl() &&
      !method->isVirtual())
    messages.warning(
        function.getLocation(), IgnoredOnDefaulted,
        fmt::format("{}{}{} annotation is ignored on a non-virtual function(\"{}\") that "
                    "is explicitly defaulted on its first declaration",
                    host ? "__host__" : "", host && device ? " " : "", device ? "__device__" : "",
                    function.getNameAsString()));
}

} // namespace heddle::frontend
