// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX text becomes a module of device IR, as Clang makes it of CUDA C++.
#pragma once

#include "module/ptx/statement.h"

#include "llvm/IR/Module.h"

#include <memory>
#include <string>
#include <vector>

namespace heddle {

struct PtxTranslation {
  std::unique_ptr<llvm::Module> module; // null if there are problems
  unsigned sm = 0;                      // of .target
  std::vector<PtxError> problems;
  bool too_new = false; // the first problem is the version
  bool fatal = false;   // the last one ended the reading
};

/// `name` is what debug locations call the text where it has no .loc. Bad text is a problem, never
/// an exception.
PtxTranslation translatePtx(const std::string &text, const std::string &name,
                            llvm::LLVMContext &context);

} // namespace heddle
