// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's analysis managers, cross-registered, as runs of passes need them.
#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace heddle {

struct PassAnalyses {
  explicit PassAnalyses(llvm::TargetMachine *machine = nullptr,
                        llvm::PipelineTuningOptions tuning = {})
      : builder(machine, tuning) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graph);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graph, modules);
  }
  PassAnalyses(const PassAnalyses &) = delete;

  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
};

} // namespace heddle
