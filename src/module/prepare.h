// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prepares Clang's device IR as the device image that all engines use.
//
// Links the device library, defines undefined arithmetic as GPUs do, optimises with the NVPTX
// target's costs (for branches and inlining), fixes which operations are fused, and describes the
// result. This happens once, at build time, so that all engines run the same program.
#pragma once

#include "module/description/describe.h"
#include "module/image/image.h"

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
  char arch_suffix = 0;           // 'a', 'f'
  std::vector<std::string> codes; // of the image
  unsigned ptx_version = 90;      // that code of this release of CUDA has: 90 is 9.0
  bool debug = false;             // -G: a second image has the code as written
  bool whole = true;          // else functions may be missing, and the image is only a description
  unsigned optimize = 2;      // -O level for device code
  uint32_t max_registers = 0; // -maxrregcount: the most that a kernel is said to need, or 0
  std::filesystem::path device_library;
  KernelAnalysis analyze = nullptr; // the engine's
};

/// Replaces what is specific to Clang's device IR by plain IR: inline PTX, marks of managed
/// variables. Returns compiler-style messages for unsupported code. May run again on its result.
/// What ptxas refuses is marked (passes/refused.h), unless HEDDLE_STRICT is 0.
std::vector<std::string> translateSource(llvm::Module &module, const PrepareOptions &options);

/// Throws Refusal if code that ptxas refuses is not dead. The module stays as it is.
void checkRefusedCode(const llvm::Module &module, const PrepareOptions &options);

/// Whether Heddle provides the device function of that name: in the engine or the device library.
class BuiltInFunctions {
public:
  explicit BuiltInFunctions(const std::filesystem::path &device_library);
  bool contains(const std::string &name) const;

private:
  llvm::StringSet<> names_;
};

/// The image's bytes, or with `debug` those of a pair (image_pair.h), and its description. Throws
/// std::runtime_error with compiler-style messages, one a line, for unsupported code.
struct PreparedImage {
  std::string bytes;
  ImageInfo info;
};
PreparedImage prepareImage(llvm::Module &module, const PrepareOptions &options);

/// The same without the engine-specific steps, for device code that becomes PTX text (ptx_output).
/// Inline PTX stays. `relocatable`: device functions and variables stay visible, and may be
/// missing.
void prepareForPtx(llvm::Module &module, const PrepareOptions &options, bool relocatable);

/// The NVPTX target for a GPU, such as "sm_90".
std::unique_ptr<llvm::TargetMachine>
nvptxMachine(const std::string &gpu, llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Default);

} // namespace heddle
