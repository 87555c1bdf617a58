// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/rules/rules.h"

#include "frontend/rules/calls.h"
#include "frontend/rules/functions.h"
#include "frontend/rules/kernels.h"
#include "frontend/rules/lambdas.h"
#include "frontend/rules/sides.h"
#include "frontend/rules/uses.h"
#include "frontend/rules/variables.h"
#include "support/paths.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

using namespace clang;

namespace heddle::frontend {
namespace {

std::string withoutLinks(const std::filesystem::path &path) {
  std::error_code missing;
  return std::filesystem::weakly_canonical(path, missing).string();
}

// A toolkit's folder is made of links to these.
bool isToolkitFile(StringRef name) {
  static const std::vector<std::string> folders = [] {
    std::vector<std::string> all;
    for (const std::filesystem::path &folder : {installRoot() / "include", cccl(12), cccl(13)})
      all.push_back(withoutLinks(folder) + "/");
    return all;
  }();
  const std::string path = withoutLinks(name.str());
  return llvm::any_of(folders, [&](const std::string &folder) { return path.starts_with(folder); });
}

class Walk : public RecursiveASTVisitor<Walk> {
  using Base = RecursiveASTVisitor<Walk>;

public:
  Walk(RuleMessages &messages, const SourceManager &sources, const Options &options, bool on_device)
      : messages_(messages), sources_(sources), options_(options), on_device_(on_device) {}

  // Patterns of templates have no code; their instances come one by one.
  bool TraverseFunctionTemplateDecl(FunctionTemplateDecl *pattern) {
    return VisitFunctionDecl(pattern->getTemplatedDecl());
  }
  bool TraverseClassTemplateDecl(ClassTemplateDecl *pattern) {
    return checkMembers(*pattern->getTemplatedDecl());
  }
  bool
  TraverseClassTemplatePartialSpecializationDecl(ClassTemplatePartialSpecializationDecl *pattern) {
    return checkMembers(*pattern);
  }
  bool TraverseVarTemplateDecl(VarTemplateDecl * /*pattern*/) { return true; }

  // Types, and what the compiler computes, are no code.
  bool TraverseTypeLoc(TypeLoc /*type*/) { return true; }
  bool TraverseStaticAssertDecl(StaticAssertDecl * /*assertion*/) { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr * /*size*/) { return true; }
  bool TraverseCXXNoexceptExpr(CXXNoexceptExpr * /*question*/) { return true; }
  bool TraverseConstantExpr(ConstantExpr * /*constant*/) { return true; }
  bool TraverseVarDecl(VarDecl *variable) {
    const bool around = std::exchange(constant_, constant_ || variable->isConstexpr());
    const bool result = Base::TraverseVarDecl(variable);
    constant_ = around;
    return result;
  }

  // As it is understood: as it is written, constants' values are not read yet.
  bool TraverseInitListExpr(InitListExpr *list) {
    if (InitListExpr *understood = list->isSemanticForm() ? list : list->getSemanticForm())
      list = understood;
    for (Stmt *value : list->children())
      if (value && !TraverseStmt(value))
        return false;
    return !list->hasArrayFiller() || TraverseStmt(list->getArrayFiller());
  }

  bool dataTraverseStmtPre(Stmt *statement) {
    if (isa<CallExpr, CXXConstructExpr>(statement))
      calls_.push_back(cast<Expr>(statement));
    return true;
  }
  bool dataTraverseStmtPost(Stmt *statement) {
    if (!calls_.empty() && calls_.back() == statement)
      calls_.pop_back();
    return true;
  }

  bool TraverseFunctionDecl(FunctionDecl *d) { return enter(d, &Base::TraverseFunctionDecl); }
  bool TraverseCXXMethodDecl(CXXMethodDecl *d) { return enter(d, &Base::TraverseCXXMethodDecl); }
  bool TraverseCXXConstructorDecl(CXXConstructorDecl *d) {
    return enter(d, &Base::TraverseCXXConstructorDecl);
  }
  bool TraverseCXXDestructorDecl(CXXDestructorDecl *d) {
    return enter(d, &Base::TraverseCXXDestructorDecl);
  }
  bool TraverseCXXConversionDecl(CXXConversionDecl *d) {
    return enter(d, &Base::TraverseCXXConversionDecl);
  }
  bool TraverseLambdaExpr(LambdaExpr *lambda) {
    if (on_device_ && isChecked(lambda->getBeginLoc()))
      checkLambda(messages_, *lambda, function_, options_.extended_lambda);
    for (Expr *value : lambda->capture_inits())
      if (value && !TraverseStmt(value))
        return false;
    const FunctionDecl *around = std::exchange(function_, lambda->getCallOperator());
    const bool result = lambda->isGenericLambda() || TraverseStmt(lambda->getCompoundStmtBody());
    function_ = around;
    return result;
  }

