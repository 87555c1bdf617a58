// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far this process may read behind an address: what a program hands over as a pointer has a
// length inside it, which need not be true.
#pragma once

#include <cstddef>

namespace heddle {

/// How many bytes from `address` on are mapped and readable, without a gap; 0 if it is not. All
/// there could be if the system does not say (no /proc).
size_t readableBytes(const void *address);

} // namespace heddle
