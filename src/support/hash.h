// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A content hash for cache keys (xxHash, 128 bits).
#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// 32 hexadecimal digits that identify `bytes`.
std::string contentHash(std::string_view bytes);

} // namespace heddle