  bool VisitFunctionDecl(FunctionDecl *function) {
    if (!on_device_ || !isChecked(function->getLocation()))
      return true;
    if (says<CUDAGlobalAttr>(*function))
      checkKernel(messages_, *function, options_.arch);
    else if (!function->isTemplateInstantiation())
      checkNoKernel(messages_, *function);
    checkDefaulted(messages_, *function);
    checkOverloads(messages_, *function);
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) {
    if (on_device_ && isChecked(variable->getLocation()))
      checkVariable(messages_, *variable, !options_.rdc);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    if (const FunctionDecl *callee = call->getDirectCallee())
      checkCallAt(call->getBeginLoc(), *callee);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *construction) {
    checkCallAt(construction->getLocation(), *construction->getConstructor());
    if (const DeclRefExpr *copied = constantCopiedBy(*construction))
      value_ = copied; // visited next
    return true;
  }
  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *launch) {
    if (isDeviceCode(launch->getBeginLoc()) && !options_.rdc)
      messages_.error(launch->getBeginLoc(),
                      "kernel launch from __device__ or __global__ functions "
                      "requires separate compilation mode");
    return true;
  }
  bool VisitAddrLabelExpr(AddrLabelExpr *label) {
    if (isDeviceCode(label->getBeginLoc()))
      messages_.error(label->getBeginLoc(), "address of label extension is not supported in "
                                            "__device__/__global__ functions");
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *use) {
    if (!constant_ && use != value_ && isDeviceCode(use->getLocation()) &&
        needsHostVariable(*use) && !isFolded(*use)) // which computes calls: asked last
      refuseHostVariable(messages_, *use);
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *element) {
    if (!constant_ && isDeviceCode(element->getBeginLoc()))
      checkElement(messages_, *element);
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) {
    if (cast->getCastKind() != CK_LValueToRValue)
      return true;
    const auto *use = dyn_cast<DeclRefExpr>(cast->getSubExpr()->IgnoreParens());
    if (use && !use->getDecl()->getType()->isReferenceType())
      value_ = use; // visited next
    else if (const DeclRefExpr *whole = constantReadBy(*cast->getSubExpr()))
      value_ = whole;
    if (isHostCode(cast->getBeginLoc()))
      checkDeviceRead(messages_, *cast->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) {
    if (operation->isAssignmentOp())
      checkWrite(*operation->getLHS());
    if (operation->getType()->isVectorType() && isDeviceCode(operation->getBeginLoc()))
      messages_.error(operation->getBeginLoc(),
                      "operations on vector types are not supported in device code");
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *operation) {
    if (operation->isIncrementDecrementOp())
      checkWrite(*operation->getSubExpr());
    return true;
  }

private:
  template <class Function, class Traverse> bool enter(Function *function, Traverse traverse) {
    if (function->isDependentContext()) // a class template's member that is defined outside of it
      return VisitFunctionDecl(function);
    const FunctionDecl *around = std::exchange(function_, function);
    const bool result = (this->*traverse)(function);
    function_ = around;
    return result;
  }

  bool checkMembers(const CXXRecordDecl &pattern) {
    for (Decl *member : pattern.decls())
      if (auto *function = dyn_cast<FunctionDecl>(member))
        VisitFunctionDecl(function);
      else if (auto *inner = dyn_cast<FunctionTemplateDecl>(member))
        VisitFunctionDecl(inner->getTemplatedDecl());
      else if (auto *variable = dyn_cast<VarDecl>(member))
        VisitVarDecl(variable);
    return true;
  }

  bool isChecked(SourceLocation where) const {
    return where.isValid() && !sources_.isInSystemHeader(where) &&
           !sources_.isInSystemMacro(where) && !isInToolkit(where);
  }
  // With -I$CUDA_HOME/include, Heddle's headers and CCCL's are none of the system.
  bool isInToolkit(SourceLocation where) const {
    const FileID file = sources_.getFileID(sources_.getExpansionLoc(where));
    const auto [known, is_new] = in_toolkit_.try_emplace(file, false);
    if (is_new)
      if (const auto entry = sources_.getFileEntryRefForID(file))
        known->second = isToolkitFile(entry->getName());
    return known->second;
  }
  bool isDeviceCode(SourceLocation where) const {
    return on_device_ && function_ && sideOf(*function_) != Side::Host && isChecked(where);
  }
  // Whether a call around `use` is computed by the compiler.
  bool isFolded(const DeclRefExpr &use) const {
    const auto *variable = dyn_cast<VarDecl>(use.getDecl());
    return variable && variable->getType().isConstQualified() &&
           llvm::any_of(calls_, [&](const Expr *call) {
             return isComputedByCompiler(*call, variable->getASTContext());
           });
  }
  bool isHostCode(SourceLocation where) const {
    return !on_device_ && function_ && sideOf(*function_) != Side::Device && isChecked(where);
  }

  void checkCallAt(SourceLocation where, const FunctionDecl &callee) {
    if (isDeviceCode(where))
      checkCall(messages_, where, *function_, callee, options_.relaxed_constexpr);
  }
  void checkWrite(const Expr &target) {
    if (isDeviceCode(target.getBeginLoc()))
      checkConstantWrite(messages_, target);
    else if (isHostCode(target.getBeginLoc()))
      checkDeviceWrite(messages_, target);
  }

  RuleMessages &messages_;
  const SourceManager &sources_;
  const Options &options_;
  const bool on_device_;
  mutable llvm::DenseMap<FileID, bool> in_toolkit_;
  const FunctionDecl *function_ = nullptr; // whose code is being looked at
  const DeclRefExpr *value_ = nullptr;     // whose value is read, and no more
  SmallVector<const Expr *, 8> calls_;     // around what is being looked at
  bool constant_ = false;                  // what is looked at is computed by the compiler
};

class Rules : public ASTConsumer {
public:
  Rules(CompilerInstance &instance, const Options &options)
      : messages_(instance.getDiagnostics(), instance.getSourceManager(), options.messages),
        walk_(messages_, instance.getSourceManager(), options,
              instance.getLangOpts().CUDAIsDevice) {
    messages_.listen(instance.getPreprocessor());
  }

