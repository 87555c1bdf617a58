// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From device IR to PTX text, by LLVM's NVPTX target: for programs that load or read PTX.
//
// The code is prepared as for an image (prepare.h), with the device library in it, so that it has
// the same meaning. Inline PTX stays as it was written. What only Heddle's engines do (printf, the
// device heap, launches by kernels) are calls of external functions.
#pragma once

#include "module/prepare.h"

#include "llvm/IR/Module.h"

#include <string>

namespace heddle {

struct PtxOptions {
  PrepareOptions prepare;   // `debug`: not optimised
  bool lines = false;       // keeps the debug information that the module has (-lineinfo, -G)
  bool relocatable = false; // -rdc=true: device functions stay visible, and may be missing
  bool sm_90a = false;
  bool flush_denormals = false; // marks instructions .ftz, as with -ftz=true
  unsigned max_registers = 0;   // .maxnreg of each kernel, or 0
};

/// Changes `module`. Throws std::runtime_error with compiler-style messages, one a line, for what
/// is not supported.
std::string emitPtx(llvm::Module &module, const PtxOptions &options);

} // namespace heddle
