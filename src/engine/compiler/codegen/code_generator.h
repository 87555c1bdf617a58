// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles lowered IR to a shared object for the CPU of this machine.
#pragma once

#include "engine/compiler/codegen/target_profile.h"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <filesystem>
#include <memory>

namespace heddle::engine {

/// Attribute of functions that keep many more values than there are registers.
inline constexpr const char *spills_most_attribute = "heddle.spills.most";

class CodeGenerator {
public:
  /// `debug`: no optimisation, so that a debugger sees the program as written.
  explicit CodeGenerator(bool debug);

  /// Gives a device module the host's target. The struct layouts of both targets are the same.
  void retarget(llvm::Module &module) const;

  /// Generates code, links it and writes the shared object to `output`. Throws std::runtime_error.
  void writeSharedObject(llvm::Module &module, const std::filesystem::path &output) const;

  TargetProfile profile() const;
  llvm::TargetMachine &machine() const { return *machine_; }
  bool debug() const { return debug_; }

private:
  void emit(llvm::Module &module, llvm::raw_pwrite_stream &output) const;

  bool debug_;
  std::unique_ptr<llvm::TargetMachine> machine_;
};

} // namespace heddle::engine
