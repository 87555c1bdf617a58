// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/rules/sides.h"

#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace heddle::frontend {

Side sideOf(const FunctionDecl &function) {
  if (says<CUDAGlobalAttr>(function))
    return Side::Device;
  if (says<CUDADeviceAttr>(function))
    return says<CUDAHostAttr>(function) ? Side::Both : Side::Device;
  const auto *method = dyn_cast<CXXMethodDecl>(&function);
  if (method && isLambdaCallOperator(method) && !says<CUDAHostAttr>(function))
    if (const auto *around =
            dyn_cast_or_null<FunctionDecl>(method->getParent()->getParentFunctionOrMethod()))
      return sideOf(*around);
  return Side::Host;
}

bool hasNote(const Decl &declaration, StringRef note) {
  return llvm::any_of(declaration.specific_attrs<AnnotateAttr>(),
                      [&](const AnnotateAttr *given) { return given->getAnnotation() == note; });
}

std::string memoryOf(const VarDecl &variable) {
  if (says<CUDAConstantAttr>(variable))
    return "__constant__";
  if (says<CUDASharedAttr>(variable))
    return "__shared__";
  return says<CUDADeviceAttr>(variable) ? "__device__" : "";
}

std::string nameOf(const NamedDecl &declaration) { return declaration.getQualifiedNameAsString(); }

} // namespace heddle::frontend
