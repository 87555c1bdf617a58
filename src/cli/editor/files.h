// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files for an editor in a person's project, where there may be some already.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::cli {

/// What the first line of each such file has; a file without it was not made by Heddle.
inline constexpr const char *maker_mark = "Made by heddle lsp-config";

struct EditorFile {
  std::filesystem::path name; // in the project
  std::string text;
};

/// .vscode/tasks.json and launch.json: builds the open file with this compiler for gdb, and debugs
/// it, kernels as well.
std::vector<EditorFile> debuggerFiles(const std::filesystem::path &compiler);

/// Writes them to a folder that is there. A file that is not ours is an error, found before
/// anything is written, unless `force`.
void writeFiles(const std::filesystem::path &folder, const std::vector<EditorFile> &files,
                bool force);

} // namespace heddle::cli
