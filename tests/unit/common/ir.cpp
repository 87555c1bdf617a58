// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace llvm;

namespace heddle {

Ir::Ir(const std::string &text) {
  const std::string whole = "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
                            "target triple = \"nvptx64-nvidia-cuda\"\n" +
                            text;
  SMDiagnostic error;
  module_ = parseAssemblyString(whole, error, context_);
  if (!module_) {
    error.print("test", errs());
    std::abort();
  }
}

Function &Ir::function(StringRef name) {
  Function *found = module_->getFunction(name);
  if (!found) {
    errs() << "no function " << name << "\n";
    std::abort();
  }
  return *found;
}

GlobalVariable *Ir::variable(StringRef name) { return module_->getGlobalVariable(name, true); }

std::string Ir::text() const {
  std::string text;
  raw_string_ostream(text) << *module_;
  return text;
}

std::string Ir::text(StringRef name) {
  std::string text;
  raw_string_ostream(text) << function(name);
  return text;
}

void Ir::verify() const {
  std::string problems;
  raw_string_ostream stream(problems);
  EXPECT_FALSE(verifyModule(*module_, &stream)) << problems << text();
}

void Ir::runPasses(FunctionPassManager passes) {
  PassBuilder builder;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graph;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  ModulePassManager all;
  all.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(*module_, modules);
  verify();
}

std::string kernelAnnotations(const std::vector<std::string> &kernels) {
  std::string list, nodes;
  for (size_t i = 0; i < kernels.size(); ++i) {
    list += (i ? ", !" : "!") + std::to_string(900 + i);
    nodes += "!" + std::to_string(900 + i) + " = !{ptr @" + kernels[i] + ", !\"kernel\", i32 1}\n";
  }
  return "!nvvm.annotations = !{" + list + "}\n" + nodes;
}

void expectInOrder(const std::string &text, const std::vector<std::string> &pieces) {
  size_t from = 0;
  for (const std::string &piece : pieces) {
    const size_t found = text.find(piece, from);
    EXPECT_NE(found, std::string::npos) << "'" << piece << "' is not in\n" << text.substr(from);
    if (found == std::string::npos)
      return;
    from = found + piece.size();
  }
}

void expectNone(const std::string &text, const std::vector<std::string> &pieces) {
  for (const std::string &piece : pieces)
    EXPECT_EQ(text.find(piece), std::string::npos) << "'" << piece << "' is in\n" << text;
}

} // namespace heddle
