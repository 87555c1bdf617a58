// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compiler with LLVM inside leaves out: the targets that Heddle never compiles for, and
// Polly.
//
// lld and Clang register all targets and Polly's passes that LLVM was configured with; here they
// find that there are none. CMake (cmake/llvm.cmake) writes the list of targets.
#include "llvm/Passes/PassPlugin.h"

#define LEFT_OUT(TARGET)                                                                           \
  void LLVMInitialize##TARGET##TargetInfo() {}                                                     \
  void LLVMInitialize##TARGET##Target() {}                                                         \
  void LLVMInitialize##TARGET##TargetMC() {}                                                       \
  void LLVMInitialize##TARGET##AsmPrinter() {}                                                     \
  void LLVMInitialize##TARGET##AsmParser() {}

extern "C" {
#include "left_out_targets.inc"
}

llvm::PassPluginLibraryInfo getPollyPluginInfo();

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "left out", [](llvm::PassBuilder &) {}};
}
