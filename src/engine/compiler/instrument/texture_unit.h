// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the code of the device library that does what a texture unit does from the program's: it
// has been inlined, and each fetch and each access to a surface has left a mark
// (module/passes/marks.h).
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"

namespace heddle::engine {

/// The mark, if the instruction is one; else null.
llvm::CallInst *fetchMark(llvm::Instruction &instruction);
/// Whether a mark is of a surface, not of a texture.
bool isOfSurface(const llvm::CallInst &mark);

class TextureUnit {
public:
  explicit TextureUnit(llvm::Function &function);

  /// Whether the instruction is no part of the program, but of a fetch or an access to a surface.
  bool runs(const llvm::Instruction &instruction) const;
  /// Whether it loads texels or descriptors: what the program reads so, the mark says.
  bool loads(const llvm::Instruction &instruction) const;
  /// Whether it is the access to a surface that a mark speaks of.
  bool accessesSurface(const llvm::Instruction &instruction) const;
  llvm::ArrayRef<llvm::CallInst *> marks() const { return marks_; }

private:
  const bool is_library_; // the function is
  llvm::SmallVector<llvm::CallInst *, 8> marks_;
  llvm::SmallPtrSet<const llvm::DILocation *, 8> fetches_, surfaces_;
};

} // namespace heddle::engine
