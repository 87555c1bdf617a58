// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the SIMD compiler does to a program, in order: four tables, in pipeline.cpp.
//
//   program_passes   once for the program's module
//   kernel_passes    for each kernel: from the code of one thread to the code of a gang
//   link_passes      once for the module, when its kernels are gangs
//   target_passes    when the module becomes code for the CPU; the reference engine's, too
//
// A new pass is a row in one of them, and a file pair. The tables are read by the compiler, by
// heddle-opt (one pass at a time, for tests and for llvm-reduce) and by a test that compares them
// with docs/engine.md.
#pragma once

#include "engine/compiler/codegen/code_generator.h"
#include "engine/compiler/pass.h"
#include "engine/compiler/simd/kernel_code.h"
#include "module/image.h"
#include "module/layout.h"

namespace heddle::engine {

/// A program's module on its way through the passes.
struct ProgramCode {
  llvm::Module &module;
  const Image &image;
  const DeviceLayout &layout;
  const CodeGenerator &generator;
  simd::SharedArrays arrays{};
  llvm::Function *init_globals = nullptr;
  std::vector<simd::CompiledKernel> kernels{};
  bool has_init_globals = true; // in this part of the program (engine/part.h)
  uint32_t events = 0;          // what to tell an observer (engine/observe/events.h)
};

/// A module that becomes code for the CPU.
struct TargetCode {
  llvm::Module &module;
  llvm::TargetMachine &machine;
  TargetProfile profile;
};

llvm::ArrayRef<Pass<ProgramCode>> programPasses();
llvm::ArrayRef<Pass<simd::KernelCode>> kernelPasses();
llvm::ArrayRef<Pass<ProgramCode>> linkPasses();
llvm::ArrayRef<Pass<TargetCode>> targetPasses();

/// Makes the module of either engine ready for code generation; where a debugger is to see the
/// program as written, it stays as it is. Throws InternalError if it is not valid.
void runTargetPasses(llvm::Module &module, const CodeGenerator &generator);

/// All rows of all tables, in order.
std::vector<PassInfo> pipeline();

/// What holds of the code of a kernel before its first pass.
inline constexpr unsigned thread_function_forms = TakesContext | Addressed;

} // namespace heddle::engine
