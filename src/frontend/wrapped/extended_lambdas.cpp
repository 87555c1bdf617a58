// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells lambdas that are marked __device__ from others, for the traits of
// include/__heddle/compiler.h:
//
//   auto f = [] __device__(int i) -> int { return i; };
//   __nv_is_extended_device_lambda_closure_type(decltype(f))
//
// nvcc gives such a lambda a type of its own. With Clang it is a closure like all others, so that
// closure gets a member type with a name by which templates know it. A lambda's class is complete
// when its body has been read, or instantiated; Clang's functions that come before are replaced by
// the linker (--wrap, CMakeLists.txt), one for each of these two ways.
#include "frontend/wrapped/wrap.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Sema/ScopeInfo.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

using namespace clang;

namespace {

template <class Attribute> bool isMarked(const CXXMethodDecl *method) {
  const auto *attribute = method->getAttr<Attribute>();
  return attribute && !attribute->isImplicit();
}

void addMemberType(Sema &sema, CXXRecordDecl *closure, const char *name) {
  ASTContext &context = sema.getASTContext();
  const SourceLocation place = closure->getLocation();
  auto *type = TypedefDecl::Create(context, closure, place, place, &context.Idents.get(name),
                                   context.getTrivialTypeSourceInfo(context.VoidTy, place));
  type->setImplicit();
  type->setAccess(AS_public);
  closure->addDecl(type);
}

// A lambda in device code is none of those that nvcc wraps.
bool isInDeviceCode(const CXXMethodDecl *method) {
  for (const DeclContext *around = method->getParent()->getDeclContext(); around;
       around = around->getParent())
    if (const auto *function = dyn_cast<FunctionDecl>(around))
      return function->hasAttr<CUDAGlobalAttr>() ||
             (function->hasAttr<CUDADeviceAttr>() && !function->hasAttr<CUDAHostAttr>());
  return false;
}

void markExtended(Sema &sema, const CXXMethodDecl *method, bool has_return_type) {
  if (!isMarked<CUDADeviceAttr>(method) || isInDeviceCode(method))
    return;
  CXXRecordDecl *closure = const_cast<CXXMethodDecl *>(method)->getParent();
  if (isMarked<CUDAHostAttr>(method)) {
    addMemberType(sema, closure, "__heddle_lambda_of_both_sides");
    return;
  }
  addMemberType(sema, closure, "__heddle_lambda_of_device");
  if (has_return_type)
    addMemberType(sema, closure, "__heddle_lambda_with_return_type");
}

} // namespace

// As the C++ ABI calls SemaCUDA::SetLambdaAttrs(CXXMethodDecl *) and
// Sema::BuildLambdaExpr(SourceLocation, SourceLocation, sema::LambdaScopeInfo *).
#define SET_LAMBDA_ATTRS _ZN5clang8SemaCUDA14SetLambdaAttrsEPNS_13CXXMethodDeclE
#define BUILD_LAMBDA_EXPR                                                                          \
  _ZN5clang4Sema15BuildLambdaExprENS_14SourceLocationES1_PNS_4sema15LambdaScopeInfoE

extern "C" {

void REAL(SET_LAMBDA_ATTRS)(SemaCUDA *, CXXMethodDecl *);
void *REAL(BUILD_LAMBDA_EXPR)(Sema *, SourceLocation, SourceLocation, sema::LambdaScopeInfo *);

// A lambda in the source, whose attributes have been read.
void WRAP(SET_LAMBDA_ATTRS)(SemaCUDA *sema, CXXMethodDecl *method) {
  const sema::LambdaScopeInfo *scope = sema->SemaRef.getCurLambda();
  markExtended(sema->SemaRef, method, scope && !scope->HasImplicitReturnType);
  REAL(SET_LAMBDA_ATTRS)(sema, method);
}

// A lambda of a template's that has been instantiated. (Those in the source go a shorter way.)
void *WRAP(BUILD_LAMBDA_EXPR)(Sema *sema, SourceLocation begin, SourceLocation end,
                              sema::LambdaScopeInfo *scope) {
  if (scope->CallOperator)
    markExtended(*sema, scope->CallOperator, !scope->HasImplicitReturnType);
  return REAL(BUILD_LAMBDA_EXPR)(sema, begin, end, scope);
}

} // extern "C"
