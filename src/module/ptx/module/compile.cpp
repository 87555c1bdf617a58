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
  return log + aborted;
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
    const auto *variable = dyn_cast<GlobalVariable>(&value);
    if (!value.isDeclaration() || value.use_empty() || value.getName().starts_with("llvm.") ||
        (variable && variable->getAddressSpace() == address_space::Shared) ||
        built_in.contains(value.getName().str()))
      continue;
    log += "ptxas fatal   : Unresolved extern " + std::string(variable ? "variable" : "function") +
           " '" + value.getName().str() + "'\n";
  }
  if (!log.empty())
    throw PtxFailure(PtxFailure::Unresolved, log);
}

} // namespace

std::unique_ptr<Module> readPtx(const PtxText &text, LLVMContext &context, uint32_t &arch,
                                const PtxReading &reading) {
  PtxTranslation translation = translatePtx(text.text, text.name, context, reading);
  if (!translation.module)
    throw PtxFailure(translation.too_new ? PtxFailure::TooNew : PtxFailure::Invalid,
                     logOf(translation, text.name));
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
    auto module = readPtx(text, context, options.arch, reading);
    checkDefinedOnce(*module, text.name, defined);
    if (!all)
      all = std::move(module);
    else if (Linker::linkModules(*all, std::move(module)))
      throw PtxFailure(PtxFailure::Invalid, "nvlink fatal   : cannot link " + text.name + "\n");
  }
  finishPtx(*all);
  checkResolved(*all, options);
  try {
    return prepareImage(*all, options);
  } catch (const std::runtime_error &error) {
    throw PtxFailure(PtxFailure::Invalid, error.what() + std::string("\n"));
  }
}

} // namespace heddle
