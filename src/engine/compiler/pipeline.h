// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of the SIMD compiler, in order, as four tables in pipeline.cpp.
//
//   program_passes   once for the program's module
//   kernel_passes    for each kernel: from the code of one thread to the code of a gang
//   link_passes      once for the module, when its kernels are gangs
//   target_passes    before code generation; also for the reference engine
//
// A new pass is a pair of files and a row in one of the tables. The compiler, heddle-opt (one pass
// at a time, for tests and llvm-reduce) and a test that compares them with docs/engine.md read
// them.
#pragma once

#include "engine/compiler/codegen/code_generator.h"
#include "engine/compiler/pass.h"
#include "engine/compiler/simd/kernel_code.h"
#include "module/description/layout.h"
#include "module/image/image.h"

namespace heddle::engine {

/// The state of a program's module during the passes.
struct ProgramCode {
  llvm::Module &module;
  const Image &image;
  const DeviceLayout &layout;
  const CodeGenerator &generator;
  simd::SharedArrays arrays{};
  llvm::Function *init_globals = nullptr;
  std::vector<simd::CompiledKernel> kernels{};
  bool has_init_globals = true; // in this part of the program (engine/part.h)
  uint32_t events = 0;          // what to report to an observer (engine/observe/events.h)
};

/// The state of a module during the target passes.
struct TargetCode {
  llvm::Module &module;
  llvm::TargetMachine &machine;
  TargetProfile profile;
};

llvm::ArrayRef<Pass<ProgramCode>> programPasses();
llvm::ArrayRef<Pass<simd::KernelCode>> kernelPasses();
llvm::ArrayRef<Pass<ProgramCode>> linkPasses();
llvm::ArrayRef<Pass<TargetCode>> targetPasses();

/// Prepares the module of either engine for code generation; code for a debugger stays as written.
/// Throws InternalError if the module is not valid.
void runTargetPasses(llvm::Module &module, const CodeGenerator &generator);

/// Throws if HEDDLE_SIMD_SKIP names what cannot be skipped.
void checkSkipped();

/// All rows of all tables, in order.
std::vector<PassInfo> pipeline();

/// The forms of a kernel's code before its first pass.
inline constexpr unsigned thread_function_forms = TakesContext | Addressed;

} // namespace heddle::engine
