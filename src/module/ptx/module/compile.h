// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles PTX text to a device image, as ptxas and nvlink do to a cubin.
#pragma once

#include "module/prepare.h"
#include "module/ptx/module/front_end.h"

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

/// The reason why there is no image. what() is a log in ptxas's format, with lines of the text.
struct PtxFailure : std::runtime_error {
  enum Reason { Invalid, TooNew, Unresolved };
  PtxFailure(Reason reason, const std::string &log) : std::runtime_error(log), reason(reason) {}
  Reason reason;
};

/// The device IR of one text, before any is linked. Throws PtxFailure.
std::unique_ptr<llvm::Module> readPtx(const PtxText &text, llvm::LLVMContext &context,
                                      uint32_t &arch, const PtxReading &reading = {});

/// Finishes a module with all of a program's PTX: addresses become pointers.
void finishPtx(llvm::Module &module);

/// Compiles and links texts. `arch` in `options` is set from the texts. Throws PtxFailure.
PreparedImage compilePtx(std::span<const PtxText> texts, PrepareOptions options,
                         const PtxReading &reading = {});

} // namespace heddle
