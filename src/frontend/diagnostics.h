// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiler messages as the user should see them.
//
// A .cu file is compiled twice, for the device and for the host; a message that both give is shown
// once. Notes that point into Heddle's or Clang's own headers are left out. A header that cannot be
// found gets a word on what it belongs to.
#pragma once

#include "frontend/source/redeclarations.h"
#include "frontend/source/shared_objects.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace heddle::frontend {

/// What has been shown so far, and what is to be changed in the sources instead; shared by the
/// compilations of one run.
struct ShownMessages {
  std::set<std::string> texts;
  std::optional<std::string> held; // where messages go while it is not known whether they hold
  SharedObjects shared_objects;
  Redeclarations redeclarations;
};

/// A copy that keeps what it is told, until it is known whether it holds.
ShownMessages holdMessages(const ShownMessages &shown);
/// Shows what `draft` has kept, which becomes `shown`; or keeps it, if that keeps messages, too.
void showMessages(ShownMessages &shown, ShownMessages &&draft);

std::unique_ptr<clang::DiagnosticConsumer> makeDiagnosticConsumer(clang::DiagnosticOptions &options,
                                                                  ShownMessages &shown);

/// What a CUDA header or library belongs to and whether Heddle has it, as a sentence; or "".
std::string explainMissing(llvm::StringRef header_or_library);

} // namespace heddle::frontend
