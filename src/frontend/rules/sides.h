// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On which side a function's code is, as nvcc sees it.
//
// Clang makes constexpr functions, lambdas and what stands between `#pragma clang
// force_cuda_host_device` functions for both sides, with implicit attributes. For nvcc only what
// the source says counts.
#pragma once

#include "clang/AST/Decl.h"

#include <string>

namespace heddle::frontend {

enum class Side { Host, Device, Both };

/// Side of the code of `function`; of a lambda without a word of its own, that of the function
/// around it.
Side sideOf(const clang::FunctionDecl &function);

/// Whether the source gives the declaration such an attribute itself.
template <class Attribute> bool says(const clang::Decl &declaration) {
  const auto *attribute = declaration.getAttr<Attribute>();
  return attribute && !attribute->isImplicit();
}

/// Whether the declaration has the annotation, as macros of Heddle's headers give it.
bool hasNote(const clang::Decl &declaration, llvm::StringRef note);

/// Whether the variable lies in a GPU's memory because its declaration says so: "__device__",
/// "__constant__", "__shared__"; or "".
std::string memoryOf(const clang::VarDecl &variable);

/// Its name with those of its scopes, as nvcc writes it.
std::string nameOf(const clang::NamedDecl &declaration);

} // namespace heddle::frontend
