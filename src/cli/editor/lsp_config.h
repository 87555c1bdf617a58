// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle lsp-config: files by which an editor reads CUDA sources as heddlecc does, and debugs them.
#pragma once

#include <string>
#include <vector>

namespace heddle::cli {

struct LspConfigOptions {
  std::string folder;            // where the files go; empty: to the standard output
  bool vscode = false;           // for the debugger in VS Code, too
  bool force = false;            // in the place of files that are not ours
  std::vector<std::string> nvcc; // options that the project is compiled with
};

/// Returns the exit code. Throws std::exception with nothing changed.
int lspConfigCommand(const LspConfigOptions &options);

} // namespace heddle::cli
