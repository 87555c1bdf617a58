// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LZ4's block format (github.com/lz4/lz4, doc/lz4_Block_format.md), in which nvcc packs fat
// binaries: reading it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle {

/// What `block` unpacks to, `size` bytes. Throws std::runtime_error if it is broken or gives
/// another number.
std::string unpackLz4(std::string_view block, size_t size);

} // namespace heddle
