// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits PTX text from device IR by LLVM's NVPTX target, for programs that load or read PTX.
//
// The code is prepared as for an image (prepare.h), with the device library linked, so that it has
// the same meaning. Inline PTX stays as written. Functions that only Heddle's engines provide
// (printf, the device heap, launches by kernels) are calls of external functions.
#pragma once

#include "module/prepare.h"

#include "llvm/IR/Module.h"

#include <string>

namespace heddle {

struct PtxOptions {
  PrepareOptions prepare;       // `debug`: not optimised
  bool lines = false;           // keeps the module's debug information (-lineinfo, -G)
  bool relocatable = false;     // -rdc=true: device functions stay visible, and may be missing
  char arch_suffix = 0;         // of .target: sm_90a, sm_100f
  bool flush_denormals = false; // marks instructions .ftz, as with -ftz=true
  unsigned max_registers = 0;   // .maxnreg of each kernel, or 0
};

/// Changes `module`. Throws std::runtime_error with compiler-style messages, one a line, for
/// unsupported code.
std::string emitPtx(llvm::Module &module, const PtxOptions &options);

} // namespace heddle
