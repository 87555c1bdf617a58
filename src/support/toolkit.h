// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heddle's files once more in the shape of /usr/local/cuda: bin/nvcc, lib64, include, nvvm …
//
// A build tree and most installations have such folders, share/heddle/toolkit for CUDA 13 and
// share/heddle/toolkit-12: links into bin/, lib/ and include/. A wheel cannot hold links; it has
// their list instead, share/heddle/toolkit.links, from which the folder is made in the user's cache
// when it is first needed.
#pragma once

#include <filesystem>
#include <string>

namespace heddle {

/// The folder of this release, made if need be. Throws std::runtime_error if it cannot be.
std::filesystem::path toolkitFolder(int release);

/// Its name in share/heddle.
std::string toolkitName(int release);

} // namespace heddle
