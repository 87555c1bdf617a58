// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes sites (engine/observe/site.h) as constants of a module.
#pragma once

#include "engine/observe/extents.h"
#include "engine/observe/fetch_site.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

#include <string>

namespace heddle::engine {

struct SiteDescription {
  const llvm::DILocation *where = nullptr; // or null
  const llvm::Function *function = nullptr;
  observe::AccessKind kind{};
  uint32_t alignment = 1, space = 0, order = 0;
  std::string variable; // empty: not known
  uint64_t variable_bytes = observe::unknown_bytes;
  observe::Scope scope = observe::Scope::System;
  bool is_volatile = false;
  uint32_t slot = observe::no_slot, flags = 0, what = 0;
};

class SiteTable {
public:
  explicit SiteTable(llvm::Module &module) : module_(module) {}
  /// The address of a new site.
  llvm::Constant *add(const SiteDescription &description);

  /// Addresses of constants: a text, a Frame (null: no place), a struct or an array.
  llvm::Constant *text(llvm::StringRef text);
  llvm::Constant *frame(const llvm::DILocation *where);
  llvm::Constant *constant(llvm::ArrayRef<llvm::Constant *> fields, llvm::StringRef name);

private:
  llvm::Module &module_;
  llvm::StringMap<llvm::Constant *> texts_;
  llvm::DenseMap<const llvm::DILocation *, llvm::Constant *> frames_;
};

/// Where an instruction is in the source. Of one that LLVM has left without a place, as it does
/// when it moves a load before a branch: line 0 of its function. Null without debug information.
const llvm::DILocation *placeOf(const llvm::Instruction &instruction);

/// The function that tells the observer of a site (builtin_forms.h).
llvm::FunctionCallee observeMarker(llvm::Module &module);
/// The same for a fetch from a texture.
llvm::FunctionCallee observeFetchMarker(llvm::Module &module);

/// A variable's name in the source, of its name in the module.
std::string sourceName(llvm::StringRef name);

} // namespace heddle::engine
