// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a source that a running program has in memory, as NVRTC does.
//
// There is no host code and there are no host headers: what NVRTC declares before the first line
// (NVRTC guide, "Predefined Macros", "Predefined Types", "Builtin Functions") is
// include/__heddle_rtc/prelude.h, which is precompiled once for each kind of options and kept in
// the cache.
#pragma once

#include "frontend/command_line/options.h"

#include "llvm/IR/Module.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heddle::frontend {

struct RuntimeSource {
  std::string name, text;
  std::vector<std::pair<std::string, std::string>> headers; // name as included, text
  std::vector<std::string> expressions; // of kernels and variables whose symbols are wanted
  bool all_for_device = false;          // unmarked functions are device functions
};

struct RuntimeModule {
  std::unique_ptr<llvm::Module> module;
  std::vector<std::string> symbols; // for each expression
  std::vector<std::string> files;   // read from the disk, but for Heddle's own
};

/// Clang's IR of the device code. `module` is empty if there are errors. Messages go to stderr,
/// with lines but without columns: "name(3): error: …". Throws std::runtime_error for what is not
/// the source's fault.
RuntimeModule compileRuntimeSource(const Options &options, const RuntimeSource &source,
                                   llvm::LLVMContext &context);

} // namespace heddle::frontend
