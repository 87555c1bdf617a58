// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/module/compile.h"

#include "module/pass_analyses.h"
#include "module/passes/define_arithmetic.h"
#include "module/passes/volatile_marks.h"
#include "module/ptx/module/conditions.h"
#include "module/ptx/module/front_end.h"
#include "module/ptx/module/match_calls.h"
#include "module/ptx/module/pointers.h"

#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace heddle {
namespace {

constexpr const char *aborted = "ptxas fatal   : Ptx assembly aborted due to errors\n";

std::string logOf(const PtxTranslation &translation, const std::string &name) {
  std::string log;
  for (size_t i = 0; i < translation.problems.size(); ++i) {
    const PtxError &problem = translation.problems[i];
    const bool fatal = translation.fatal && i + 1 == translation.problems.size();
    log += "ptxas " + name + ", line " + std::to_string(std::max(problem.place.line, 1u)) +
           (fatal ? "; fatal   : " : "; error   : ") + problem.what() + "\n";
  }
  return translation.too_new ? log : log + aborted;
}

// Promotes registers to values, and turns sums into pointers and offsets.
void findPointers(Module &module) {
  PassAnalyses analyses;
  FunctionPassManager passes;
  passes.addPass(DefineArithmeticPass());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(InstSimplifyPass());
  for (Function &function : module)
    if (!function.isDeclaration()) {
      passes.run(function, analyses.functions);
      function.addFnAttr(arithmetic_defined);
    }
  recoverPointers(module);

  FunctionPassManager conditions;
  conditions.addPass(InstSimplifyPass());
  conditions.addPass(SimplifyCFGPass());
  conditions.addPass(JoinConditionsPass());
  PassAnalyses again; // functions may have been replaced
  markVolatileAccesses(module);
  for (Function &function : module)
    if (!function.isDeclaration())
      conditions.run(function, again.functions);
  removeVolatileMarks(module);
}

void checkDefinedOnce(const Module &module, const std::string &name,
                      StringMap<std::string> &defined) {
  for (const GlobalValue &value : module.global_values()) {
    if (!value.hasExternalLinkage() || value.isDeclaration())
      continue;
    const auto [first, is_new] = defined.try_emplace(value.getName(), name);
    if (!is_new)
      throw PtxFailure(PtxFailure::Invalid, "nvlink error   : Multiple definition of '" +
                                                value.getName().str() + "' in '" + name +
                                                "', first defined in '" + first->second + "'\n");
  }
}

void checkResolved(const Module &module, const PrepareOptions &options) {
  const BuiltInFunctions built_in(options.device_library);
  std::string log;
  for (const GlobalValue &value : module.global_values()) {
    if (!value.isDeclaration() || value.use_empty() || value.getName().starts_with("llvm.") ||
        isa<GlobalVariable>(value) || built_in.contains(value.getName().str()))
      continue;
    log += "ptxas fatal   : Unresolved extern function '" + value.getName().str() + "'\n";
  }
  if (!log.empty())
    throw PtxFailure(PtxFailure::Unresolved, log);
}

PtxTranslation translate(const PtxText &text, LLVMContext &context, const PtxReading &reading) {
  PtxTranslation translation = translatePtx(text.text, text.name, context, reading);
  if (!translation.module)
    throw PtxFailure(translation.too_new ? PtxFailure::TooNew : PtxFailure::Invalid,
                     logOf(translation, text.name));
  return translation;
}

// ptxas gives variables that are nowhere defined a place of their own.
void defineMissingVariables(Module &module) {
  for (GlobalVariable &variable : module.globals())
    if (variable.isDeclaration() && !variable.use_empty() &&
        variable.getAddressSpace() != address_space::Shared &&
        !variable.getName().starts_with("llvm."))
      variable.setInitializer(Constant::getNullValue(variable.getValueType()));
}

} // namespace

std::unique_ptr<Module> readPtx(const PtxText &text, LLVMContext &context, uint32_t &arch,
                                const PtxReading &reading) {
  PtxTranslation translation = translate(text, context, reading);
  arch = std::max(arch, translation.sm * 10);
  return std::move(translation.module);
}

void finishPtx(Module &module) {
  typeEngineFunctions(module);
  findPointers(module);
  matchCalls(module);
}

PreparedImage compilePtx(std::span<const PtxText> texts, PrepareOptions options,
                         const PtxReading &reading) {
  LLVMContext context;
  options.arch = 0;
  StringMap<std::string> defined;
  std::unique_ptr<Module> all;
  for (const PtxText &text : texts) {
    PtxTranslation translation = translate(text, context, reading);
    std::unique_ptr<Module> module = std::move(translation.module);
    if (translation.sm * 10 >= options.arch && !translation.code.empty())
      options.codes = {translation.code};
    options.arch = std::max(options.arch, translation.sm * 10);
    checkDefinedOnce(*module, text.name, defined);
    if (!all)
      all = std::move(module);
    else if (Linker::linkModules(*all, std::move(module)))
      throw PtxFailure(PtxFailure::Invalid, "nvlink fatal   : cannot link " + text.name + "\n");
  }
  finishPtx(*all);
  checkResolved(*all, options);
  defineMissingVariables(*all);
  try {
    return prepareImage(*all, options);
  } catch (const std::runtime_error &error) {
    throw PtxFailure(PtxFailure::Invalid, error.what() + std::string("\n"));
  }
}

} // namespace heddle
