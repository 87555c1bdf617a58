// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/widen/widen.h"
#include "support/paths.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine::simd {

// The program's line, if the access is in a function of Heddle's headers that was inlined there.
static const DILocation *lineOfProgram(const DILocation *where) {
  const auto is_internal = [](const DILocation &line) {
    const std::filesystem::path folder = line.getDirectory().str();
    return isInternalHeader((folder / line.getFilename().str()).string());
  };
  while (where && where->getInlinedAt() && is_internal(*where))
    where = where->getInlinedAt();
  return where;
}

Remark::Remark(Kind kind, const Instruction &instruction, std::string what)
    : kind(kind), store(isa<StoreInst>(instruction)), what(std::move(what)) {
  if (const DILocation *where = lineOfProgram(instruction.getDebugLoc())) {
    line = where->getLine();
    file = where->getFilename();
  }
}

} // namespace heddle::engine::simd
