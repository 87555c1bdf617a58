// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates PTX text to a module of device IR, as Clang produces from CUDA C++.
#pragma once

#include "module/ptx/statement.h"
#include "module/ptx/target.h"

#include "llvm/IR/Module.h"

#include <memory>
#include <string>
#include <vector>

namespace heddle {

/// How a text is to be read.
struct PtxReading {
  std::optional<PtxTarget> gpu; // which runs it; unset: the one that it names
  bool fuse = true;             // products and sums without a rounding may become fma
};

struct PtxTranslation {
  std::unique_ptr<llvm::Module> module; // null if there are problems
  unsigned sm = 0;                      // of .target
  std::string code;                     // for which GPUs it is (image/gpu_codes.h); "": all
  std::vector<PtxError> problems;
  bool too_new = false; // the first problem is the version
  bool fatal = false;   // the last problem ended parsing
};

/// `name` is the file name in debug locations of text without .loc. Errors in the text are
/// problems, not exceptions.
PtxTranslation translatePtx(const std::string &text, const std::string &name,
                            llvm::LLVMContext &context, const PtxReading &reading = {});

} // namespace heddle
