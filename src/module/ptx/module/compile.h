// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From PTX text to a device image, as ptxas and nvlink go from PTX to a cubin.
#pragma once

#include "module/prepare.h"

#include "llvm/IR/Module.h"

#include <memory>
#include <span>
#include <stdexcept>
#include <string>

namespace heddle {

struct PtxText {
  std::string name; // a file's, for debug locations
  std::string text;
};

/// Why there is no image. what() is a log as ptxas writes it, with lines of the text.
struct PtxFailure : std::runtime_error {
  enum Reason { Invalid, TooNew, Unresolved };
  PtxFailure(Reason reason, const std::string &log) : std::runtime_error(log), reason(reason) {}
  Reason reason;
};

/// The device IR of one text, before any is linked. Throws PtxFailure.
std::unique_ptr<llvm::Module> readPtx(const PtxText &text, llvm::LLVMContext &context,
                                      uint32_t &arch);

/// What is left to do once all of a program's PTX is in one module: addresses become pointers.
void finishPtx(llvm::Module &module);

/// The image of texts that are linked with each other. `options` say the rest; `arch` is theirs.
/// Throws PtxFailure.
PreparedImage compilePtx(std::span<const PtxText> texts, PrepareOptions options);

} // namespace heddle