  // Of the file itself, not of what came precompiled; each function template's instance, too.
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    declarations_.append(group.begin(), group.end());
    return true;
  }
  void HandleTranslationUnit(ASTContext &context) override {
    if (context.getDiagnostics().hasErrorOccurred()) // parts of the tree may be missing
      return;
    for (Decl *declaration : declarations_)
      if (context.getSourceManager().isInSystemHeader(declaration->getLocation()))
        checkForeign(*declaration);
      else
        walk_.TraverseDecl(declaration);
  }

private:
  // A library's kernel may have got a user's type.
  void checkForeign(Decl &declaration) {
    const auto *function = dyn_cast<FunctionDecl>(&declaration);
    if (function && says<CUDAGlobalAttr>(*function) && function->isTemplateInstantiation())
      checkKernelArguments(messages_, *function);
  }

  RuleMessages messages_;
  Walk walk_;
  SmallVector<Decl *, 0> declarations_;
};

} // namespace

std::unique_ptr<ASTConsumer> makeRules(CompilerInstance &instance, const Options &options) {
  return std::make_unique<Rules>(instance, options);
}

std::unique_ptr<ASTConsumer> inOrder(std::unique_ptr<ASTConsumer> first,
                                     std::unique_ptr<ASTConsumer> second) {
  if (!first)
    return second;
  std::vector<std::unique_ptr<ASTConsumer>> consumers;
  consumers.push_back(std::move(first));
  consumers.push_back(std::move(second));
  return std::make_unique<MultiplexConsumer>(std::move(consumers));
}

} // namespace heddle::frontend
