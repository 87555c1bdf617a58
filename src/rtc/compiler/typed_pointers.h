// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVVM IR as text is mostly in the language of LLVM 7 to 14, whose pointers say what they point to:
// `i32 addrspace(1)*`. LLVM 19 only reads `ptr addrspace(1)` (bitcode it updates by itself).
#pragma once

#include <string>
#include <string_view>

namespace heddle::rtc {

/// The text with opaque pointers: each type followed by `*` becomes `ptr`, `byval` and `sret` name
/// the type that their pointer has named. Text without typed pointers comes back as it is. Broken
/// text stays broken; LLVM's parser says so, with the same lines.
std::string withOpaquePointers(std::string_view text);

} // namespace heddle::rtc
