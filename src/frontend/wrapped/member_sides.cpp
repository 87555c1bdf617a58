// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members that are __device__ in their class and defined elsewhere without a word:
//
//   struct S { __device__ int f(int); };
//   int S::f(int x) { return x; }
//
// To nvcc such a function is __host__ __device__ (its warning 20037); Clang takes the definition
// for one of another function, and refuses it. Clang's search for what is defined is replaced by
// the linker (--wrap, CMakeLists.txt).
#include "frontend/wrapped/wrap.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace {

bool saysNothing(const FunctionDecl &function) {
  return !function.hasAttr<CUDAHostAttr>() && !function.hasAttr<CUDADeviceAttr>() &&
         !function.hasAttr<CUDAGlobalAttr>();
}

bool isDevicesAlone(const CXXMethodDecl &method) {
  return method.hasAttr<CUDADeviceAttr>() && !method.hasAttr<CUDAHostAttr>();
}

void makeBoth(ASTContext &context, FunctionDecl &function) {
  if (!function.hasAttr<CUDAHostAttr>())
    function.addAttr(CUDAHostAttr::CreateImplicit(context));
  if (!function.hasAttr<CUDADeviceAttr>())
    function.addAttr(CUDADeviceAttr::CreateImplicit(context));
}

void mendDefinition(Sema &sema, FunctionDecl &definition, const LookupResult &found) {
  ASTContext &context = sema.getASTContext();
  if (!isa<CXXMethodDecl>(definition) || isa<CXXRecordDecl>(definition.getLexicalDeclContext()) ||
      !saysNothing(definition))
    return;
  for (NamedDecl *candidate : found) {
    auto *declared = dyn_cast<CXXMethodDecl>(candidate);
    if (!declared || !isDevicesAlone(*declared) ||
        !context.hasSameType(declared->getType(), definition.getType()))
      continue;
    DiagnosticIDs &ids = *sema.getDiagnostics().getDiagnosticIDs();
    sema.Diag(definition.getLocation(),
              ids.getCustomDiagID(DiagnosticIDs::Warning,
                                  "a __device__ function(\"%0\") redeclared without __device__, "
                                  "hence treated as a __host__ __device__ function [#20037-D]"))
        << declared->getQualifiedNameAsString();
    makeBoth(context, *declared);
    makeBoth(context, definition);
    return;
  }
}

} // namespace

// As the C++ ABI calls Sema::CheckOverload(Scope *, FunctionDecl *, const LookupResult &,
// NamedDecl *&, bool).
#define CHECK_OVERLOAD                                                                             \
  _ZN5clang4Sema13CheckOverloadEPNS_5ScopeEPNS_12FunctionDeclERKNS_12LookupResultERPNS_9NamedDeclEb

extern "C" {

Sema::OverloadKind REAL(CHECK_OVERLOAD)(Sema *, Scope *, FunctionDecl *, const LookupResult &,
                                        NamedDecl *&, bool);

Sema::OverloadKind WRAP(CHECK_OVERLOAD)(Sema *sema, Scope *scope, FunctionDecl *function,
                                        const LookupResult &found, NamedDecl *&old, bool by_using) {
  if (sema->getLangOpts().CUDA)
    mendDefinition(*sema, *function, found);
  return REAL(CHECK_OVERLOAD)(sema, scope, function, found, old, by_using);
}

} // extern "C"
