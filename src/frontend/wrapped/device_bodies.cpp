// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/wrapped/device_bodies.h"

#include "frontend/wrapped/wrap.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"

// Sema::ActOnFinishFunctionBody(Decl *, Stmt *, bool)
#define FINISH _ZN5clang4Sema23ActOnFinishFunctionBodyEPNS_4DeclEPNS_4StmtEb

using namespace clang;

extern "C" {
Decl *REAL(FINISH)(Sema *sema, Decl *declaration, Stmt *body, bool instance);
Decl *WRAP(FINISH)(Sema *sema, Decl *declaration, Stmt *body, bool instance) {
  const FunctionDecl *function = declaration ? declaration->getAsFunction() : nullptr;
  if (!body && function && function->hasSkippedBody() && function->hasAttr<CUDAGlobalAttr>()) {
    const SourceLocation place = function->getLocation();
    body = CompoundStmt::Create(sema->getASTContext(), {}, {}, place, place);
  }
  return REAL(FINISH)(sema, declaration, body, instance);
}
}

namespace heddle::frontend {
namespace {

// What only device code uses must not look unused.
void markUsed(Decl &declaration) {
  if (auto *scope = dyn_cast<DeclContext>(&declaration); scope && scope->isFileContext())
    for (Decl *inner : scope->decls())
      markUsed(*inner);
  else if (isa<FunctionDecl>(declaration) && declaration.hasAttr<CUDADeviceAttr>())
    declaration.setIsUsed();
  else if (declaration.hasAttr<CUDADeviceAttr>() || declaration.hasAttr<CUDAConstantAttr>())
    declaration.addAttr(UnusedAttr::CreateImplicit(declaration.getASTContext()));
}

class DeviceBodies : public ASTConsumer {
public:
  bool shouldSkipFunctionBody(Decl *declaration) override {
    const FunctionDecl *function = declaration->getAsFunction();
    return function &&
           (function->hasAttr<CUDAGlobalAttr>() ||
            (function->hasAttr<CUDADeviceAttr>() && !function->hasAttr<CUDAHostAttr>()));
  }
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group)
      markUsed(*declaration);
    return true;
  }
};

} // namespace

std::unique_ptr<ASTConsumer> skipDeviceBodies(CompilerInstance &instance) {
  instance.getFrontendOpts().SkipFunctionBodies = true;
  // Device code may use what other methods of a class, and host code, do not.
  for (const char *group : {"unused-private-field", "unused-const-variable"})
    instance.getDiagnostics().setSeverityForGroup(diag::Flavor::WarningOrError, group,
                                                  diag::Severity::Ignored);
  return std::make_unique<DeviceBodies>();
}

} // namespace heddle::frontend
