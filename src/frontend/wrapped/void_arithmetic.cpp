// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on pointers to void, which g++ and nvcc take as that on pointers to char, with a
// warning of theirs that few see (-Wpointer-arith); Clang refuses it in C++. So does it refuse
// `p > 0`, which nvcc takes in device code.
//
// Before Clang judges such an expression, its operand becomes a char pointer, and the result a
// pointer to void again. Clang's functions for operators are replaced by the linker (--wrap,
// CMakeLists.txt): for those in the source and for those of templates that are instantiated.
#include "frontend/wrapped/wrap.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace {

bool isVoidPointer(const Expr *operand) {
  if (!operand || operand->isTypeDependent())
    return false;
  const QualType type = operand->getType();
  return type->isPointerType() && type->getPointeeType()->isVoidType();
}

// Pointers to char with the qualifiers of these to void.
QualType charPointer(const ASTContext &context, QualType pointer) {
  const QualType pointee = pointer->getPointeeType();
  const QualType element = context.getQualifiedType(context.CharTy, pointee.getQualifiers());
  return context.getQualifiedType(context.getPointerType(element), pointer.getQualifiers());
}

Expr *value(Sema &sema, Expr *operand) {
  Expr *loaded = sema.DefaultLvalueConversion(operand).get();
  const QualType type = charPointer(sema.getASTContext(), loaded->getType());
  return sema.ImpCastExprToType(loaded, type, CK_BitCast).get();
}

// As reinterpret_cast<type &>(operand).
Expr *variable(Sema &sema, Expr *operand, QualType type) {
  ASTContext &context = sema.getASTContext();
  const SourceLocation place = operand->getExprLoc();
  TypeSourceInfo *written =
      context.getTrivialTypeSourceInfo(context.getLValueReferenceType(type), place);
  return CXXReinterpretCastExpr::Create(context, type, VK_LValue, CK_LValueBitCast, operand,
                                        /*BasePath=*/nullptr, written, place, place,
                                        SourceRange(place, place));
}

/// What stands for a pointer to void in an expression, and makes its result one.
class Operand {
public:
  Operand(Sema &sema, Expr *&operand, bool assigned) : sema_(sema) {
    if (!sema.getLangOpts().CPlusPlus || !isVoidPointer(operand) ||
        (assigned && !operand->isLValue()))
      return;
    type_ = operand->getType();
    operand = assigned ? variable(sema, operand, charPointer(sema.getASTContext(), type_))
                       : value(sema, operand);
  }

  ExprResult result(ExprResult made) const {
    if (type_.isNull() || made.isInvalid() || !made.get()->getType()->isPointerType() ||
        made.get()
            ->isLValue()) // assigned: the pointer to char becomes one to void where it is used
      return made;
    return sema_.ImpCastExprToType(made.get(), type_.getUnqualifiedType(), CK_BitCast);
  }

private:
  Sema &sema_;
  QualType type_; // null: it is no such operand
};

// p > 0: zero stands for the null pointer.
void compareWithNull(Sema &sema, BinaryOperatorKind kind, Expr *&left, Expr *&right) {
  if (!BinaryOperator::isRelationalOp(kind) || left->isTypeDependent() || right->isTypeDependent())
    return;
  const auto isNull = [&](const Expr *operand) {
    const Expr *inner = operand->IgnoreParens();
    return isa<IntegerLiteral>(inner) && cast<IntegerLiteral>(inner)->getValue().isZero();
  };
  if (left->getType()->isPointerType() && isNull(right))
    right =
        sema.ImpCastExprToType(right, left->getType().getUnqualifiedType(), CK_NullToPointer).get();
  else if (right->getType()->isPointerType() && isNull(left))
    left =
        sema.ImpCastExprToType(left, right->getType().getUnqualifiedType(), CK_NullToPointer).get();
}

template <class Make>
ExprResult binary(Sema &sema, BinaryOperatorKind kind, Expr *left, Expr *right, Make make) {
  if (sema.getLangOpts().CUDA)
    compareWithNull(sema, kind, left, right);
  const bool assigns = kind == BO_AddAssign || kind == BO_SubAssign;
  const bool with_number = left->getType()->isPointerType() != right->getType()->isPointerType();
  const bool both = kind == BO_Sub && isVoidPointer(left) && isVoidPointer(right);
  if ((!assigns && kind != BO_Add && kind != BO_Sub) || (!with_number && !both) ||
      left->isTypeDependent() || right->isTypeDependent())
    return make(left, right);
  const Operand first(sema, left, assigns), second(sema, right, false);
  const ExprResult made = make(left, right);
  return both ? made : second.result(first.result(made));
}

} // namespace

// As the C++ ABI calls Sema::ActOnBinOp, BuildBinOp and CreateBuiltinBinOp.
#define ACT_ON_BIN_OP                                                                              \
  _ZN5clang4Sema10ActOnBinOpEPNS_5ScopeENS_14SourceLocationENS_3tok9TokenKindEPNS_4ExprES7_
#define BUILD_BIN_OP                                                                               \
  _ZN5clang4Sema10BuildBinOpEPNS_5ScopeENS_14SourceLocationENS_18BinaryOperatorKindEPNS_4ExprES6_
#define CREATE_BUILTIN_BIN_OP                                                                      \
  _ZN5clang4Sema18CreateBuiltinBinOpENS_14SourceLocationENS_18BinaryOperatorKindEPNS_4ExprES4_

#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"

extern "C" {

ExprResult REAL(ACT_ON_BIN_OP)(Sema *, Scope *, SourceLocation, tok::TokenKind, Expr *, Expr *);
ExprResult REAL(BUILD_BIN_OP)(Sema *, Scope *, SourceLocation, BinaryOperatorKind, Expr *, Expr *);

ExprResult REAL(CREATE_BUILTIN_BIN_OP)(Sema *, SourceLocation, BinaryOperatorKind, Expr *, Expr *);

ExprResult WRAP(ACT_ON_BIN_OP)(Sema *sema, Scope *scope, SourceLocation place, tok::TokenKind token,
                               Expr *left, Expr *right) {
  const BinaryOperatorKind kind = token == tok::plus           ? BO_Add
                                  : token == tok::minus        ? BO_Sub
                                  : token == tok::plusequal    ? BO_AddAssign
                                  : token == tok::minusequal   ? BO_SubAssign
                                  : token == tok::less         ? BO_LT
                                  : token == tok::greater      ? BO_GT
                                  : token == tok::lessequal    ? BO_LE
                                  : token == tok::greaterequal ? BO_GE
                                                               : BO_Comma;
  return binary(*sema, kind, left, right, [&](Expr *a, Expr *b) {
    return REAL(ACT_ON_BIN_OP)(sema, scope, place, token, a, b);
  });
}

ExprResult WRAP(BUILD_BIN_OP)(Sema *sema, Scope *scope, SourceLocation place,
                              BinaryOperatorKind kind, Expr *left, Expr *right) {
  return binary(*sema, kind, left, right, [&](Expr *a, Expr *b) {
    return REAL(BUILD_BIN_OP)(sema, scope, place, kind, a, b);
  });
}

ExprResult WRAP(CREATE_BUILTIN_BIN_OP)(Sema *sema, SourceLocation place, BinaryOperatorKind kind,
                                       Expr *left, Expr *right) {
  return binary(*sema, kind, left, right, [&](Expr *a, Expr *b) {
    return REAL(CREATE_BUILTIN_BIN_OP)(sema, place, kind, a, b);
  });
}

} // extern "C"
