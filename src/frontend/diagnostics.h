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

/// A copy of what has been shown, which keeps what it is told until it is known whether that holds.
/// At the end of its life it becomes the original, and what it has kept is shown; or is kept by the
/// original, if that keeps messages, too.
class HeldMessages {
public:
  explicit HeldMessages(ShownMessages &shown);
  ~HeldMessages();
  HeldMessages(const HeldMessages &) = delete;
  HeldMessages &operator=(const HeldMessages &) = delete;

  ShownMessages &messages() { return draft_; }
  /// The original stays as it is.
  void drop() { dropped_ = true; }

private:
  ShownMessages &shown_;
  ShownMessages draft_;
  bool dropped_ = false;
};

std::unique_ptr<clang::DiagnosticConsumer> makeDiagnosticConsumer(clang::DiagnosticOptions &options,
                                                                  ShownMessages &shown);

/// What a CUDA header or library belongs to and whether Heddle has it, as a sentence; or "".
std::string explainMissing(llvm::StringRef header_or_library);

} // namespace heddle::frontend
