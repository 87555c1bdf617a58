// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/wrapped/lenient_statements.h"

#include "frontend/wrapped/wrap.h"

#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Builtins.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace clang;

namespace {

void warn(Sema &sema, SourceLocation place, const char *text) {
  DiagnosticsEngine &diagnostics = sema.getDiagnostics();
  sema.Diag(place, diagnostics.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Warning, text));
}

bool isLoop(const Stmt *statement) {
  return isa<DoStmt, ForStmt, CXXForRangeStmt, WhileStmt>(statement);
}

// All hints but those that may stay: the last one before a loop.
llvm::SmallVector<ParsedAttr *> extraHints(const Stmt *statement, ParsedAttributes &attributes) {
  llvm::SmallVector<ParsedAttr *> hints;
  for (ParsedAttr &attribute : attributes)
    if (attribute.getKind() == ParsedAttr::AT_LoopHint)
      hints.push_back(&attribute);
  if (isLoop(statement) && !hints.empty())
    hints.pop_back();
  return hints;
}

// Variables past which a switch may jump: none has a destructor, or a size that must be computed.
class PlainVariables : public RecursiveASTVisitor<PlainVariables> {
public:
  bool all = true;
  bool VisitVarDecl(VarDecl *variable) {
    const QualType type = variable->getType();
    all &= type->isDependentType() ||
           (!type->isVariablyModifiedType() && type.isDestructedType() == QualType::DK_none);
    return all;
  }
  bool VisitCXXTryStmt(CXXTryStmt *) { return all = false; }
  bool VisitGotoStmt(GotoStmt *) { return all = false; }
};

// `if constexpr (this->value)` of a static member: nvcc and g++ do not look at what is left of it,
// for Clang 19 `this` is no constant.
class StaticMembers : public RecursiveASTVisitor<StaticMembers> {
public:
  explicit StaticMembers(ASTContext &context) : context_(context) {}
  bool VisitMemberExpr(MemberExpr *access) {
    const ValueDecl *member = access->getMemberDecl();
    const auto *method = dyn_cast<CXXMethodDecl>(member);
    if ((isa<VarDecl, EnumConstantDecl>(member) || (method && method->isStatic())) &&
        access->isArrow() && isa<CXXThisExpr>(access->getBase()->IgnoreParenImpCasts()))
      access->setBase(nullOf(access->getBase()->getType(), access->getBeginLoc()));
    return true;
  }

private:
  // Written as a cast, which stays whole where a template is instantiated again.
  Expr *nullOf(QualType type, SourceLocation place) {
    auto *null = new (context_) CXXNullPtrLiteralExpr(context_.NullPtrTy, place);
    return CStyleCastExpr::Create(context_, type, VK_PRValue, CK_NullToPointer, null,
                                  /*BasePath=*/nullptr, FPOptionsOverride(),
                                  context_.getTrivialTypeSourceInfo(type, place), place, place);
  }
  ASTContext &context_;
};

constexpr const char *unroll_count = "llvm.loop.unroll.count";

bool hasSenselessCount(const llvm::MDNode &loop) {
  return llvm::any_of(llvm::drop_begin(loop.operands()), [](const llvm::MDOperand &operand) {
    const auto *hint = llvm::dyn_cast<llvm::MDNode>(operand);
    if (!hint || hint->getNumOperands() != 2)
      return false;
    const auto *name = llvm::dyn_cast<llvm::MDString>(hint->getOperand(0));
    const auto *count = llvm::mdconst::dyn_extract<llvm::ConstantInt>(hint->getOperand(1));
    return name && name->getString() == unroll_count && count &&
           !count->getValue().isStrictlyPositive();
  });
}

bool isDevicesAlone(const FunctionDecl *function) {
  return function && !function->hasAttr<CUDAHostAttr>() &&
         (function->hasAttr<CUDADeviceAttr>() || function->hasAttr<CUDAGlobalAttr>());
}

} // namespace

void heddle::frontend::ignoreSenselessUnrolling(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function) {
      llvm::Instruction *end = block.getTerminator();
      llvm::MDNode *loop = end ? end->getMetadata(llvm::LLVMContext::MD_loop) : nullptr;
      if (loop && hasSenselessCount(*loop))
        end->setMetadata(
            llvm::LLVMContext::MD_loop,
            llvm::makePostTransformationMetadata(module.getContext(), loop, {unroll_count}, {}));
    }
}

// As the C++ ABI calls Sema::ProcessStmtAttributes(Stmt *, const ParsedAttributes &,
// SmallVectorImpl<const Attr *> &), Sema::CheckLoopHintExpr(Expr *, SourceLocation, bool),
// Sema::DiagnoseInvalidJumps(Stmt *),
// Sema::CheckConstexprFunctionDefinition(const FunctionDecl *, CheckConstexprKind),
// Sema::CheckBuiltinFunctionCall(FunctionDecl *, unsigned, CallExpr *) and
// Sema::ActOnCondition(Scope *, SourceLocation, Expr *, ConditionKind, bool).
#define PROCESS_STMT_ATTRIBUTES                                                                    \
  _ZN5clang4Sema21ProcessStmtAttributesEPNS_4StmtERKNS_16ParsedAttributesERN4llvm15SmallVectorImplIPKNS_4AttrEEE
