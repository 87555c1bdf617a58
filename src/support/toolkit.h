// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heddle's files once more in the shape of /usr/local/cuda: bin/nvcc, lib64, include, nvvm …
//
// A build tree and most installations have that folder, share/heddle/toolkit: links into bin/, lib/
// and include/. A wheel cannot hold links; it has their list instead, share/heddle/toolkit.links,
// from which the folder is made in the user's cache when it is first needed.
#pragma once

#include <filesystem>

namespace heddle {

/// The folder, made if need be. Throws std::runtime_error if it cannot be.
std::filesystem::path toolkitFolder();

} // namespace heddle
