// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types that code outside cannot name. nvcc writes the launch of a template's instance into a file
// for the host compiler, where it needs a name for each template argument.
#pragma once

#include "clang/AST/TemplateBase.h"

#include <optional>
#include <string>

namespace heddle::frontend {

struct Unnameable {
  std::string what; // `A type defined inside a __host__ function ("L")`, in nvcc's words
  bool is_lambda = false, is_local = false;
  std::string name;
};

/// The first type in `argument`, at any depth, that has no name outside: local to a host function,
/// private in a class, without a name, or of a lambda that is no extended one.
std::optional<Unnameable> unnameable(const clang::TemplateArgument &argument);
std::optional<Unnameable> unnameable(clang::QualType type);

} // namespace heddle::frontend
