// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From Clang's device IR to the device image that every engine takes.
//
// Links the device library, gives undefined arithmetic its GPU meaning, optimises with the NVPTX
// target's view of costs (a GPU's branches and inlining), fixes which operations are fused, and
// describes the result. All of it happens once, when the program is built; so all engines see the
// same program.
#pragma once

#include "module/describe.h"
#include "module/image.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
}

namespace heddle {

struct PrepareOptions {
  std::string source; // for messages
  uint32_t arch = 750;
  bool debug = false;    // -G: a second image has the code as written
  bool whole = true;     // else functions may be missing, and the image only tells what it uses
  unsigned optimize = 2; // -O level for device code
  std::filesystem::path device_library;
  KernelAnalysis analyze = nullptr; // the engine's
};

/// What is particular to Clang's IR becomes plain IR: inline PTX, marks of managed variables.
/// Returns compiler-style messages for what is not supported. May run again on what it returned.
std::vector<std::string> translateSource(llvm::Module &module);

/// Whether Heddle itself has the device function of that name: the engine or the device library.
class BuiltInFunctions {
public:
  explicit BuiltInFunctions(const std::filesystem::path &device_library);
  bool contains(const std::string &name) const;

private:
  llvm::StringSet<> names_;
};

/// The image's bytes, or with `debug` those of a pair (image_pair.h), and its description. Throws
/// std::runtime_error with compiler-style messages, one a line, for what is not supported.
struct PreparedImage {
  std::string bytes;
  ImageInfo info;
};
PreparedImage prepareImage(llvm::Module &module, const PrepareOptions &options);

/// The same, but for what is about engines: device code that becomes PTX text (ptx_output). Inline
/// PTX stays. `relocatable`: device functions and variables stay visible, and may be missing.
void prepareForPtx(llvm::Module &module, const PrepareOptions &options, bool relocatable);

/// The NVPTX target for a GPU, such as "sm_90".
std::unique_ptr<llvm::TargetMachine>
nvptxMachine(const std::string &gpu, llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Default);

} // namespace heddle
