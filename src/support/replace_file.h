// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing a file so that a reader, or a run after a crash, finds the old content or the new one.
#pragma once

#include <filesystem>
#include <string_view>
#include <system_error>

namespace heddle {

/// Writes the content beside the file and renames it. Returns what went wrong (a full disk, a
/// folder that cannot be written to), and then leaves nothing behind.
std::error_code replaceFile(const std::filesystem::path &file, std::string_view content);

} // namespace heddle
