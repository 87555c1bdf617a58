// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which GPU a PTX text is for, and what it may use there (PTX ISA, "Target ISA Notes").
//
// An instruction that a GPU has not got runs here all the same; it is refused as ptxas refuses it,
// so that a program that works here works on that GPU.
#pragma once

#include "module/ptx/statement.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle {

struct PtxTarget {
  unsigned sm = 0;       // 90 is sm_90
  char suffix = 0;       // 'a': for this GPU alone; 'f': for its family
  unsigned version = 90; // of PTX: 90 is 9.0
  std::string name() const;
};

/// "sm_90a"; nothing if it is not of that form.
std::optional<PtxTarget> parsePtxTarget(llvm::StringRef name);

/// Whether code for `code` runs on `gpu`: for a later one, for the same family, for that GPU alone.
bool runsOn(const PtxTarget &code, const PtxTarget &gpu);

/// Why the instruction is not there for `target`, in ptxas' words, which has a message for each
/// reason. Empty if it is there.
std::vector<std::string> missingFeatures(const PtxStatement &instruction, const PtxTarget &target);

} // namespace heddle
