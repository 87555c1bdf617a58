// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvprune: copies an object file or a library with the device code for some GPUs only.
#pragma once

namespace heddle::cli {

int pruneFile(int argc, char **argv);

} // namespace heddle::cli
