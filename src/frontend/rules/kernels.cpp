// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/rules/kernels.h"

#include "frontend/rules/sides.h"
#include "frontend/rules/types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

using namespace clang;

namespace heddle::frontend {
namespace {

constexpr StringRef grid_constant = "heddle.grid_constant", cluster_dims = "heddle.cluster_dims";

void checkDeclaration(RuleMessages &messages, const FunctionDecl &kernel) {
  const SourceLocation where = kernel.getLocation();
  if (isa<CXXMethodDecl>(kernel))
    messages.error(where, "A __global__ function or function template cannot be a member function");
  if (kernel.isOverloadedOperator())
    messages.error(where, "An operator function cannot be a __global__ function");
  if (kernel.getFriendObjectKind() != Decl::FOK_None && kernel.isThisDeclarationADefinition())
    messages.error(
        where,
        "A __global__ function or function template cannot be defined in a friend declaration");
  if (kernel.isConstexpr())
    messages.error(where, "A __global__ function or function template cannot be marked constexpr");
  else if (kernel.isInlineSpecified() && !kernel.isTemplated() && !kernel.isTemplateInstantiation())
    messages.warning(where, InlineKernel, "inline qualifier ignored for \"__global__\" function");
  if (kernel.isVariadic())
    messages.error(where, "a __global__ function cannot have ellipsis");
}

void checkType(RuleMessages &messages, const FunctionDecl &kernel) {
  const TypeSourceInfo *written = kernel.getTypeSourceInfo();
  const auto *type = written ? written->getType()->getAs<FunctionProtoType>() : nullptr;
  if (!type)
    return;
  if (type->getReturnType()->getContainedDeducedType())
    messages.error(kernel.getLocation(),
                   "a __global__ function must not have a deduced return type");
  if (type->hasExceptionSpec())
    messages.error(
        kernel.getLocation(),
        "An exception specification is not allowed for a __global__ function or function "
        "template");
}

bool isInitializerList(QualType type) {
  const auto *record = type->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getIdentifier() &&
         record->getName() == "initializer_list";
}

void checkParameters(RuleMessages &messages, const FunctionDecl &kernel) {
  for (const ParmVarDecl *parameter : kernel.parameters()) {
    const QualType type = parameter->getType();
    if (type->isRValueReferenceType())
      messages.error(parameter->getLocation(),
                     "a __global__ function cannot have a parameter with rvalue reference type");
    if (isInitializerList(type))
      messages.error(parameter->getLocation(),
                     "a __global__ function or function template cannot have a parameter with type "
                     "std::initializer_list");
    if (hasNote(*parameter, grid_constant) && !type.isConstQualified() && !type->isDependentType())
      messages.error(parameter->getLocation(),
                     "a parameter annotated with __grid_constant__ must have const-qualified type");
  }
}

void checkParameterBytes(RuleMessages &messages, const FunctionDecl &kernel) {
  const ASTContext &context = kernel.getASTContext();
  uint64_t bytes = 0;
  for (const ParmVarDecl *parameter : kernel.parameters()) {
    const QualType type = parameter->getType();
    if (type->isDependentType() || type->isIncompleteType())
      return;
    const TypeInfoChars size = context.getTypeInfoInChars(type);
    bytes = llvm::alignTo(bytes, uint64_t(size.Align.getQuantity())) +
            uint64_t(size.Width.getQuantity());
  }
  if (bytes > most_parameter_bytes)
    messages.error(kernel.getLocation(),
                   fmt::format("Formal parameter space overflowed ({} bytes required, max {} bytes "
                               "allowed) in function {}",
                               bytes, most_parameter_bytes, nameOf(kernel)));
}

void checkPacks(RuleMessages &messages, const FunctionTemplateDecl &pattern) {
  const TemplateParameterList &parameters = *pattern.getTemplateParameters();
  unsigned packs = 0;
  for (const NamedDecl *parameter : parameters) {
    if (!parameter->isParameterPack())
      continue;
    if (parameter != parameters.asArray().back())
      messages.error(parameter->getLocation(),
                     "Pack template parameter must be the last template "
                     "parameter for a variadic __global__ function template");
    if (++packs == 2)
      messages.error(parameter->getLocation(), "Multiple pack parameters are not allowed for a "
                                               "variadic __global__ function template");
  }
}

void checkClusters(RuleMessages &messages, const FunctionDecl &kernel, uint32_t arch) {
  if (arch < 900 && hasNote(kernel, cluster_dims))
    messages.error(kernel.getLocation(),
                   "__cluster_dims__ is not supported for this GPU architecture");
  if (kernel.hasAttr<CUDALaunchBoundsAttr>() && hasNote(kernel, "heddle.maxnreg"))
    messages.error(kernel.getLocation(),
                   "The __launch_bounds__ and __maxnreg__ qualifiers cannot be "
                   "applied to the same kernel");
}

} // namespace

void checkKernelArguments(RuleMessages &messages, const FunctionDecl &kernel) {
  const TemplateArgumentList *arguments = kernel.getTemplateSpecializationArgs();
  if (!arguments)
    return;
  for (const TemplateArgument &argument : arguments->asArray())
    if (const auto why = unnameable(argument))
      messages.error(
          kernel.getPointOfInstantiation(),
          fmt::format("{} cannot be used in the template argument type of a __global__ function "
                      "template instantiation, unless it is local to a __device__ or __global__ "
                      "function{}",
                      why->what,
                      why->is_lambda ? ", or is an extended lambda and --extended-lambda is given"
                                     : ""));
}

void checkKernel(RuleMessages &messages, const FunctionDecl &kernel, uint32_t arch) {
  checkKernelArguments(messages, kernel);
  if (kernel.isTemplateInstantiation()) { // the rest has been said of the template
    checkParameterBytes(messages, kernel);
    return;
  }
  checkDeclaration(messages, kernel);
  checkType(messages, kernel);
  checkParameters(messages, kernel);
  checkParameterBytes(messages, kernel);
  checkClusters(messages, kernel, arch);
  if (const FunctionTemplateDecl *pattern = kernel.getDescribedFunctionTemplate())
    checkPacks(messages, *pattern);
}

void checkNoKernel(RuleMessages &messages, const FunctionDecl &function) {
  if (function.hasAttr<CUDALaunchBoundsAttr>())
    messages.error(function.getLocation(),
                   "__launch_bounds__ is only allowed on a __global__ function");
  for (const ParmVarDecl *parameter : function.parameters())
    if (hasNote(*parameter, grid_constant))
      messages.error(parameter->getLocation(), "__grid_constant__ annotation is only allowed on a "
                                               "parameter of a __global__ function");
}

} // namespace heddle::frontend
