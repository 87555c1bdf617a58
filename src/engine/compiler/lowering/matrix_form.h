// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warp-wide matrix products (mma) by name.
#pragma once

#include "module/matrix_operation.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace heddle::engine {

/// MatrixOperation::encode() of the function called `name`, if it is such a product.
inline std::optional<uint32_t> matrixForm(llvm::StringRef name) {
  uint32_t code = 0;
  if (!name.consume_front(matrix_function_prefix) || name.getAsInteger(10, code))
    return std::nullopt;
  return code;
}

} // namespace heddle::engine
