// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is left out on purpose, to see what it is good for:
//
//   HEDDLE_SIMD_SKIP=NAME,...   optional passes (pass.h), kinds of accesses
//                               (simd/widen/kinds/access_kinds.h); `all`: all of them
//
// Results are the same without them; code is slower.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace heddle::engine {

bool isSkipped(llvm::StringRef name);

/// Names in HEDDLE_SIMD_SKIP that are not among these.
std::vector<std::string> unknownSkipped(llvm::ArrayRef<std::string> known);

} // namespace heddle::engine
