// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/rules/lambdas.h"

#include "frontend/rules/sides.h"
#include "frontend/rules/types.h"

#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"

#include <fmt/format.h>

using namespace clang;

namespace heddle::frontend {
namespace {

bool isHidden(const Decl &declaration) {
  return declaration.getAccess() == AS_private || declaration.getAccess() == AS_protected;
}

// `if constexpr` statements in a body, and the variables used in them and outside.
class ConditionalUses : public RecursiveASTVisitor<ConditionalUses> {
public:
  bool TraverseIfStmt(IfStmt *statement) {
    depth_ += statement->isConstexpr();
    const bool result = RecursiveASTVisitor::TraverseIfStmt(statement);
    depth_ -= statement->isConstexpr();
    return result;
  }
  bool VisitDeclRefExpr(DeclRefExpr *use) {
    if (use->refersToEnclosingVariableOrCapture())
      first_.try_emplace(use->getDecl(), depth_ > 0);
    return true;
  }
  bool isFirstUsedConditionally(const ValueDecl *variable) const {
    const auto found = first_.find(variable);
    return found != first_.end() && found->second;
  }

private:
  unsigned depth_ = 0;
  llvm::DenseMap<const ValueDecl *, bool> first_;
};

void checkPlace(RuleMessages &messages, SourceLocation where, const std::string &kind,
                const FunctionDecl &around) {
  const auto parent = [&](const char *what) {
    messages.error(where, fmt::format("The enclosing parent function (\"{}\") for an extended {} "
                                      "lambda {}",
                                      around.getNameAsString(), kind, what));
  };
  if (isa<CXXConstructorDecl, CXXDestructorDecl>(around))
    parent("must allow its address to be taken");
  if (isHidden(around))
    parent("cannot have private or protected access within its class");
  const TypeSourceInfo *written = around.getTypeSourceInfo();
  const auto *type = written ? written->getType()->getAs<FunctionType>() : nullptr;
  const auto *method = dyn_cast<CXXMethodDecl>(&around);
  const bool is_lambda = method && isLambdaCallOperator(method);
  if (type && type->getReturnType()->getContainedDeducedType() && !is_lambda)
    parent("must not have deduced return type");
  const auto *scope = dyn_cast<CXXRecordDecl>(around.getDeclContext());
  if (scope && !is_lambda && isHidden(*scope))
    messages.error(where,
                   fmt::format("An extended {} lambda cannot be defined inside a class "
                               "(\"{}\") with private or protected access within another class",
                               kind, scope->getNameAsString()));
}

void checkTemplate(RuleMessages &messages, SourceLocation where, const std::string &kind,
                   const FunctionDecl &around) {
  // The definition's: a declaration before it may have left them unnamed.
  const FunctionDecl *pattern = around.getTemplateInstantiationPattern();
  if (const auto *as_written = pattern ? pattern->getDescribedFunctionTemplate() : nullptr)
    for (const NamedDecl *parameter : *as_written->getTemplateParameters())
      if (!parameter->getIdentifier())
        messages.error(where, fmt::format("The enclosing parent template function (\"{}\") for an "
                                          "extended {} lambda must name its template parameters",
                                          around.getNameAsString(), kind));
  if (const TemplateArgumentList *arguments = around.getTemplateSpecializationArgs())
    for (const TemplateArgument &argument : arguments->asArray())
      if (const auto found = unnameable(argument); found && found->is_local)
        messages.error(
            where, fmt::format("A type local to a function (\"{}\") cannot be used in the template "
                               "argument of the enclosing parent function (and any parent classes) "
                               "of an extended __device__ or __host__ __device__ lambda",
                               found->name));
}

// Clang makes operators constexpr by itself.
bool isConstexprWritten(const LambdaExpr &lambda) {
  const CXXMethodDecl &call = *lambda.getCallOperator();
  const SourceManager &sources = call.getASTContext().getSourceManager();
  const SourceLocation from = lambda.getIntroducerRange().getEnd(),
                       to = lambda.getCompoundStmtBody()->getBeginLoc();
  const auto [file, start] = sources.getDecomposedSpellingLoc(from);
  const auto [end_file, end] = sources.getDecomposedSpellingLoc(to);
  return call.isConstexprSpecified() && file == end_file && start < end &&
         sources.getBufferData(file).slice(start, end).contains("constexpr");
}

// Whether the instance that `around` is captures an element of a function's parameter pack.
bool isPackElement(const ValueDecl &variable) {
  const auto *parameter = dyn_cast<ParmVarDecl>(&variable);
  const auto *function = parameter ? dyn_cast<FunctionDecl>(parameter->getDeclContext()) : nullptr;
  const FunctionDecl *pattern = function ? function->getTemplateInstantiationPattern() : nullptr;
  if (!pattern)
    return false;
  const unsigned index = parameter->getFunctionScopeIndex();
  return llvm::any_of(pattern->parameters(), [&](const ParmVarDecl *written) {
    return written->isParameterPack() && written->getFunctionScopeIndex() <= index;
  });
}

void checkCaptures(RuleMessages &messages, const LambdaExpr &lambda, const std::string &kind,
                   bool is_for_both) {
  ConditionalUses uses;
  uses.TraverseStmt(lambda.getBody());
  for (const LambdaCapture &capture : lambda.captures()) {
    const SourceLocation where = lambda.getBeginLoc();
    if (lambda.isInitCapture(&capture)) {
      if (is_for_both)
        messages.error(where,
                       "init-captures are not allowed for extended __host__ __device__ lambdas");
      continue;
    }
    if (!capture.capturesVariable())
      continue;
    if (isPackElement(*capture.getCapturedVar()))
      messages.error(where, fmt::format("An extended {} lambda cannot capture an element of a "
                                        "parameter pack",
                                        kind));
    if (capture.isImplicit() && uses.isFirstUsedConditionally(capture.getCapturedVar()))
      messages.error(where, fmt::format("An extended {} lambda cannot first-capture variable in "
                                        "constexpr-if context",
                                        kind));
  }
}

} // namespace

void checkLambda(RuleMessages &messages, const LambdaExpr &lambda, const FunctionDecl *around,
                 bool enabled) {
  const CXXMethodDecl &call = *lambda.getCallOperator();
  if (!says<CUDADeviceAttr>(call) && !says<CUDAHostAttr>(call))
    return;
  const SourceLocation where = lambda.getBeginLoc();
  if (!enabled) {
    messages.error(
        where, "__host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag");
    return;
  }
  if (!around || sideOf(*around) != Side::Host)
    return;
  const bool is_for_both = says<CUDAHostAttr>(call);
  const std::string kind = is_for_both ? "__host__ __device__" : "__device__";
  if (is_for_both && lambda.isGenericLambda())
    messages.error(where, "__host__ __device__ extended lambdas cannot be generic lambdas");
  if (is_for_both && isConstexprWritten(lambda))
    messages.error(where, fmt::format("The constexpr specifier is not allowed for an extended {} "
                                      "lambda",
                                      kind));
  checkPlace(messages, where, kind, *around);
  checkTemplate(messages, where, kind, *around);
  checkCaptures(messages, lambda, kind, is_for_both);
}

} // namespace heddle::frontend