#define CHECK_LOOP_HINT_EXPR _ZN5clang4Sema17CheckLoopHintExprEPNS_4ExprENS_14SourceLocationEb
#define DIAGNOSE_INVALID_JUMPS _ZN5clang4Sema20DiagnoseInvalidJumpsEPNS_4StmtE
#define CHECK_CONSTEXPR_FUNCTION                                                                   \
  _ZN5clang4Sema32CheckConstexprFunctionDefinitionEPKNS_12FunctionDeclENS0_18CheckConstexprKindE
#define CHECK_BUILTIN_CALL                                                                         \
  _ZN5clang4Sema24CheckBuiltinFunctionCallEPNS_12FunctionDeclEjPNS_8CallExprE
#define ACT_ON_CONDITION                                                                           \
  _ZN5clang4Sema14ActOnConditionEPNS_5ScopeENS_14SourceLocationEPNS_4ExprENS0_13ConditionKindEb

#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"

extern "C" {

void REAL(PROCESS_STMT_ATTRIBUTES)(Sema *, Stmt *, const ParsedAttributes &,
                                   llvm::SmallVectorImpl<const Attr *> &);
bool REAL(CHECK_LOOP_HINT_EXPR)(Sema *, Expr *, SourceLocation, bool);
void REAL(DIAGNOSE_INVALID_JUMPS)(Sema *, Stmt *);
bool REAL(CHECK_CONSTEXPR_FUNCTION)(Sema *, const FunctionDecl *, Sema::CheckConstexprKind);
ExprResult REAL(CHECK_BUILTIN_CALL)(Sema *, FunctionDecl *, unsigned, CallExpr *);
Sema::ConditionResult REAL(ACT_ON_CONDITION)(Sema *, Scope *, SourceLocation, Expr *,
                                             Sema::ConditionKind, bool);

void WRAP(PROCESS_STMT_ATTRIBUTES)(Sema *sema, Stmt *statement, const ParsedAttributes &attributes,
                                   llvm::SmallVectorImpl<const Attr *> &result) {
  auto &own = const_cast<ParsedAttributes &>(attributes);
  if (sema->getLangOpts().CUDA && statement)
    for (ParsedAttr *hint : extraHints(statement, own)) {
      warn(*sema, hint->getLoc(),
           isLoop(statement) ? "'#pragma unroll' is ignored: another one follows"
                             : "'#pragma unroll' is ignored: no loop follows");
      own.remove(hint);
    }
  REAL(PROCESS_STMT_ATTRIBUTES)(sema, statement, attributes, result);
}

bool WRAP(CHECK_LOOP_HINT_EXPR)(Sema *sema, Expr *count, SourceLocation place, bool allow_zero) {
  const bool dependent = count->isValueDependent() || count->isTypeDependent();
  if (sema->getLangOpts().CUDA && !dependent) {
    const auto value = count->getIntegerConstantExpr(sema->getASTContext());
    if (value && !value->isStrictlyPositive()) {
      warn(*sema, place,
           "the unroll value cannot be zero or negative, ignoring pragma for this "
           "loop [#20168-D]");
      // In a template the attribute is there already, and stays (ignoreSenselessUnrolling).
      return !sema->inTemplateInstantiation();
    }
  }
  return REAL(CHECK_LOOP_HINT_EXPR)(sema, count, place, allow_zero);
}

void WRAP(DIAGNOSE_INVALID_JUMPS)(Sema *sema, Stmt *body) {
  PlainVariables variables;
  if (sema->getLangOpts().CUDA && isDevicesAlone(sema->getCurFunctionDecl()) &&
      (variables.TraverseStmt(body), variables.all))
    return;
  REAL(DIAGNOSE_INVALID_JUMPS)(sema, body);
}

// A constexpr function of a template may hold what can be no constant, such as a std::vector, and
// is then none: nvcc and g++ say nothing.
bool WRAP(CHECK_CONSTEXPR_FUNCTION)(Sema *sema, const FunctionDecl *function,
                                    Sema::CheckConstexprKind kind) {
  if (sema->getLangOpts().CUDA && kind == Sema::CheckConstexprKind::Diagnose &&
      function->isTemplated() && !function->isConsteval())
    return true;
  return REAL(CHECK_CONSTEXPR_FUNCTION)(sema, function, kind);
}

// Clang 19's code generator wants a number for the alignment, and ends by a signal where that is a
// call of a constexpr function.
ExprResult WRAP(CHECK_BUILTIN_CALL)(Sema *sema, FunctionDecl *function, unsigned id,
                                    CallExpr *call) {
  const ExprResult result = REAL(CHECK_BUILTIN_CALL)(sema, function, id, call);
  if (result.isInvalid() || id != Builtin::BI__builtin_assume_aligned || call->getNumArgs() < 2)
    return result;
  Expr *alignment = call->getArg(1);
  ASTContext &context = sema->getASTContext();
  Expr::EvalResult value;
  if (!alignment->isValueDependent() && alignment->EvaluateAsInt(value, context))
    call->setArg(1, IntegerLiteral::Create(context, value.Val.getInt(), alignment->getType(),
                                           alignment->getExprLoc()));
  return result;
}

Sema::ConditionResult WRAP(ACT_ON_CONDITION)(Sema *sema, Scope *scope, SourceLocation place,
                                             Expr *condition, Sema::ConditionKind kind,
                                             bool may_be_missing) {
  if (condition && kind == Sema::ConditionKind::ConstexprIf && sema->getLangOpts().CUDA &&
      !condition->isTypeDependent() && !condition->isValueDependent())
    StaticMembers(sema->getASTContext()).TraverseStmt(condition);
  return REAL(ACT_ON_CONDITION)(sema, scope, place, condition, kind, may_be_missing);
}

} // extern "C"
