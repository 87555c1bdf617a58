// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From lowered IR to a shared object for the CPU of this machine.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <filesystem>
#include <memory>

namespace heddle::engine {

struct VectorRegisters {
  unsigned count = 0, bytes = 0; // of each
};

class CodeGenerator {
public:
  /// `debug`: no optimisation, so that a debugger sees the program as written.
  explicit CodeGenerator(bool debug);

  /// Makes a device module one for this CPU. The struct layouts of the two targets are the same.
  void retarget(llvm::Module &module);

  /// Cleans up after the lowering passes, generates code and links it. Throws std::runtime_error.
  void writeSharedObject(llvm::Module &module, const std::filesystem::path &output);

  /// Whether this CPU has instructions for gathers, scatters and masked accesses of any width.
  bool hasNativeGather() const;

  /// Whether the CPU's first level of cache is better not asked for many lines ahead: loads then
  /// wait until it has room for one more that it must fetch.
  bool waitsForFewLines() const;

  /// Whether it foresees what loops in steps of the grid load, each round in other pages.
  bool foreseesSteps() const;

  /// The CPU's vector registers.
  VectorRegisters vectorRegisters() const;

private:
  void optimize(llvm::Module &module);
  void emit(llvm::Module &module, llvm::raw_pwrite_stream &output);

  bool debug_;
  std::unique_ptr<llvm::TargetMachine> machine_;
};

} // namespace heddle::engine
