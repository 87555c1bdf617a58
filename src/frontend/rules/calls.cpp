// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/rules/calls.h"

#include "frontend/rules/sides.h"
#include "support/paths.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

#include <fmt/format.h>

using namespace clang;

namespace heddle::frontend {
namespace {

// Functions of the library that nvcc takes for both sides (guide, "std::initializer_list",
// "Rvalue References").
bool isForBothByRule(const FunctionDecl &callee) {
  if (const auto *method = dyn_cast<CXXMethodDecl>(&callee))
    return nameOf(*method->getParent()) == "std::initializer_list";
  return callee.isInStdNamespace() && callee.getIdentifier() &&
         (callee.getName() == "move" || callee.getName() == "forward");
}

StringRef fileOf(const FunctionDecl &function) {
  const SourceManager &sources = function.getASTContext().getSourceManager();
  return sources.getFilename(sources.getSpellingLoc(function.getLocation()));
}

// Clang's wrappers give these to device code; nvcc's users need --expt-relaxed-constexpr for them.
bool isWrapped(const FunctionDecl &callee) {
  if (!callee.isInStdNamespace() || !callee.getIdentifier())
    return false;
  const StringRef name = callee.getName();
  return (name == "min" || name == "max") && fileOf(callee).contains("cuda_wrappers");
}

// One that Clang makes for both sides by itself.
bool isHostByWord(const FunctionDecl &callee) {
  const auto *method = dyn_cast<CXXMethodDecl>(&callee);
  if (method && (method->isDefaulted() || method->isImplicit()))
    return false;
  if (method && isLambdaCallOperator(method))
    return sideOf(callee) == Side::Host;
  return !says<CUDADeviceAttr>(callee) && !says<CUDAHostAttr>(callee) &&
         !says<CUDAGlobalAttr>(callee) && !isInternalHeader(fileOf(callee).str());
}

// Clang's wrapper of <complex> makes all of it code for both sides; nvcc's users have cuda::std.
bool isMadeForBoth(const FunctionDecl &callee) {
  const auto *device = callee.getAttr<CUDADeviceAttr>();
  return callee.isInStdNamespace() && device && device->isImplicit() && !callee.isConstexpr() &&
         !callee.isImplicit() && !callee.isDefaulted() && !isInternalHeader(fileOf(callee).str());
}

bool isOpaque(const FunctionDecl &callee) {
  return callee.getBuiltinID() && !callee.isInStdNamespace();
}

std::string signatureOf(const FunctionDecl &function) {
  std::string text = nameOf(function) + "(";
  for (const ParmVarDecl *parameter : function.parameters())
    text += (parameter->getFunctionScopeIndex() ? ", " : "") + parameter->getType().getAsString();
  return text + ")";
}

bool isUnchecked(const RuleMessages &messages, const FunctionDecl &caller) {
  const FunctionDecl *pattern = caller.getTemplateInstantiationPattern();
  const FunctionDecl &written = pattern ? *pattern : caller;
  const FunctionTemplateDecl *templ = written.getDescribedFunctionTemplate();
  return messages.isUnchecked(templ ? templ->getBeginLoc() : written.getBeginLoc());
}

void checkForBoth(RuleMessages &messages, SourceLocation where, const FunctionDecl &caller,
                  const FunctionDecl &callee) {
  const bool is_host = !callee.isImplicit() && callee.isUserProvided() && !callee.isConstexpr() &&
                       !callee.hasAttr<CUDADeviceAttr>() && !callee.hasAttr<CUDAGlobalAttr>() &&
                       !isOpaque(callee);
  if (is_host && !isUnchecked(messages, caller))
    messages.warning(where, HostCallInBoth,
                     fmt::format("calling a __host__ function(\"{}\") from a __host__ __device__ "
                                 "function(\"{}\") is not allowed: a kernel that comes there ends",
                                 signatureOf(callee), nameOf(caller)));
}

void warnOfConstexpr(RuleMessages &messages, SourceLocation where, const FunctionDecl &caller,
                     const FunctionDecl &callee) {
  constexpr const char *flag =
      "The experimental flag '--expt-relaxed-constexpr' can be used to allow this.";
  if (isUnchecked(messages, caller))
    return;
  messages.warning(where, ConstexprCallsInBoth,
                   fmt::format("calling a constexpr __host__ function from a __host__ __device__ "
                               "function is not allowed. {}",
                               flag));
  messages.warning(where, ConstexprCallInBoth,
                   fmt::format("calling a constexpr __host__ function(\"{}\") from a __host__ "
                               "__device__ function(\"{}\") is not allowed. {}",
                               callee.getNameAsString(), nameOf(caller), flag));
}

} // namespace

void checkCall(RuleMessages &messages, SourceLocation where, const FunctionDecl &caller,
               const FunctionDecl &callee, bool relaxed) {
  const Side side = sideOf(caller);
  const bool is_constexpr = (callee.isConstexpr() && isHostByWord(callee)) || isWrapped(callee);
  if (side == Side::Both && is_constexpr && !relaxed && !callee.isConsteval() &&
      !isOpaque(callee) && !isForBothByRule(callee))
    warnOfConstexpr(messages, where, caller, callee);
  else if (side == Side::Both)
    checkForBoth(messages, where, caller, callee);
  if (side != Side::Device || callee.isConsteval() || isOpaque(callee) || isForBothByRule(callee))
    return;
  const char *space = says<CUDAGlobalAttr>(caller) ? "__global__" : "__device__";
  if (isMadeForBoth(callee))
    messages.error(where, fmt::format("calling a __host__ function(\"{}\") from a {} "
                                      "function(\"{}\") is not allowed",
                                      signatureOf(callee), space, nameOf(caller)));
  if (!relaxed && is_constexpr)
    messages.error(where, fmt::format("calling a constexpr __host__ function(\"{}\") from a {} "
                                      "function(\"{}\") is not allowed. The experimental flag "
                                      "'--expt-relaxed-constexpr' can be used to allow this.",
                                      callee.getNameAsString(), space, nameOf(caller)));
}

} // namespace heddle::frontend
