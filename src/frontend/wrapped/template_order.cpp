// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of two function templates that no argument of the call tells apart, nvcc takes the one without a
// pack of parameters:
//
//   template <class... Ts> L<Ts...> f();
//   template <class T> N<T> f();
//   using Found = decltype(f<int>()); // N<int>
//
// For Clang, and g++, such a call is ambiguous. nvcc gives g++ the type that its own front end has
// found, so that Catch2's TEMPLATE_TEST_CASE_SIG with types alone, of which NVIDIA's cuCollections
// has many, compiles with it. Clang's comparison of two templates is replaced by the linker
// (--wrap, CMakeLists.txt).
#include "frontend/wrapped/wrap.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/Template.h"

using namespace clang;

#define COMPARE                                                                                    \
  _ZN5clang4Sema26getMoreSpecializedTemplateEPNS_20FunctionTemplateDeclES2_NS_14SourceLocationENS_30TemplatePartialOrderingContextEjNS_8QualTypeES5_b

extern "C" FunctionTemplateDecl *REAL(COMPARE)(Sema *sema, FunctionTemplateDecl *first,
                                               FunctionTemplateDecl *second, SourceLocation place,
                                               TemplatePartialOrderingContext context,
                                               unsigned arguments, QualType first_object,
                                               QualType second_object, bool reversed);

extern "C" FunctionTemplateDecl *WRAP(COMPARE)(Sema *sema, FunctionTemplateDecl *first,
                                               FunctionTemplateDecl *second, SourceLocation place,
                                               TemplatePartialOrderingContext context,
                                               unsigned arguments, QualType first_object,
                                               QualType second_object, bool reversed) {
  FunctionTemplateDecl *better = REAL(COMPARE)(sema, first, second, place, context, arguments,
                                               first_object, second_object, reversed);
  if (better || context != TPOC_Call || arguments != 0)
    return better;
  const bool first_packs = first->getTemplateParameters()->hasParameterPack(),
             second_packs = second->getTemplateParameters()->hasParameterPack();
  return first_packs == second_packs ? nullptr : first_packs ? second : first;
}
