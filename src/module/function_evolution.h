// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's scalar evolution of one function, with the analyses that it needs: trip counts of loops,
// and distances between pointers.
#pragma once

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

namespace heddle {

struct FunctionEvolution {
  explicit FunctionEvolution(llvm::Function &function)
      : library(llvm::Triple(function.getParent()->getTargetTriple())), library_info(library),
        assumptions(function), dominators(function), loops(dominators),
        evolution(function, library_info, assumptions, dominators, loops) {}
  FunctionEvolution(const FunctionEvolution &) = delete;

  llvm::TargetLibraryInfoImpl library;
  llvm::TargetLibraryInfo library_info;
  llvm::AssumptionCache assumptions;
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::ScalarEvolution evolution;
};

} // namespace heddle
